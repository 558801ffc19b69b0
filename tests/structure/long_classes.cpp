#include "long_classes.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "literals.hpp"

namespace tunecheck::test {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The text with comments and literals blanked, line by line as long as before.
std::string code_of(const std::string& text) {
  std::string code = text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = end_of_skipped(text, at);
    if (end == at) continue;
    std::replace_if(
        code.begin() + static_cast<std::ptrdiff_t>(at),
        code.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    at = end - 1;
  }
  return code;
}

// The place of the last character before `at` that is no blank; npos for none.
std::size_t before(const std::string& code, std::size_t at) {
  return at == 0 ? code.npos : code.find_last_not_of(" \t\n", at - 1);
}

std::string word_ending_at(const std::string& code, std::size_t last) {
  std::size_t begin = last + 1;
  while (begin > 0 && is_word(code[begin - 1]))
    --begin;
  return code.substr(begin, last + 1 - begin);
}

// Where the bracket that is closed at `close` was opened; npos for none.
std::size_t opened(const std::string& code, std::size_t close, char opening) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (code[at] == code[close]) ++depth;
    if (code[at] == opening && --depth == 0) return at;
  }
  return code.npos;
}

// Where the brace that is opened at `open` is closed.
std::size_t closed(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (code[at] == '{') ++depth;
    if (code[at] == '}' && --depth == 0) return at;
  }
  return code.size();
}

// Where the definition begins whose keyword is at `at`: at its template parameters, if it has any;
// npos where the keyword defines no class.
std::size_t begin_of_definition(const std::string& code, std::size_t at) {
  const std::size_t last = before(code, at);
  if (last == code.npos) return at;
  if (code[last] == '<' || code[last] == ',') return code.npos;  // a template's parameter
  const std::string word = word_ending_at(code, last);
  if (word == "enum" || word == "friend") return code.npos;
  if (code[last] != '>') return at;
  const std::size_t open = opened(code, last, '<');
  const std::size_t end = open == code.npos ? code.npos : before(code, open);
  if (end == code.npos || word_ending_at(code, end) != "template") return at;
  return end + 1 - std::string("template").size();
}

// The last word before the braces or the base classes, apart from "final".
std::string name_in(const std::string& head) {
  std::string name, word;
  for (std::size_t at = 0; at <= head.size(); ++at) {
    if (at < head.size() && is_word(head[at])) {
      word += head[at];
      continue;
    }
    if (!word.empty() && word != "final") name = word;
    word.clear();
    if (head.compare(at, 2, "::") == 0)
      ++at;
    else if (at < head.size() && head[at] == ':')
      break;
  }
  return name;
}

bool is_comment(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != line.npos && (line.compare(first, 2, "//") == 0 || line.ends_with("*/"));
}

}  // namespace

std::vector<std::string> uncommented_classes(const std::string& path, const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  const std::string code = code_of(text);
  const auto line_of = [&](std::size_t at) {
    return 1 + static_cast<int>(
                   std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  std::vector<std::string> found;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!is_word(code[at]) || (at > 0 && is_word(code[at - 1]))) continue;
    const bool is_class = code.compare(at, 6, "class ") == 0;
    if (!is_class && code.compare(at, 7, "struct ") != 0) continue;
    const std::size_t open = code.find_first_of("{;", at);
    if (open == code.npos || code[open] == ';') continue;
    const std::size_t begin = begin_of_definition(code, at);
    if (begin == code.npos) continue;
    const int first = line_of(begin);
    const int length = line_of(closed(code, open)) - first + 1;
    if (length <= most_lines_without_comment) continue;
    if (first > 1 && is_comment(lines[static_cast<std::size_t>(first) - 2])) continue;
    const std::size_t keyword = is_class ? 6 : 7;
    found.push_back(fmt::format("{}:{}: {} has {} lines and no comment directly above", path, first,
                                name_in(code.substr(at + keyword, open - at - keyword)), length));
  }
  return found;
}

}  // namespace tunecheck::test
