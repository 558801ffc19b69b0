#include "core/config.hpp"

#include "core/parsed_expression.hpp"
#include "core/text.hpp"

namespace tunecheck {

std::string to_string(const Config& config) {
  std::string text;
  for (const auto& [name, value] : config)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

Result<Config> parse_config(std::string_view text) {
  Config config;
  for (const std::string& word : split_words(text)) {
    const std::size_t equals = word.find('=');
    const auto value = equals == word.npos ? std::nullopt : parse_integer(word.substr(equals + 1));
    if (!value || !is_identifier(word.substr(0, equals)))
      return failure(ErrorKind::bad_input,
                     "expected a config like \"block=256,vec=4\", found \"{}\"", text);
    config[word.substr(0, equals)] = *value;
  }
  return config;
}

std::vector<std::string> names_of(const Config& config) {
  std::vector<std::string> names;
  for (const auto& [name, value] : config)
    names.push_back(name);
  return names;
}

std::vector<double> values_of(const Config& config) {
  std::vector<double> values;
  values.reserve(config.size());
  for (const auto& [name, value] : config)
    values.push_back(static_cast<double>(value));
  return values;
}

Result<std::vector<Config>> SpaceDefinition::enumerate(const Variables& sizes) const {
  std::size_t combinations = 1;
  for (const Parameter& parameter : parameters) {
    combinations *= parameter.values.size();
    if (combinations > most_combinations)
      return failure(ErrorKind::bad_input,
                     "the space has more than {} combinations; expected at most as many",
                     most_combinations);
  }
  std::vector<Config> configs = {{}};
  for (const Parameter& parameter : parameters) {
    std::vector<Config> longer;
    for (const Config& config : configs)
      for (const std::int64_t value : parameter.values) {
        longer.push_back(config);
        longer.back()[parameter.name] = value;
      }
    configs = std::move(longer);
  }
  if (configs.empty() || parameters.empty())
    return failure(ErrorKind::bad_input,
                   "the space is empty; expected at least one parameter with at least one value");
  if (where.empty()) return configs;
  std::vector<Config> allowed;
  ParsedExpression condition(where, sizes, names_of(configs.front()));
  for (Config& config : configs) {
    TUNECHECK_TRY(const double holds, condition.evaluate(values_of(config)));
    if (holds != 0) allowed.push_back(std::move(config));
  }
  if (allowed.empty())
    return failure(ErrorKind::bad_input,
                   "\"{}\" excludes all {} configs; expected at least one that remains", where,
                   configs.size());
  return allowed;
}

}  // namespace tunecheck
