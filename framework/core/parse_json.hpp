#pragma once
// JSON that another process or person wrote. The library's parser takes any depth, and what is done
// with the value afterwards (copying, writing, comparing) calls itself once per level: 20,000
// levels end the process. All of tunecheck parses JSON here.
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace tunecheck {

/// Levels of lists and objects; what tunecheck writes has a dozen.
inline constexpr std::size_t json_depth_limit = 100;

inline constexpr std::size_t longest_json_message = 300;

/// Where JSON opens level `depth` + 1; npos where it does not. Exact for what is JSON.
[[nodiscard]] inline std::size_t place_below(std::string_view json, std::size_t depth) {
  std::size_t level = 0;
  bool is_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char letter = json[at];
    if (is_text) {
      if (letter == '\\') ++at;
      if (letter == '"') is_text = false;
    } else if (letter == '"') {
      is_text = true;
    } else if (letter == '{' || letter == '[') {
      if (level++ == depth) return at;
    } else if ((letter == '}' || letter == ']') && level > 0) {
      --level;
    }
  }
  return std::string_view::npos;
}

/// As Json::parse(): throws its parse_error, also for what is too deep, with a message of bounded
/// length. The other arguments are those of Json::parse().
template <class Json = nlohmann::json, class... More>
[[nodiscard]] Json parse_json(std::string_view text, More&&... more) {
  if (const std::size_t at = place_below(text, json_depth_limit); at != text.npos)
    throw Json::parse_error::create(
        101, at + 1,
        "expected at most " + std::to_string(json_depth_limit) + " levels of lists and objects",
        nullptr);
  try {
    return Json::parse(text, std::forward<More>(more)...);
  } catch (const typename Json::parse_error& error) {
    // The library quotes the whole of a word that does not end.
    if (std::string_view(error.what()).size() <= longest_json_message) throw;
    throw Json::parse_error::create(
        error.id, error.byte,
        "syntax error; " + std::string(error.what()).substr(0, longest_json_message) + "...",
        nullptr);
  }
}

/// What the library says is wrong, for people: without the name of its exception, which it puts in
/// front. The text of another exception as it is.
[[nodiscard]] inline std::string json_problem(const std::exception& error) {
  std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  if (text.starts_with("[json.exception.") && end != text.npos) text.remove_prefix(end + 2);
  return std::string(text);
}

/// Discarded where it is no JSON.
template <class Json = nlohmann::json>
[[nodiscard]] Json parse_json_or_discard(std::string_view text) {
  if (place_below(text, json_depth_limit) != text.npos) return Json::value_t::discarded;
  return Json::parse(text, nullptr, false);
}

}  // namespace tunecheck
