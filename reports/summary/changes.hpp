#pragma once
// What is otherwise in a run than in the run it is compared with.
#include <span>
#include <string>
#include <vector>

#include "result/verdict.hpp"

namespace tunecheck {

/// By name. The scenarios live as long as the run.
struct Changes {
  std::vector<const ScenarioResult*> broken;   ///< bad now, and had a verdict that was not bad
  std::vector<const ScenarioResult*> unasked;  ///< bad now; the base had no verdict about them: it
                                               ///< did not come to them, or they are new
  std::vector<const ScenarioResult*> mended;   ///< were bad, and are not
  std::vector<const ScenarioResult*> others;   ///< another verdict, neither of them bad
  std::vector<std::string> added;              ///< that were not in the base, and are not bad
  std::vector<std::string> gone;               ///< that are in the base alone
  std::vector<const ScenarioResult*> as_bad;   ///< bad now as they were
};

/// The run of the same adapter on the same kind of device, whatever its version; null if there is
/// none.
[[nodiscard]] const RunResult* base_of(const RunResult& run, std::span<const RunResult> base);

[[nodiscard]] Changes changes_between(const RunResult& base, const RunResult& run);

}  // namespace tunecheck
