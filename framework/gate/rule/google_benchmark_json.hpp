#pragma once
// What a program of Google Benchmark writes with --benchmark_format=json or --benchmark_out.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/rule/pair.hpp"

namespace tunecheck::gate {

/// What one process wrote. Times are ns, by the program's own clock; whether they can be used is
/// for others to say.
struct GoogleBenchmarkRun {
  std::map<std::string, std::string> context;  ///< its facts; what is no string is JSON
  std::vector<std::string> names;              ///< in the program's order, without repetitions
  /// Real time of an iteration, one sample per repetition, and its CPU time where the program says
  /// it and the benchmark was not told to go by another time. One that failed or was skipped says
  /// why.
  std::map<std::string, ProcessRun> times;
  std::map<std::string, int> lines;  ///< of the file, where each name is first
};

/// Whether the CPU time of a benchmark of this name is that of the thread that runs it, and its
/// author has asked for no other time.
[[nodiscard]] bool is_about_cpu_time(const std::string& name);

/// Whether it is JSON with a "context" and "benchmarks".
[[nodiscard]] bool is_google_benchmark(const std::string& text);

/// `text` is the content of `file`, of which at least one repetition of a benchmark is expected.
/// Aggregates are left out: they are computed from the others. The error has the file, and the line
/// of the benchmark or of what is no JSON.
[[nodiscard]] Result<GoogleBenchmarkRun> parse_google_benchmark(const std::string& text,
                                                                const std::filesystem::path& file);

}  // namespace tunecheck::gate
