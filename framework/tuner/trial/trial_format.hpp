#pragma once
// One trial as JSON, as entries and journals hold it. docs/cache-format.md has the format.
#include <nlohmann/json_fwd.hpp>

#include "tuner/trial/trial.hpp"

namespace tunecheck {

[[nodiscard]] nlohmann::json trial_to_json(const Trial& trial);
/// Throws nlohmann::json::exception where the JSON is no trial.
[[nodiscard]] Trial trial_from_json(const nlohmann::json& json);

}  // namespace tunecheck
