#include "reports/fields/json_value.hpp"

#include <algorithm>

#include <fmt/ranges.h>

namespace tunecheck {
namespace {

using Parsed = nlohmann::json;

// What stands for a field that is missing; one that is null is another value.
const Parsed& missing() {
  static const Parsed value;
  return value;
}

// RFC 6901.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char letter : name)
    if (letter == '~')
      text += "~0";
    else if (letter == '/')
      text += "~1";
    else
      text += letter;
  return text;
}

}  // namespace

JsonValue JsonValue::field(const std::string& name) const {
  if (!m_json.is_object()) wrong("an object");
  const auto found = m_json.find(name);
  return {found == m_json.end() ? missing() : *found, m_pointer + "/" + escaped(name)};
}

std::vector<std::string> JsonValue::names() const {
  if (!m_json.is_object()) wrong("an object");
  std::vector<std::string> names;
  for (const auto& [name, value] : m_json.items())
    names.push_back(name);
  return names;
}

std::vector<JsonValue> JsonValue::items() const {
  if (!m_json.is_array()) wrong("a list");
  std::vector<JsonValue> items;
  for (const Parsed& item : m_json)
    items.emplace_back(item, fmt::format("{}/{}", m_pointer, items.size()));
  return items;
}

std::string JsonValue::text() const {
  if (!m_json.is_string()) wrong("text");
  return m_json.get<std::string>();
}

bool JsonValue::truth() const {
  if (!m_json.is_boolean()) wrong("true or false");
  return m_json.get<bool>();
}

double JsonValue::number() const {
  if (!m_json.is_number()) wrong("a number");
  return m_json.get<double>();
}

double JsonValue::number_or(double otherwise) const {
  return exists() || &m_json == &missing() ? number() : otherwise;
}

double JsonValue::amount() const {
  if (!m_json.is_number() || m_json.get<double>() < 0) wrong("a number of at least 0");
  return m_json.get<double>();
}

std::size_t JsonValue::one_of(std::span<const std::string_view> words) const {
  const std::string name = text();
  const auto found = std::find(words.begin(), words.end(), name);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  throw JsonMistake{
      m_pointer, fmt::format("expected {} or {}, found \"{}\"",
                             fmt::join(words.first(words.size() - 1), ", "), words.back(), name)};
}

void JsonValue::wrong(const std::string& expected) const {
  throw JsonMistake{m_pointer, fmt::format("expected {}, found {}", expected,
                                           exists() ? m_json.type_name() : "nothing")};
}

}  // namespace tunecheck
