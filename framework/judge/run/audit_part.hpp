#pragma once
// One part of an audit that is divided among machines.
#include <optional>
#include <vector>

#include "judge/run/session.hpp"
#include "judge/scenario/shard.hpp"

namespace tunecheck {

/// Which part, and how long scenarios took in an earlier run, with any tuner.
struct AuditPart {
  Shard shard;
  ScenarioTimes times;
};

/// Leaves the tasks of one part, in their order, and says what its result says of the whole. All
/// tasks stay where nothing is divided. An error where there are more parts than tasks.
[[nodiscard]] Result<std::optional<ShardOf>> keep_part(const Catalogue& catalogue,
                                                       const std::optional<AuditPart>& part,
                                                       std::vector<ScenarioTask>& tasks);

}  // namespace tunecheck
