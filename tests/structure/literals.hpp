#pragma once
// The texts in quotes that sources contain.
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace tunecheck::test {

/// Where a comment or literal that begins at `at` ends; `at` itself where none begins there.
[[nodiscard]] std::size_t end_of_skipped(const std::string& text, std::size_t at);

struct Literal {
  int line = 0;      ///< from 1, that on which it begins
  std::string text;  ///< between the quotes, with escapes as they are written
};

/// All of a source, raw ones included; not those in comments.
[[nodiscard]] std::vector<Literal> literals_of(const std::string& text);

/// Each literal of a source that is one of `words` as a whole, as `path:line: "word"`.
[[nodiscard]] std::vector<std::string> spelled_in(const std::string& path, const std::string& text,
                                                  const std::set<std::string>& words);

}  // namespace tunecheck::test
