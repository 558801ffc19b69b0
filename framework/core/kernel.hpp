#pragma once
// A kernel as its folder describes it (kernel.info): arguments, space, semantics, sources.
// docs/kernels.md has the format.
#include <array>
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
#include "core/sim_model.hpp"

namespace tunecheck {

enum class Access {
  read,      ///< never written
  write,     ///< every element written, none read
  in_place,  ///< read and written
  scratch,   ///< read and written; what is in it afterwards means nothing
};
[[nodiscard]] std::string_view name_of(Access access);
[[nodiscard]] std::optional<Access> parse_access(std::string_view word);

/// One tensor argument. `shape` are expressions over the size names, one a dimension.
struct TensorParameter {
  std::string name;
  std::vector<DType> dtypes;  ///< those it may have; the first one unless a call says otherwise
  std::vector<std::string> shape;
  Access access = Access::read;
  FillRule fill;
  int line = 0;
  std::string may_alias = {};  ///< a tensor of the same shape whose memory it may be, "" for none

  /// True where its content after a launch is part of the result.
  [[nodiscard]] bool is_result() const {
    return access == Access::write || access == Access::in_place;
  }
};

struct ScalarParameter {
  std::string name;
  DType dtype = DType::f32;
  double value = 0;  ///< unless a call says otherwise
  bool key = false;  ///< another value asks for another winner
  /// Expressions over the size names: the lowest value that the kernel must bear and the highest;
  /// both "" where the kernel file does not say.
  std::string low = {}, high = {};

  [[nodiscard]] bool has_range() const { return !low.empty(); }
};

/// Both ends included; without any value where `low` is above `high`.
struct ScalarRange {
  double low = 0;
  double high = 0;
};

/// Names to values, for example rows 64, cols 1024.
using Sizes = std::map<std::string, std::int64_t>;
[[nodiscard]] Variables to_variables(const Sizes& sizes);

/// Compiled by the CPU toolchain at run time.
struct CpuSource {
  std::filesystem::path source;
  std::filesystem::path naive;       ///< the loop one would write first, no config; may be empty
  std::vector<std::string> options;  ///< further compiler options
};

/// Compiled for CUDA and HIP by their runtime compilers. `grid` and `threads` are one to three
/// expressions, `shared_bytes` one ("" for none), over the sizes and the parameters.
struct GpuSource {
  std::filesystem::path source;
  std::vector<std::string> grid;     ///< blocks
  std::vector<std::string> threads;  ///< threads a block
  std::string shared_bytes;          ///< dynamic shared memory a block
  int line = 0;
  std::string nondeterministic = {};  ///< why two launches may differ here, though not on a CPU
  bool arch_features = false;         ///< compiled for what the very arch has: sm_90a on sm_90
};

/// How one config is launched on a GPU. A grid of 0 blocks is not launched.
struct GpuLaunchShape {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::array<std::int64_t, 3> threads = {1, 1, 1};
  std::int64_t shared_bytes = 0;
};

/// What a kernel's time is made of, as its author says.
enum class LimitedBy { unsaid, memory, compute };

/// A kernel file, as read_kernel() has checked it: names that are used are declared, "smoke" and
/// "full" are among the sizes, at least one of `cpu`, `gpu` and `sim` is there, and every
/// expression has a value at every size. One that is put together by hand promises none of that.
/// Plain data. It holds the paths of sources and not their text, which may change while it lives.
struct KernelDefinition {
  std::filesystem::path folder;
  std::string name;
  std::string summary;
  std::map<std::string, Sizes> sizes;  ///< "smoke", "full", and further ones to prove it at
  std::vector<TensorParameter> tensors;
  std::vector<ScalarParameter> scalars;
  std::vector<std::string> restore_value;  ///< tensors put back to their content before each rep
  std::vector<std::string> reset_to_zero;  ///< tensors zeroed before each launch that counts
  std::vector<std::string> environment;    ///< variables that change what the kernel does
  SpaceDefinition space;
  std::map<std::string, std::string> default_config;  ///< expressions over the size names
  std::optional<CpuSource> cpu;
  std::optional<GpuSource> gpu;
  std::optional<SimModel> sim;  ///< with neither `cpu` nor `gpu`, its only device
  /// Files in the folder for tuners that take no source of ours: triton.py, flydsl.py.
  std::vector<std::string> versions;
  std::filesystem::path reference;
  Tolerances tolerance;
  std::string bytes, flops;  ///< expressions over sizes and NAME_bytes; "" if not given
  LimitedBy limited_by = LimitedBy::unsaid;
  std::string twice_is_once;     ///< why a second launch changes nothing; "" if it does
  std::string nondeterministic;  ///< why two launches may differ; "" if they may not

  [[nodiscard]] const TensorParameter* tensor(std::string_view tensor_name) const;
  [[nodiscard]] bool restores(std::string_view tensor_name) const;
  [[nodiscard]] bool resets(std::string_view tensor_name) const;
  /// How many dtype variants there are: as many as the longest list of dtypes.
  [[nodiscard]] std::size_t variants() const;
  /// The dtypes of variant `index`, one per tensor: a tensor with fewer keeps its last one.
  [[nodiscard]] std::vector<DType> variant(std::size_t index) const;
  /// How a tensor is filled at these sizes.
  [[nodiscard]] Result<Fill> fill_of(const TensorParameter& tensor, const Sizes& sizes) const;
  /// The range of a scalar that has one, at these sizes.
  [[nodiscard]] Result<ScalarRange> range_of(const ScalarParameter& scalar,
                                             const Sizes& sizes) const;
  /// Memory traffic and arithmetic of one launch; 0 where the kernel file does not say.
  [[nodiscard]] Result<double> bytes_for(const Sizes& sizes,
                                         const std::vector<DType>& dtypes) const;
  [[nodiscard]] Result<double> flops_for(const Sizes& sizes,
                                         const std::vector<DType>& dtypes) const;
  /// How a config is launched on a GPU; an error where there is no gpu source.
  [[nodiscard]] Result<GpuLaunchShape> gpu_launch(const Sizes& sizes, const Config& config) const;
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
