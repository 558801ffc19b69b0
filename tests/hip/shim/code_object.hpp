#pragma once
// Code objects as AMD's compilers make them, around code for something else: an ELF file of AMD's
// machine, with the metadata of its kernels in a note and a config for observers, so that whatever
// reads code objects reads these too. The code lies in a section that no other code object has.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "observe/gpu/parameter.hpp"

namespace tunecheck::shim {

struct Kernel {
  std::string name;
  std::vector<gpu::Parameter> parameters;
};

[[nodiscard]] std::string make_code_object(const std::vector<Kernel>& kernels,
                                           const std::string& config, std::string_view code);

/// The code in such an object; nothing in any other image.
[[nodiscard]] std::optional<std::string_view> code_in_object(const void* image);
/// Its kernels; none in any other image.
[[nodiscard]] std::vector<Kernel> kernels_in_object(const void* image);

/// The kernels of a cubin, as NVIDIA's compiler describes them in sections of their own.
[[nodiscard]] std::vector<Kernel> kernels_in_cubin(std::string_view cubin);

}  // namespace tunecheck::shim
