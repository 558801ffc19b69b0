#include "harness/remote/remote_command.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <optional>

namespace tunecheck {
namespace {

constexpr std::string_view line_end = "\r\n";

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  const auto equal = [](char a, char b) { return (a & ~0x20) == b; };
  return std::any_of(words.begin(), words.end(), [&](std::string_view each) {
    return std::equal(word.begin(), word.end(), each.begin(), each.end(), equal);
  });
}

// "*3\r\n": takes the line off `bytes`; nothing where it is another one, or not whole.
std::optional<std::size_t> take_number(std::string_view& bytes, char kind) {
  if (bytes.empty() || bytes.front() != kind) return std::nullopt;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(bytes.data() + 1, bytes.data() + bytes.size(), number);
  const std::string_view rest = bytes.substr(static_cast<std::size_t>(end - bytes.data()));
  if (error != std::errc() || !rest.starts_with(line_end)) return std::nullopt;
  bytes = rest.substr(line_end.size());
  return number;
}

std::optional<std::string_view> take_word(std::string_view& bytes) {
  const auto length = take_number(bytes, '$');
  if (!length || *length > bytes.size() || bytes.size() - *length < line_end.size())
    return std::nullopt;
  const std::string_view word = bytes.substr(0, *length);
  bytes.remove_prefix(*length + line_end.size());
  return word;
}

}  // namespace

bool asks_for_a_value(std::string_view bytes) {
  if (bytes.starts_with("GET ") || bytes.starts_with("HEAD ")) return true;
  while (const auto words = take_number(bytes, '*')) {
    for (std::size_t i = 0; i < *words; ++i) {
      const auto word = take_word(bytes);
      if (!word) return false;
      if (i == 0 && is_one_of(*word, {"GET", "MGET", "GETEX", "GETRANGE", "HGET", "HMGET",
                                      "HGETALL", "EXISTS", "STRLEN"}))
        return true;
    }
  }
  return false;
}

}  // namespace tunecheck
