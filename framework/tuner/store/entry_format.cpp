#include "tuner/store/entry_format.hpp"

#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/parse_json.hpp"
#include "tuner/trial/trial_format.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Entry entry_from(const Json& body) {
  Entry entry;
  std::vector<KeyValue> values;
  for (const auto& [axis, value] : body.at("key").items())
    values.push_back({axis, value.get<std::string>(), false});
  entry.key = Key(std::move(values));
  entry.winner = body.at("winner").get<Config>();
  entry.artifact_digest = body.at("artifact").at("sha256").get<std::string>();
  entry.artifact_bytes = body.at("artifact").at("bytes").get<std::uint64_t>();
  for (const Json& trial : body.at("trials"))
    entry.trials.push_back(trial_from_json(trial));
  entry.created_ns = body.at("created_ns").get<std::int64_t>();
  entry.tuner_version = body.at("tuner_version").get<std::string>();
  return entry;
}

}  // namespace

std::string to_json_text(const Entry& entry) {
  Json key = Json::object();
  for (const KeyValue& value : entry.key.values())
    if (value.value) key[value.axis] = *value.value;
  Json trials = Json::array();
  for (const Trial& trial : entry.trials)
    trials.push_back(trial_to_json(trial));
  const Json body = {
      {"format", entry_format},
      {"key", key},
      {"winner", entry.winner},
      {"artifact", {{"sha256", entry.artifact_digest}, {"bytes", entry.artifact_bytes}}},
      {"trials", trials},
      {"created_ns", entry.created_ns},
      {"tuner_version", entry.tuner_version}};
  return dump({{"digest", key_digest(dump(body, -1))}, {"body", body}}, 1) + "\n";
}

Result<Entry> parse_entry(std::string_view text) {
  try {
    const Json json = parse_json<Json>(text);
    const Json& body = json.at("body");
    if (json.at("digest") != key_digest(dump(body, -1)))
      return failure("the digest of the entry does not match its content");
    if (body.at("format") != entry_format)
      return failure("the entry has a format other than {}", entry_format);
    return entry_from(body);
  } catch (const Json::exception& error) {
    return failure("the entry is damaged: {}", error.what());
  }
}

}  // namespace tunecheck
