#pragma once
// One run divided among machines.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "judge/scenario/catalogue.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// Part `number` of `count`, from 1.
struct Shard {
  int number = 1;
  int count = 1;
  auto operator<=>(const Shard&) const = default;
};

/// "3/16". An error says what was expected.
[[nodiscard]] Result<Shard> parse_shard(std::string_view text);

/// The value of a variable, or null.
using Variable = std::function<const char*(const char* name)>;

/// What a scheduler has said in the environment, the first of:
///   TUNECHECK_SHARD ("3/16");
///   SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, ..._MIN and ..._STEP
///   (slurm.schedmd.com/job_array.html); CI_NODE_INDEX with CI_NODE_TOTAL (GitLab, `parallel`);
///   JOB_COMPLETION_INDEX (Kubernetes, an indexed Job), which needs TUNECHECK_SHARDS: the number of
///   all.
/// None where it says nothing; an error where it says half of it.
[[nodiscard]] Result<std::optional<Shard>> shard_of_environment(const Variable& variable);

/// How long each scenario took, by name, in ns.
using ScenarioTimes = std::map<std::string, std::int64_t>;

/// How long each will take, in ns, in their order. The cost (cost_of()) of a scenario without a
/// time is taken for one, in the proportion that those with a time have.
[[nodiscard]] std::vector<double> expected_times(const Catalogue& catalogue,
                                                 const std::vector<const Scenario*>& scenarios,
                                                 const ScenarioTimes& times);

/// Which of the things that take so long, in any unit, are one part's, ascending. Parts take about
/// as long: the longest goes first, each to the part that has least. The same on each machine that
/// is given the same. A part may have none, where there are more parts than things.
[[nodiscard]] std::vector<std::size_t> part_of(const std::vector<double>& times,
                                               const Shard& shard);

/// An error where there are more parts than scenarios.
[[nodiscard]] Result<void> check_enough_for(const Shard& shard, std::size_t scenarios);

/// The scenarios of one part, in their order.
[[nodiscard]] std::vector<const Scenario*> shard_of(const Catalogue& catalogue,
                                                    const std::vector<const Scenario*>& scenarios,
                                                    const Shard& shard, const ScenarioTimes& times);

/// What tells for a result of one part which parts belong to it. `names` are those of all that is
/// divided, in their order.
[[nodiscard]] ShardOf describe_shard(const Shard& shard, const std::vector<std::string>& names);
[[nodiscard]] ShardOf describe_shard(const Shard& shard,
                                     const std::vector<const Scenario*>& scenarios);

}  // namespace tunecheck
