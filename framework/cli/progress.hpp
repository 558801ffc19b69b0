#pragma once
// What a person sees while scenarios run: a line for each family once it is done, and for what went
// wrong at once; on a terminal also a line that is rewritten each second, with what is under way.
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "reports/terminal/terminal.hpp"
#include "result/verdict.hpp"

namespace tunecheck::cli {

/// The line ticks in a thread of its own, so that somebody who waits for one slow scenario sees
/// which one it is, and that time goes by. Any thread may call. The destructor ends the thread and
/// clears the line.
class Progress {
 public:
  /// `families`: how many scenarios each of them has. Quiet says nothing, verbose has a line for
  /// each scenario.
  Progress(bool rewrites, Detail detail, std::map<std::string, int> families);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A scenario is under way.
  void begun(const std::string& name);
  /// "fail reload.x  0.41 s"; "reload    28 of 28, 2 bad, 9.10 s"; rewritten "60 of 150, 2 bad   31
  /// s, about 9 s left   reload.y 4 s, faults.z".
  void scenario(const ScenarioResult& result, int done, int total);
  /// Of an audit, where a mutant's failure is what is wanted: "12 of 120 mutant:no_restore
  /// restore.x 3.1 s", or "fail mutant:no_restore restore.x  0.41 s".
  void audited(const ScenarioResult& result, int done, int total);

 private:
  using Clock = std::chrono::steady_clock;
  struct Family {
    int done = 0, bad = 0;
    std::int64_t wall_ns = 0;
  };
  struct UnderWay {
    std::string name;
    Clock::time_point since;
  };

  void tick(const std::stop_token& stop);
  void end(const std::string& name);
  // With m_mutex held.
  void rewrite() const;
  // A line that stays.
  void leave(const std::string& line) const;
  [[nodiscard]] std::int64_t elapsed_ns() const;
  [[nodiscard]] std::string under_way() const;
  [[nodiscard]] std::string time_left(int done, int total) const;

  bool m_rewrites;
  Detail m_detail;
  std::map<std::string, int> m_families;
  std::map<std::string, Family> m_by_family;
  int m_done = 0, m_total = 0, m_bad = 0;
  std::vector<UnderWay> m_under_way;  // the longest first
  Clock::time_point m_started = Clock::now();
  std::mutex m_mutex;
  std::condition_variable_any m_ended;
  std::jthread m_ticking;  // last: it uses the others
};

}  // namespace tunecheck::cli
