#pragma once
// Tuning one kernel at the desk: a tuner's choice beside the judge's own measurement of every
// config, the kernel's naive loop and a plain copy.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/device_kinds.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"
#include "harness/process/adapter_info.hpp"
#include "result/kernel_tuning.hpp"

namespace tunecheck {

struct TuneOptions {
  const AdapterInfo* adapter = nullptr;
  DeviceKind backend = DeviceKind::cpu;
  std::string size = "smoke";
  std::size_t variant = 0;      ///< of dtypes
  std::string arch = "native";  ///< people tune for the machine they have
  std::uint64_t seed = 1;
  int jobs = 0;    ///< compilers at once; 0: one per core
  int rounds = 3;  ///< every config is measured so often, in turn
  /// Measures the winner, the default and a copy alone: all others would take most of the time.
  bool only_winner = false;
};

/// The error is the judge's own: no adapter, no compiler, no room. What the tuner did wrong is in
/// the result.
[[nodiscard]] Result<KernelTuning> tune_kernel(const KernelDefinition& kernel,
                                               const TuneOptions& options);

}  // namespace tunecheck
