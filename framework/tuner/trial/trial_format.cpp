#include "tuner/trial/trial_format.hpp"

#include <nlohmann/json.hpp>

namespace tunecheck {

nlohmann::json trial_to_json(const Trial& trial) {
  nlohmann::json json = {{"config", trial.config}};
  if (!trial.failure.empty()) {
    json["failure"] = trial.failure;
    return json;
  }
  json["median_ns"] = trial.median_ns;
  json["low_ns"] = trial.low_ns;
  json["high_ns"] = trial.high_ns;
  json["reps"] = trial.reps;
  return json;
}

Trial trial_from_json(const nlohmann::json& json) {
  return {json.at("config").get<Config>(), json.value("failure", std::string()),
          json.value("median_ns", 0.0),    json.value("low_ns", 0.0),
          json.value("high_ns", 0.0),      json.value("reps", 0)};
}

}  // namespace tunecheck
