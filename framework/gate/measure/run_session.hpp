#pragma once
// Runs the processes that a session asks for and keeps what they gave.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

/// How processes are really slowed down.
namespace slowed_by {
inline constexpr std::string_view work = "work";      ///< a library in the process works more
inline constexpr std::string_view stops = "stops";    ///< the process is stopped again and again
inline constexpr std::string_view launch = "launch";  ///< the runner spends longer in each launch
inline constexpr std::string_view answer = "answer";  ///< the judge takes the answer late
inline constexpr std::string_view loop = "loop";      ///< the kernel has a loop, on a GPU
}  // namespace slowed_by

/// A benchmark with the way to run it.
struct Runnable {
  Subject subject;
  Role role = Role::measured;
  /// Runs one fresh process of a side, in pair `number` from 0 of this benchmark, really slowed
  /// down where asked to. The error is the judge's own trouble and ends the session; how the
  /// process failed is in its result.
  std::function<Result<ProcessRun>(Side side, std::size_t number, bool is_slowed)> run;
  std::string slowed_by = {};  ///< one of the above; "" where it cannot be slowed down
  CanaryOf canary_of = {};
  /// What a slowed canary of it runs for both of its sides, if that is not what `run` does for the
  /// base: where slowing down needs another program, the side that is not slowed has a like one.
  std::function<Result<ProcessRun>(std::size_t number, bool is_slowed)> as_slowed_canary = {};
};

/// The canary in which nothing differs: `of`, which runs the same build for both sides. Its name is
/// "canary/same" and what follows.
[[nodiscard]] Runnable same_canary(Runnable of, const std::string& name);
/// The canary that is slowed down, with the processes of the base alone: of the first benchmark
/// that can be slowed down, or of `otherwise`, which can.
[[nodiscard]] Runnable slowed_canary(const Runnable& otherwise,
                                     const std::vector<Runnable>& runnables);
/// `of` with the processes of the base for both sides.
[[nodiscard]] Runnable of_base_alone(Runnable of);

struct SessionHooks {
  /// Given the result before the first pair, after each, and at the end. An error ends the session.
  std::function<Result<void>(const GateResult&)> so_far;
  /// Fills in what is counted in the processes, before the session is concluded.
  std::function<void(GateResult&)> count;
};

/// Runs the session whose seed and settings are in `result`, and fills in benchmarks, answer and
/// reason. Pairs that are in `result` already, of the same benchmarks, are taken from there: that
/// resumes a session. The error is the judge's own, and then `result` is as it was when it came.
[[nodiscard]] Result<void> run_session(const std::vector<Runnable>& runnables,
                                       const SessionHooks& hooks, GateResult& result);

}  // namespace tunecheck::gate
