#pragma once
// Proving a kernel: its comparison accepts the right result in every config and rejects wrong ones,
// and what its kernel file says of it is true.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"
#include "result/proof_result.hpp"

namespace tunecheck {

struct ProveOptions {
  /// One of the kernel file's sizes; "" for smoke and all others but full.
  std::string size;
  std::string arch;  ///< of the CPU; "" for the backend's default
  std::uint64_t seed = 1;
  int jobs = 0;  ///< compilers and runs at once; 0: one per core
  /// Those of real_device_kinds that are asked for: each must have a device. None: what is here is
  /// run, and GPU sources are compiled where a compiler is, device or not.
  std::vector<DeviceKind> backends;
  /// A tool and its arguments, under which every config is run: when it ends a process with another
  /// status than 0, a config is not right.
  std::vector<std::string> under;
  /// Compile every config for every GPU arch; else only for the main one, and for the others the
  /// first config and the last. A runtime compiler takes its time.
  bool every_gpu_config = true;

  /// The size of the rejections.
  [[nodiscard]] std::string first_size() const { return size.empty() ? "smoke" : size; }
};

/// GPU sources are compiled for these, whatever devices are here; what is not run is said to be
/// only compiled.
struct GpuTarget {
  DeviceKind backend = DeviceKind::cuda;
  std::string arch;
  bool is_main = true;  ///< every config is always compiled for it
};
[[nodiscard]] const std::vector<GpuTarget>& gpu_targets();

[[nodiscard]] Result<ProofResult> prove_kernel(const KernelDefinition& kernel,
                                               const ProveOptions& options);

/// Proves several, as many at once as there are jobs, and hands each result to `ready` in the order
/// of `kernels`; one call of it at a time, from any thread. The first error ends it.
[[nodiscard]] Result<void> prove_kernels(std::span<const KernelDefinition* const> kernels,
                                         const ProveOptions& options,
                                         const std::function<void(const ProofResult&)>& ready);

}  // namespace tunecheck
