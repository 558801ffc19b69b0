#pragma once
// The words of scenarios about remote caches: the setting `remote`, and the step `remote_values`.
#include "core/info.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// Keys that are not given stay as they are in `choice`.
void read_remote_choice(const InfoNode& node, std::optional<RemoteChoice>& choice,
                        InfoErrors& errors);
[[nodiscard]] RemoteStep read_remote_step(const InfoNode& node, InfoErrors& errors);

}  // namespace tunecheck
