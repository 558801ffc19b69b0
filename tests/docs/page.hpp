#pragma once
// A page of docs/, as far as tests hold it to the code: its fenced blocks and its tables.
#include <filesystem>
#include <string>
#include <vector>

namespace tunecheck::test {

/// What stands between ``` and ```.
struct Block {
  std::string language;  ///< the word after the opening ```, "" for none
  std::string section;   ///< the heading above it, without '#'
  std::string before;    ///< the last line above it that is not empty
  std::string text;      ///< with the newline of its last line
  int line = 0;          ///< of the opening ```, from 1
};

class Page {
 public:
  /// Reads docs/`name`; throws where it cannot.
  explicit Page(const std::string& name);

  [[nodiscard]] std::vector<Block> blocks(const std::string& language) const;
  /// The block right below the line "`FILE`:"; throws where there is not exactly one.
  [[nodiscard]] std::string file(const std::string& name) const;
  /// The whole text of a section up to the next heading, all blanks between words single.
  [[nodiscard]] std::string section(const std::string& heading) const;
  /// The words in backquotes in the first cell of each row of the table with this word in its
  /// first row's first cell.
  [[nodiscard]] std::vector<std::string> names_in_table(const std::string& section,
                                                        const std::string& first_cell) const;
  /// The cells of each row of that table, below its head.
  [[nodiscard]] std::vector<std::vector<std::string>> rows(const std::string& section,
                                                           const std::string& first_cell) const;
  [[nodiscard]] std::vector<std::string> headings(int level) const;

 private:
  [[nodiscard]] std::vector<std::string> lines_of(const std::string& section) const;

  std::vector<std::string> m_lines;
  std::vector<Block> m_blocks;
};

/// The words after "Expected one of: " in a message, the last of its line.
[[nodiscard]] std::vector<std::string> words_expected(const std::string& message);

}  // namespace tunecheck::test
