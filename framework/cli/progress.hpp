#pragma once
// What a person sees while scenarios run: one line that is rewritten on a terminal, else a line
// each.
#include <chrono>
#include <string>
#include <string_view>

#include "judge/verdict.hpp"

namespace tunecheck::cli {

/// One thread at a time. The destructor clears the rewritten line.
class Progress {
 public:
  explicit Progress(bool rewrites) : m_rewrites(rewrites) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// "12 of 28, 2 bad   reload   3.1 s", or "pass reload.x  0.41 s".
  void scenario(const ScenarioResult& result, int done, int total);
  /// The same for an audit, where a mutant's failure is what is wanted: "12 of 120
  /// mutant:no_restore restore.x   3.1 s", or "fail mutant:no_restore restore.x  0.41 s".
  void audited(const ScenarioResult& result, int done, int total);

 private:
  void rewrite(const std::string& text);
  [[nodiscard]] std::int64_t elapsed_ns() const;

  bool m_rewrites;
  int m_bad = 0;
  std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
};

}  // namespace tunecheck::cli
