#pragma once
// What a person sees while scenarios run: a line for each family once it is done, and for what went
// wrong at once; on a terminal also a line that is rewritten, with what is under way.
#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "reports/terminal/terminal.hpp"
#include "result/verdict.hpp"

namespace tunecheck::cli {

/// One thread at a time. The destructor clears the rewritten line.
class Progress {
 public:
  /// `families`: how many scenarios each of them has. Quiet says nothing, verbose has a line for
  /// each scenario.
  Progress(bool rewrites, Detail detail, std::map<std::string, int> families)
      : m_rewrites(rewrites && detail != Detail::quiet),
        m_detail(detail),
        m_families(std::move(families)) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// "fail reload.x  0.41 s"; "reload    28 of 28, 2 bad, 9.10 s"; rewritten "reload 12 of 28, 2
  /// bad 60 of 150   3.1 s, about 9 s left".
  void scenario(const ScenarioResult& result, int done, int total);
  /// Of an audit, where a mutant's failure is what is wanted: "12 of 120 mutant:no_restore
  /// restore.x 3.1 s", or "fail mutant:no_restore restore.x  0.41 s".
  void audited(const ScenarioResult& result, int done, int total);

 private:
  struct Family {
    int done = 0, bad = 0;
    std::int64_t wall_ns = 0;
  };

  void rewrite(const std::string& text);
  // A line that stays.
  void leave(const std::string& line) const;
  [[nodiscard]] std::int64_t elapsed_ns() const;
  [[nodiscard]] std::string time_left(int done, int total) const;

  bool m_rewrites;
  Detail m_detail;
  std::map<std::string, int> m_families;
  std::map<std::string, Family> m_done;
  std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
};

}  // namespace tunecheck::cli
