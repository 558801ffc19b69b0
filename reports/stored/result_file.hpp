#pragma once
// result.json while a run goes on: whatever ends the run leaves what was found until then, and
// never the result of an earlier run.
#include <chrono>
#include <filesystem>

#include "core/result.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// One thread at a time.
class ResultFile {
 public:
  /// In a folder that is made where it is missing.
  explicit ResultFile(std::filesystem::path file) : m_file(std::move(file)) {}

  /// Replaces the file at first, where nothing can be run, and when it has been a while: so long
  /// that writing takes no more than a twentieth of the time.
  [[nodiscard]] Result<void> update(const RunResult& so_far);

 private:
  std::filesystem::path m_file;
  std::chrono::steady_clock::time_point m_next{};
};

}  // namespace tunecheck
