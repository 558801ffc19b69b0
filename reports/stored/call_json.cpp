#include "reports/stored/call_json.hpp"

#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

Json config_json(const ConfigSummary& config) {
  return {{"config", config.config},
          {"is_winner", config.is_winner},
          {"is_default", config.is_default},
          {"failure", config.failure},
          {"median_ns", config.median_ns},
          {"reps", config.reps},
          {"own_median_ns", config.own_median_ns},
          {"own_failure", config.own_failure},
          {"launches", config.launches},
          {"samples_ns", config.samples_ns}};
}

Json event_json(const CallEvent& event) {
  return {
      {"kind", event.kind},           {"at_ns", event.at_ns},           {"wall_ns", event.wall_ns},
      {"config", event.config},       {"count", event.count},           {"failed", event.failed},
      {"differing", event.differing}, {"from_store", event.from_store}, {"text", event.text}};
}

}  // namespace

Json call_json(const CallSummary& call) {
  return {{"number", call.number},
          {"line", call.line},
          {"asked_ns", call.asked_ns},
          {"wall_ns", call.wall_ns},
          {"outcome", call.outcome},
          {"message", call.message},
          {"cache", call.cache},
          {"missed_axes", call.missed_axes},
          {"winner", call.winner},
          {"arch", call.arch},
          {"sizes", call.sizes},
          {"bytes", call.bytes},
          {"flops", call.flops},
          {"compiles", call.compiles},
          {"launches", call.launches},
          {"trial_launches", call.trial_launches},
          {"configs", json_list(call.configs, config_json)},
          {"configs_left_out", call.configs_left_out},
          {"events", json_list(call.events, event_json)},
          {"events_left_out", call.events_left_out}};
}

}  // namespace tunecheck
