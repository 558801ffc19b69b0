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

std::string referenced(std::string_view text, std::size_t most, bool is_prose) {
  const std::string line = shortened(printable_line(text), most);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (special.find(letter) == special.npos || is_underscore_in_word(line, i)) {
      result += letter;
      continue;
    }
    result += fmt::format("&#{};", static_cast<int>(letter));
    if (is_prose && (letter == '@' || letter == '#')) result += zero_width_space;
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
