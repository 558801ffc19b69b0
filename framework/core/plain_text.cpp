#include "core/plain_text.hpp"

#include <algorithm>

#include <boost/locale/utf.hpp>
#include <fmt/format.h>

namespace tunecheck {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

// Calls visit(code point, its bytes) for each character, with U+FFFD for each byte that is not part
// of one.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  namespace utf = boost::locale::utf;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    const char* end = at;
    const utf::code_point point = utf::utf_traits<char>::decode(end, text.data() + text.size());
    if (utf::is_valid_codepoint(point)) {
      visit(point, std::string_view(at, static_cast<std::size_t>(end - at)));
      at = end;
    } else {
      visit(utf::code_point{0xfffd}, replacement);
      ++at;
    }
  }
}

bool reverses_writing(char32_t point) {
  return point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

// The byte at which the character with number `count` begins.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (begins && count-- == 0) break;
  }
  return at;
}

}  // namespace

std::string printable_line(std::string_view text) {
  std::string line;
  for_each_character(text, [&](char32_t point, std::string_view bytes) {
    const bool breaks = point == 0x2028 || point == 0x2029 || point == 0x85;
    if (point == '\n' || point == '\t' || point == '\r')
      line += ' ';
    else if (point < 0x20 || (point >= 0x7f && point < 0xa0))
      line += fmt::format("\\x{:02x}", static_cast<unsigned>(point));
    else if (breaks || reverses_writing(point))
      line += fmt::format("\\u{:04x}", static_cast<unsigned>(point));
    else
      line += bytes;
  });
  line.erase(std::find_if(line.rbegin(), line.rend(), [](char c) { return c != ' '; }).base(),
             line.end());
  return line;
}

std::string xml_text(std::string_view text) {
  std::string valid;
  for_each_character(text, [&](char32_t point, std::string_view bytes) {
    const bool control = point < 0x20 && point != '\n' && point != '\t' && point != '\r';
    valid += control || point == 0xfffe || point == 0xffff ? replacement : bytes;
  });
  return valid;
}

std::optional<std::size_t> broken_utf8(std::string_view text) {
  namespace utf = boost::locale::utf;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const char* next = at;
    if (!utf::is_valid_codepoint(utf::utf_traits<char>::decode(next, end)))
      return static_cast<std::size_t>(at - text.data());
    at = next;
  }
  return std::nullopt;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  constexpr std::string_view mark = "...";
  const std::size_t kept = width - std::min(width, mark.size());
  return std::string(text.substr(0, offset_of(text, kept))) + std::string(mark.substr(0, width));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (width_of(text) > width) {
    const std::size_t room = offset_of(text, width);
    std::size_t end = text.rfind(' ', room);
    if (end == text.npos || end == 0) end = room;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

}  // namespace tunecheck
