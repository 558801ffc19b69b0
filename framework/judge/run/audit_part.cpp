#include "judge/run/audit_part.hpp"

#include <fmt/format.h>

namespace tunecheck {

Result<std::optional<ShardOf>> keep_part(const Catalogue& catalogue,
                                         const std::optional<AuditPart>& part,
                                         std::vector<ScenarioTask>& tasks) {
  if (!part) return std::optional<ShardOf>();
  TUNECHECK_CHECK(check_enough_for(part->shard, tasks.size()));
  std::vector<std::string> names;
  std::vector<const Scenario*> scenarios;
  for (const ScenarioTask& task : tasks) {
    names.push_back(fmt::format("{} {}", task.adapter->name, task.scenario->name));
    scenarios.push_back(task.scenario);
  }
  const std::vector<double> times = expected_times(catalogue, scenarios, part->times);
  std::vector<ScenarioTask> mine;
  for (const std::size_t index : part_of(times, part->shard))
    mine.push_back(tasks[index]);
  tasks = std::move(mine);
  return std::optional(describe_shard(part->shard, names));
}

}  // namespace tunecheck
