#pragma once
// How often sessions on real machines were right: their table, and what they are to reach.
#include <cstddef>
#include <string>
#include <vector>

#include "gate/rule/real_session.hpp"

namespace tunecheck::gate {

/// What else a session's machine did.
enum class Surroundings {
  idle,     ///< nothing worth mentioning
  other,    ///< something that nobody started for the session
  loaded,   ///< every core was kept busy on purpose
  at_once,  ///< further sessions, with or without more load
};

/// More than this many CPUs at other work, on average, is no idle machine.
inline constexpr double idle_work = 0.1;

[[nodiscard]] Surroundings surroundings(const RealSession& session);
/// "3 sessions at once, every core busy".
[[nodiscard]] std::string describe_surroundings(const RealSession& session);

/// Sessions that differ only in chance.
struct RealRow {
  SessionKind kind;  ///< of the first; builds may differ
  std::string surroundings;
  std::size_t sessions = 0;
  std::vector<std::size_t> answers = std::vector<std::size_t>(5);  ///< by Answer
  std::size_t benchmarks = 0, slower = 0, faster = 0;              ///< of all sessions together
  double pairs = 0, seconds = 0, other_work = 0, elsewhere = 0;    ///< on average
  double would_find = 0;  ///< the median; infinite where half of the sessions say none

  [[nodiscard]] std::size_t of(Answer answer) const {
    return answers.at(static_cast<std::size_t>(answer));
  }
};

/// In the order of machine, question, surroundings and the head's slowdown.
[[nodiscard]] std::vector<RealRow> real_rows(const std::vector<RealSession>& sessions);

/// False alarms may be one in this many sessions of equal builds, and one in all.
inline constexpr std::size_t sessions_per_false_alarm = 200;

/// From fewer sessions no rate is concluded.
inline constexpr std::size_t sessions_for_a_rate = 100;

enum class GoalState { kept, broken, open };
struct Goal {
  std::string text;
  GoalState state = GoalState::open;  ///< open where there are too few sessions
};

/// What the rates are to reach; of goals for which no session was played, nothing is said.
[[nodiscard]] std::vector<Goal> real_goals(const std::vector<RealSession>& sessions);

}  // namespace tunecheck::gate
