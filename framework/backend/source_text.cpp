#include "backend/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace tunecheck {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The end of the literal that begins with the quote at `at`.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote || text[i] == '\n')
      return i + 1;
  }
  return text.size();
}

// The end of the raw string whose quote is at `at`.
std::size_t end_of_raw_string(std::string_view text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == text.npos) return text.size();
  std::string close(text.substr(at, open - at));  // begins with the quote that must end
  std::rotate(close.begin(), close.begin() + 1, close.end());
  close.insert(close.begin(), ')');
  const std::size_t end = text.find(close, open);
  return end == text.npos ? text.size() : end + close.size();
}

// R, LR, uR, UR or u8R before the quote, and not the tail of a longer name.
bool begins_raw_string(std::string_view text, std::size_t quote) {
  std::size_t begin = quote;
  while (begin > 0 && is_name_character(text[begin - 1]))
    --begin;
  const std::string_view prefix = text.substr(begin, quote - begin);
  return prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R";
}

// The end of a // comment: a line break that no backslash continues.
std::size_t end_of_line_comment(std::string_view text, std::size_t at) {
  for (;; ++at) {
    at = text.find('\n', at);
    if (at == text.npos) return text.size();
    const std::size_t last = text[at - 1] == '\r' ? at - 2 : at - 1;
    if (text[last] != '\\') return at;
  }
}

// The length of a backslash with its line end at the beginning, 0 where there is none.
std::size_t length_of_splice(std::string_view text) {
  if (text.starts_with("\\\n")) return 2;
  return text.starts_with("\\\r\n") ? 3 : 0;
}

// A line that a literal holds is none of the source's: it may look like a directive.
std::string in_one_line(std::string_view literal) {
  std::string line(literal);
  std::replace(line.begin(), line.end() - 1, '\n', ' ');
  return line;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  return text;
}

}  // namespace

std::string without_comments(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (const std::size_t splice = length_of_splice(rest); splice > 0) {
      at += splice;
      continue;
    }
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      at = end_of_line_comment(text, at + 2);
      kept += ' ';
      continue;
    }
    if (rest.starts_with("/*")) {
      const std::size_t close = text.find("*/", at + 2);
      at = close == text.npos ? text.size() : close + 2;
      kept += ' ';
      continue;
    }
    if (rest.front() == '"')
      end = begins_raw_string(text, at) ? end_of_raw_string(text, at) : end_of_literal(text, at);
    // A ' inside a number (1'000) separates digits.
    else if (rest.front() == '\'' && (at == 0 || !is_name_character(text[at - 1])))
      end = end_of_literal(text, at);
    kept += in_one_line(text.substr(at, end - at));
    at = end;
  }
  return kept;
}

std::vector<Include> includes_of(std::string_view text) {
  const std::string code = without_comments(text);
  std::vector<Include> includes;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    std::string_view line = without_blanks(std::string_view(code).substr(at, end - at));
    at = end + 1;
    if (!line.starts_with('#')) continue;
    line = without_blanks(line.substr(1));
    if (!line.starts_with("include")) continue;
    line = without_blanks(line.substr(std::string_view("include").size()));
    if (line.empty() || (line.front() != '"' && line.front() != '<')) continue;
    const bool quoted = line.front() == '"';
    const std::size_t close = line.find(quoted ? '"' : '>', 1);
    if (close != line.npos) includes.push_back({std::string(line.substr(1, close - 1)), quoted});
  }
  return includes;
}

}  // namespace tunecheck
