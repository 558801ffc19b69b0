#pragma once
// Runs of what Google Benchmark wrote.
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/history/run.hpp"

namespace tunecheck::history {

/// A file's path and what is in it.
struct SourceFile {
  std::string file;
  std::string text;
};

/// One run of these files, at least one: each is of a process of the same program on the same
/// machine, and gives every benchmark one value, the median of its repetitions' real times. A
/// benchmark need not be in every file. Values are nanoseconds. An error names the file: no JSON,
/// a benchmark that failed, conditions that differ between the files.
[[nodiscard]] Result<MeasuredRun> read_google_benchmark(const std::vector<SourceFile>& files);

}  // namespace tunecheck::history
