#include "literals.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tunecheck::test {
namespace {

bool may_be_in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// What stands between the quotes of a literal, and between the parentheses of a raw one.
std::string inside(const std::string& literal) {
  if (literal.front() != 'R') return literal.substr(1, literal.size() - 2);
  const std::size_t open = literal.find('('), close = literal.rfind(')');
  return open < close ? literal.substr(open + 1, close - open - 1) : std::string();
}

}  // namespace

std::size_t end_of_skipped(const std::string& text, std::size_t at) {
  const auto past = [&](std::size_t found, std::size_t length) {
    return found == text.npos ? text.size() : found + length;
  };
  const char before = at > 0 ? text[at - 1] : '\n';
  if (text.compare(at, 2, "//") == 0) return past(text.find('\n', at), 0);
  if (text.compare(at, 2, "/*") == 0) return past(text.find("*/", at + 2), 2);
  if (text.compare(at, 2, "R\"") == 0 && !may_be_in_word(before)) {
    const std::size_t open = text.find('(', at);
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    return past(text.find(close, open), close.size());
  }
  // In a number a quote separates digits.
  if (text[at] != '"' && (text[at] != '\'' || may_be_in_word(before))) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at])
    end += text[end] == '\\' ? 2U : 1U;
  return std::min(end + 1, text.size());
}

std::vector<Literal> literals_of(const std::string& text) {
  std::vector<Literal> literals;
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::max(end_of_skipped(text, at), at + 1);
    const std::string piece = text.substr(at, end - at);
    if (piece.size() > 1 && (piece.front() == '"' || piece.front() == 'R'))
      literals.push_back({line, inside(piece)});
    line += static_cast<int>(std::count(piece.begin(), piece.end(), '\n'));
    at = end;
  }
  return literals;
}

std::vector<std::string> spelled_in(const std::string& path, const std::string& text,
                                    const std::set<std::string>& words) {
  std::vector<std::string> found;
  for (const Literal& literal : literals_of(text))
    if (words.contains(literal.text))
      found.push_back(fmt::format("{}:{}: \"{}\"", path, literal.line, literal.text));
  return found;
}

}  // namespace tunecheck::test
