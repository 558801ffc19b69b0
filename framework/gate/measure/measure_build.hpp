#pragma once
// One build alone, for a session whose base is a stored run.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/measure/build.hpp"
#include "gate/measure/kernel_benchmarks.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

struct MeasureOptions {
  Build build;
  std::vector<CaseName> cases;                             ///< that the build has
  std::function<bool(const std::string& name)> is_wanted;  ///< of a benchmark by its name
  std::size_t tunings = 5;                           ///< of each case, before anything is measured
  std::size_t processes = 20;                        ///< of each benchmark
  std::filesystem::path out;                         ///< see make_bench()
  std::function<void(const std::string&)> progress;  ///< one line of what is going on
  std::function<Result<void>(const GateResult&)> so_far;  ///< after each process
};

/// Measures the head of `result`, which has seed, settings and backend: benchmarks get records with
/// one process of the head each, in rounds of one process of each benchmark in an order drawn by
/// lot, and counts those of the head. One whose process fails gets no further ones; where the build
/// cannot tune, each of its benchmarks has that failure. Nothing has a finding yet. The error is
/// the judge's own trouble.
[[nodiscard]] Result<void> measure_build(const MeasureOptions& options, GateResult& result);

}  // namespace tunecheck::gate
