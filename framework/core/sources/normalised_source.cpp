#include "core/sources/normalised_source.hpp"

namespace tunecheck {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Walks over one source from its beginning to its end. strip() is called once; every other member
// moves past what it has recognised. At each place the order of the questions matters: spliced
// lines are joined before comments are looked for, and comments before strings, as a compiler does.
// A text that ends within a string or a comment is no error: the rest is copied or dropped, and the
// compiler will refuse it anyway.
class Stripper {
 public:
  explicit Stripper(std::string_view text) : m_text(text) {}

  std::string strip() {
    while (!at_end()) {
      if (skip_splice()) continue;
      if (starts_with("//"))
        skip_line_comment();
      else if (starts_with("/*"))
        skip_block_comment();
      else if (m_text[m_at] == '"')
        is_raw_prefix() ? copy_raw_string() : copy_quoted('"');
      else if (m_text[m_at] == '\'' && !is_digit_separator())
        copy_quoted('\'');
      else
        copy_plain();
    }
    return std::move(m_result);
  }

 private:
  bool at_end() const { return m_at >= m_text.size(); }

  // The length of a backslash with its line end at `at`, 0 if there is none.
  std::size_t splice_at(std::size_t at) const {
    if (at >= m_text.size() || m_text[at] != '\\') return 0;
    if (m_text.substr(at + 1, 1) == "\n") return 2;
    return m_text.substr(at + 1, 2) == "\r\n" ? 3 : 0;
  }

  // Past any splices at the current place: the compiler joins lines before it looks for comments.
  bool skip_splice() {
    const std::size_t length = splice_at(m_at);
    m_at += length;
    return length > 0;
  }

  // True for two characters that follow each other once lines are joined; moves past neither.
  bool starts_with(std::string_view two) const {
    if (m_text[m_at] != two[0]) return false;
    std::size_t second = m_at + 1;
    while (const std::size_t length = splice_at(second))
      second += length;
    return second < m_text.size() && m_text[second] == two[1];
  }

  void advance_two() {
    ++m_at;
    while (skip_splice()) {
    }
    ++m_at;
  }

  void skip_line_comment() {
    while (!at_end() && m_text[m_at] != '\n')
      if (!skip_splice()) ++m_at;
    blank();
  }

  void skip_block_comment() {
    advance_two();
    while (!at_end() && !starts_with("*/"))
      ++m_at;
    if (!at_end()) advance_two();
    blank();
  }

  // R, u8R, uR, UR, LR directly before the quote, and not the end of a longer name.
  bool is_raw_prefix() const {
    std::size_t begin = m_result.size();
    while (begin > 0 && is_word(m_result[begin - 1]))
      --begin;
    const std::string_view word = std::string_view(m_result).substr(begin);
    return m_at > 0 && m_text[m_at - 1] == 'R' &&
           (word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR");
  }

  // 1'000: a quote inside of a number.
  bool is_digit_separator() const {
    std::size_t begin = m_result.size();
    while (begin > 0 && (is_word(m_result[begin - 1]) || m_result[begin - 1] == '\''))
      --begin;
    return begin < m_result.size() && m_result[begin] >= '0' && m_result[begin] <= '9' &&
           m_at + 1 < m_text.size() && is_word(m_text[m_at + 1]);
  }

  void copy_raw_string() {
    const std::size_t open = m_text.find('(', m_at);
    if (open == m_text.npos) return copy_rest();
    std::string close = ")";
    close += m_text.substr(m_at + 1, open - m_at - 1);
    close += '"';
    const std::size_t end = m_text.find(close, open);
    if (end == m_text.npos) return copy_rest();
    m_result += m_text.substr(m_at, end + close.size() - m_at);
    m_at = end + close.size();
  }

  // An unfinished one ends with its line.
  void copy_quoted(char quote) {
    m_result += m_text[m_at++];
    while (!at_end() && m_text[m_at] != '\n') {
      if (skip_splice()) continue;
      const char c = m_text[m_at++];
      m_result += c;
      if (c == quote) return;
      if (c == '\\') {
        while (skip_splice()) {
        }
        if (!at_end() && m_text[m_at] != '\n') m_result += m_text[m_at++];
      }
    }
  }

  void copy_rest() {
    m_result += m_text.substr(m_at);
    m_at = m_text.size();
  }

  void blank() {
    if (!m_result.empty() && m_result.back() != ' ' && m_result.back() != '\n') m_result += ' ';
  }

  void copy_plain() {
    const char c = m_text[m_at++];
    if (is_blank(c)) return blank();
    if (c != '\n') {
      m_result += c;
      return;
    }
    if (!m_result.empty() && m_result.back() == ' ') m_result.pop_back();
    if (!m_result.empty() && m_result.back() != '\n') m_result += '\n';
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::string m_result;
};

}  // namespace

std::string normalised_source(std::string_view text) {
  std::string result = Stripper(text).strip();
  while (!result.empty() && (result.back() == ' ' || result.back() == '\n'))
    result.pop_back();
  return result;
}

}  // namespace tunecheck
