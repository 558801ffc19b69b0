#pragma once
// What is measured and counted of one build with one kernel at one size, and what it is called.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_kinds.hpp"
#include "core/result.hpp"
#include "gate/measure/kernel_side.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

/// What is timed, in the order of reports, each with its meaning in one sentence.
struct Metric {
  std::string_view name, meaning;
};
[[nodiscard]] const std::vector<Metric>& metrics();

/// A kernel at a size on a backend.
struct CaseName {
  std::string kernel, size;
  DeviceKind backend = DeviceKind::cpu;
};
/// "rmsnorm/smoke/cpu".
[[nodiscard]] std::string case_name(const CaseName& name);
/// Its name is "rmsnorm/smoke/cpu/warm_start".
[[nodiscard]] Subject subject_of(const CaseName& name, std::string_view metric,
                                 const std::string& unit);

/// Why processes of this side cannot give a metric of metrics(); "" where they can.
[[nodiscard]] std::string why_not(const KernelSide& side, std::string_view metric);
/// How it is slowed down, see run_session.hpp; "" where it cannot be, as a launch on HIP.
[[nodiscard]] std::string_view how_slowed(std::string_view metric, DeviceKind backend);
/// Runs one fresh process for a metric of metrics(), as the functions of KernelSide do.
[[nodiscard]] Result<ProcessRun> measure(KernelSide& side, std::string_view metric,
                                         std::size_t number, bool is_slowed);

/// How often tunings of each side chose what, and the config that won most often, the first by name
/// of several. Both sides are tuned.
[[nodiscard]] WinnerChange winners_of(const CaseName& name, const KernelSide& base,
                                      const KernelSide& head);

/// One of each tuning, or of each warm start so far.
struct Counted {
  Subject subject;
  std::vector<std::int64_t> counts;
};
/// The same counts in the same order of each side.
[[nodiscard]] std::vector<Counted> counts_of(const KernelSide& side, const CaseName& name);
/// The metric in whose processes is counted what counts_of() calls `count`; "" where that is
/// counted in tunings.
[[nodiscard]] std::string_view metric_that_counts(std::string_view count);

/// What all sides of the session share: work folders go to out/work, what is compiled to `store`,
/// or to out/compile-store where that is "". Chooses the CPU, and says in `result.pinning` which
/// one.
[[nodiscard]] Result<Bench> make_bench(const std::filesystem::path& out, GateResult& result,
                                       std::filesystem::path store = {});

}  // namespace tunecheck::gate
