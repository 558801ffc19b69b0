#pragma once
// What a driver is given to load as a module: where it ends, and what it says of itself.
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "observe/gpu/parameter.hpp"

namespace tunecheck::gpu {

/// Bytes that somebody else owns.
struct Image {
  std::string kind;  ///< "cubin" (any ELF file), "fatbin", "bundle", "ptx"; "" for no
                     ///< known kind
  std::span<const std::byte> bytes;  ///< all of it; empty for no known kind
};

/// Finds the end of an image from its headers (PTX: from its zero byte). `image` may be null, else
/// it must be one that a driver may be given; a damaged one may be read past its end.
[[nodiscard]] Image examine_image(const void* image);

/// The ELF file that it is, or the one that a bundle has for devices; empty where there is none, or
/// a bundle has several and the driver chooses.
[[nodiscard]] Image elf_in(const Image& image);

/// What of a cubin or code object is run: names and bytes of its sections, without symbols, notes
/// and debug information. So it is the same of two cubins that differ in the names of their source
/// files alone. "" for images of another kind.
[[nodiscard]] std::string code_in(const Image& image);

/// The content of the variable `tunecheck_config` in a cubin, a code object or PTX, which
/// gpu_kernel.h puts there; "" where there is none.
[[nodiscard]] std::string config_in(const Image& image);

/// By the symbols of the kernels.
using KernelParameters = std::map<std::string, std::vector<Parameter>>;

/// What a code object of AMD's says of its kernels' parameters, those that the compiler added left
/// out. Nothing for other images, whose driver can be asked, and for what is damaged.
[[nodiscard]] KernelParameters kernel_parameters_in(const Image& image);

}  // namespace tunecheck::gpu
