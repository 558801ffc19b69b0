#include "reports/stored/call_reader.hpp"

namespace tunecheck {
namespace {

ConfigSummary config_from(const JsonValue& json) {
  ConfigSummary config;
  config.config = json.field("config").text();
  config.is_winner = json.field("is_winner").truth();
  config.is_default = json.field("is_default").truth();
  config.failure = json.field("failure").text();
  config.median_ns = json.field("median_ns").amount();
  config.reps = json.field("reps").whole<int>();
  config.own_median_ns = json.field("own_median_ns").amount();
  config.own_failure = json.field("own_failure").text();
  config.launches = json.field("launches").count();
  for (const JsonValue& sample : json.field("samples_ns").items())
    config.samples_ns.push_back(sample.count());
  return config;
}

CallEvent event_from(const JsonValue& json) {
  CallEvent event;
  event.kind = json.field("kind").text();
  event.at_ns = json.field("at_ns").count();
  event.wall_ns = json.field("wall_ns").count();
  event.config = json.field("config").text();
  event.count = json.field("count").count();
  event.failed = json.field("failed").count();
  event.differing = json.field("differing").count();
  event.from_store = json.field("from_store").truth();
  event.text = json.field("text").text();
  return event;
}

}  // namespace

CallSummary call_from(const JsonValue& json) {
  CallSummary call;
  call.number = json.field("number").whole<int>();
  call.line = json.field("line").whole<int>();
  call.asked_ns = json.field("asked_ns").count();
  call.wall_ns = json.field("wall_ns").count();
  call.outcome = json.field("outcome").text();
  call.message = json.field("message").text();
  call.cache = json.field("cache").text();
  call.missed_axes = json.field("missed_axes").texts_or_none();
  call.winner = json.field("winner").text();
  call.arch = json.field("arch").text();
  const JsonValue sizes = json.field("sizes");
  for (const std::string& name : sizes.names())
    call.sizes[name] = sizes.field(name).whole<std::int64_t>();
  call.bytes = json.field("bytes").amount();
  call.flops = json.field("flops").amount();
  call.compiles = json.field("compiles").count();
  call.launches = json.field("launches").count();
  call.trial_launches = json.field("trial_launches").count();
  for (const JsonValue& config : json.field("configs").items())
    call.configs.push_back(config_from(config));
  call.configs_left_out = json.field("configs_left_out").count();
  for (const JsonValue& event : json.field("events").items())
    call.events.push_back(event_from(event));
  call.events_left_out = json.field("events_left_out").count();
  return call;
}

}  // namespace tunecheck
