#include "observe/spy_settings.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"

namespace tunecheck {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array<std::string_view, 6> modes = {"pass",     "poisoned", "slow",
                                                   "crashing", "rebuilt",  "lingering"};

}  // namespace

std::string spy_modes() {
  return fmt::format("{}", fmt::join(modes, ", "));
}

bool is_spy_mode(std::string_view mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

std::filesystem::path spy_settings_file(const std::filesystem::path& link) {
  return link.string() + ".spy.json";
}

std::string to_text(const SpySettings& settings) {
  const Json json = {{"real_compiler", settings.real_compiler.string()},
                     {"mode", settings.mode},
                     {"evidence", settings.evidence.string()},
                     {"store", settings.store.string()},
                     {"workspace", settings.workspace.string()},
                     {"version_suffix", settings.version_suffix},
                     {"delay_ms", settings.delay_ms},
                     {"programs", settings.programs.string()},
                     {"environment", settings.environment}};
  return json.dump(2) + '\n';
}

Result<SpySettings> read_spy_settings(const std::filesystem::path& file) {
  TUNECHECK_TRY(const std::string text, read_text_file(file));
  try {
    const Json json = parse_json<Json>(text);
    SpySettings settings;
    settings.real_compiler = json.at("real_compiler").get<std::string>();
    settings.mode = json.at("mode").get<std::string>();
    settings.evidence = json.at("evidence").get<std::string>();
    settings.store = json.at("store").get<std::string>();
    settings.workspace = json.at("workspace").get<std::string>();
    settings.version_suffix = json.at("version_suffix").get<std::string>();
    settings.delay_ms = json.at("delay_ms").get<int>();
    settings.programs = json.at("programs").get<std::string>();
    settings.environment = json.at("environment").get<std::map<std::string, std::string>>();
    if (!is_spy_mode(settings.mode))
      return failure(Error{ErrorKind::untrusted,
                           "unknown mode; expected one of: " + spy_modes(),
                           file.string(),
                           0,
                           {}});
    return settings;
  } catch (const Json::exception& error) {
    return failure(Error{ErrorKind::untrusted,
                         std::string("not the settings of a spy: ") + json_problem(error),
                         file.string(),
                         0,
                         {}});
  }
}

}  // namespace tunecheck
