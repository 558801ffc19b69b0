#pragma once
// Programs of Google Benchmark, and the JSON that they write, as the two sides of a session.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

struct ProgramOptions {
  std::filesystem::path base, head;
  std::string filter;                                     ///< as --benchmark_filter; all if ""
  std::vector<std::string> arguments;                     ///< passed on to both
  std::filesystem::path out;                              ///< takes what processes write
  std::function<Result<void>(const GateResult&)> so_far;  ///< see SessionHooks
};

/// A session between two programs: each process measures one benchmark. The processes of the slowed
/// canary are stopped for a share of the time. The error is a program that cannot list its
/// benchmarks, or the gate's own trouble.
[[nodiscard]] Result<void> compare_programs(const ProgramOptions& options, GateResult& result);

/// What can be said from files alone: file i of the base with file i of the head is a pair. Nobody
/// drew their order, and there are no canaries. A benchmark for which there are too few pairs is
/// inconclusive. The error has the file that cannot be read.
[[nodiscard]] Result<void> compare_recordings(const std::vector<std::filesystem::path>& base,
                                              const std::vector<std::filesystem::path>& head,
                                              GateResult& result);

}  // namespace tunecheck::gate
