#pragma once
// A kernel as its folder describes it (kernel.info): arguments, space, semantics, sources.
// docs/kernels.md has the format.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/compare.hpp"
#include "core/config.hpp"
#include "core/dtype.hpp"
#include "core/fill.hpp"
#include "core/info.hpp"
#include "core/result.hpp"

namespace tunecheck {

enum class Access {
  read,      ///< never written
  write,     ///< every element written, none read
  in_place,  ///< read and written
};
[[nodiscard]] std::string_view name_of(Access access);

/// One tensor argument. `shape` are expressions over the size names, one a dimension.
struct TensorParameter {
  std::string name;
  std::vector<DType> dtypes;  ///< those it may have; the first one unless a call says otherwise
  std::vector<std::string> shape;
  Access access = Access::read;
  Fill fill;
  int line = 0;
};

struct ScalarParameter {
  std::string name;
  DType dtype = DType::f32;
  double value = 0;  ///< unless a call says otherwise
  bool key = false;  ///< another value asks for another winner
};

/// Names to values, for example rows 64, cols 1024.
using Sizes = std::map<std::string, std::int64_t>;
[[nodiscard]] Variables to_variables(const Sizes& sizes);

/// Compiled by the CPU toolchain at run time.
struct CpuSource {
  std::filesystem::path source;
  std::vector<std::string> options;  ///< further compiler options
};

struct KernelDefinition {
  std::filesystem::path folder;
  std::string name;
  std::string summary;
  std::map<std::string, Sizes> sizes;  ///< "smoke" and "full"
  std::vector<TensorParameter> tensors;
  std::vector<ScalarParameter> scalars;
  std::vector<std::string> restore_value;  ///< tensors put back to their content before each rep
  std::vector<std::string> reset_to_zero;  ///< tensors zeroed before each launch that counts
  std::vector<std::string> environment;    ///< variables that change what the kernel does
  SpaceDefinition space;
  std::map<std::string, std::string> default_config;  ///< expressions over the size names
  std::optional<CpuSource> cpu;
  std::filesystem::path reference;
  Tolerance tolerance;
  std::string bytes, flops;  ///< expressions over the size names; "" if not given

  [[nodiscard]] const TensorParameter* tensor(std::string_view tensor_name) const;
  [[nodiscard]] bool restores(std::string_view tensor_name) const;
  [[nodiscard]] bool resets(std::string_view tensor_name) const;
  /// The default config for these sizes.
  [[nodiscard]] Result<Config> default_for(const Sizes& sizes) const;
  /// The shape of a tensor for these sizes.
  [[nodiscard]] Result<std::vector<std::int64_t>> shape_of(const TensorParameter& tensor,
                                                           const Sizes& sizes) const;
};

/// Reads and checks `folder`/kernel.info: unknown and missing keys, types, names that are not
/// declared, sources that are not there, spaces in which nothing or not the default is allowed.
[[nodiscard]] Result<KernelDefinition> read_kernel(const std::filesystem::path& folder);

/// All kernels in the subfolders of `folders`, by name; a name that two folders claim is an error,
/// and so is a folder without any kernel.
[[nodiscard]] Result<std::map<std::string, KernelDefinition>> read_kernels(
    const std::vector<std::filesystem::path>& folders);

}  // namespace tunecheck
