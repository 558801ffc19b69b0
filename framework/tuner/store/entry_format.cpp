#include "tuner/store/entry_format.hpp"

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"
#include "tuner/store/sealed_text.hpp"
#include "tuner/trial/trial_format.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;

constexpr std::string_view first_word = "tunecheck-entry-2 ";
static_assert(entry_format == 2);

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

// Entries of earlier releases do not say it: as many configs as they have trials.
SearchedWith searched_with(const Json& body, std::size_t trials) {
  SearchedWith searched;
  searched.configs = static_cast<std::int64_t>(trials);
  const auto found = body.find("searched");
  if (found == body.end()) return searched;
  searched.configs = found->at("configs").get<std::int64_t>();
  searched.time = std::chrono::nanoseconds(found->at("time_ns").get<std::int64_t>());
  searched.words = found->at("with").get<std::string>();
  return searched;
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
  entry.searched = searched_with(body, entry.trials.size());
  return entry;
}

}  // namespace

bool is_entry_file(const std::filesystem::path& path) {
  return path.extension() == ".json";
}

std::string to_json_text(const Entry& entry) {
  Json key = Json::object();
  for (const KeyValue& value : entry.key.values())
    if (value.value) key[value.axis] = *value.value;
  Json trials = Json::array();
  for (const Trial& trial : entry.trials)
    trials.push_back(trial_to_json(trial));
  const Json body = {
      {"key", key},
      {"winner", entry.winner},
      {"artifact", {{"sha256", entry.artifact_digest}, {"bytes", entry.artifact_bytes}}},
      {"trials", trials},
      {"created_ns", entry.created_ns},
      {"tuner_version", entry.tuner_version},
      {"searched",
       {{"configs", entry.searched.configs},
        {"time_ns", entry.searched.time.count()},
        {"with", entry.searched.words}}}};
  return std::string(first_word) + sealed(dump(body) + "\n");
}

Result<Entry> parse_entry(std::string_view text) {
  try {
    if (!text.starts_with(first_word))
      return failure("the entry has a format other than {}", entry_format);
    const auto content = unsealed(text.substr(first_word.size()));
    if (!content) return failure("the digest of the entry does not match its content");
    return entry_from(parse_json<Json>(*content));
  } catch (const Json::exception& error) {
    return failure("the entry is damaged: {}", json_problem(error));
  }
}

}  // namespace tunecheck
