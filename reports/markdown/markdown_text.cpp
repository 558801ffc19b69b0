#include "reports/markdown/markdown_text.hpp"

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view special = "\\`*_[]<>#|~&@$";
constexpr std::string_view zero_width_space = "\xe2\x80\x8b";

bool is_letter_or_digit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z');
}

// Within a word it means nothing, and names are full of it.
bool is_underscore_in_word(std::string_view text, std::size_t at) {
  return text[at] == '_' && at > 0 && at + 1 < text.size() && is_letter_or_digit(text[at - 1]) &&
         is_letter_or_digit(text[at + 1]);
}

bool is_digit(std::string_view line, std::size_t at) {
  return at < line.size() && line[at] >= '0' && line[at] <= '9';
}

// GitHub makes links and pictures of words in what is already HTML: of "GH-5", of the address of an
// issue, which then says that somebody mentions it, and of ":tada:". A blank without width behind
// this letter ends the word.
bool begins_reference(std::string_view line, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  switch (line[at]) {
    case '@':
    case '#':
      return true;
    case '-':
      return (before.ends_with("GH") || before.ends_with("gh")) && is_digit(line, at + 1);
    case '/':
      return is_digit(line, at + 1) && (before.ends_with("/issues") || before.ends_with("/pull") ||
                                        before.ends_with("/discussions"));
    case ':': {
      const std::size_t end =
          line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_+-", at + 1);
      const bool is_time = end != line.npos && end - at <= 3 && is_digit(line, at + 1);
      return end != line.npos && end > at + 1 && line[end] == ':' && !is_time;
    }
    default:
      return false;
  }
}

std::string referenced(std::string_view text, std::size_t most, bool is_prose) {
  const std::string line = shortened(printable_line(text), most);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (special.find(letter) == special.npos || is_underscore_in_word(line, i))
      result += letter;
    else
      result += fmt::format("&#{};", static_cast<int>(letter));
    if (is_prose && begins_reference(line, i)) result += zero_width_space;
  }
  return result;
}

}  // namespace

std::string markdown_text(std::string_view text, std::size_t most) {
  return referenced(text, most, true);
}

std::string markdown_code(std::string_view text, std::size_t most) {
  return "<code>" + referenced(text, most, false) + "</code>";
}

}  // namespace tunecheck
