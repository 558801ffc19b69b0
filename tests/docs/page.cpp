#include "page.hpp"

#include <stdexcept>
#include <utility>

#include "core/files.hpp"
#include "core/text.hpp"

namespace tunecheck::test {
namespace {

constexpr std::string_view fence = "```";

int level_of(const std::string& line) {
  const std::size_t marks = line.find_first_not_of('#');
  return marks != line.npos && line[marks] == ' ' ? static_cast<int>(marks) : 0;
}

std::string heading_of(const std::string& line) {
  return line.substr(line.find_first_not_of("# "));
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with("|")) return cells;
  for (std::size_t at = 1; at < line.size();) {
    const std::size_t end = line.find('|', at);
    if (end == line.npos) break;
    const std::string cell = line.substr(at, end - at);
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(
        first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    at = end + 1;
  }
  return cells;
}

// What stands between backquotes, up to the first blank of each.
std::vector<std::string> names_in(const std::string& cell) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = cell.find('`', at)) != cell.npos;) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == cell.npos) break;
    const std::string quoted = cell.substr(at + 1, end - at - 1);
    names.push_back(quoted.substr(0, quoted.find(' ')));
    at = end + 1;
  }
  return names;
}

}  // namespace

Page::Page(const std::string& name) {
  const auto text = read_text_file(std::filesystem::path(TUNECHECK_DOCS) / name);
  if (!text) throw std::runtime_error(text.error().text());
  std::string section, before;
  bool inside = false;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    if (line.starts_with(fence)) {
      inside = !inside;
      if (inside)
        m_blocks.push_back({line.substr(fence.size()), section, std::exchange(before, {}), "",
                            static_cast<int>(m_lines.size()) + 1});
      m_lines.push_back(line);
      continue;
    }
    // Headings and tables are not looked for in blocks.
    m_lines.push_back(inside ? " " + line : line);
    if (inside) {
      m_blocks.back().text += line + '\n';
    } else {
      if (level_of(line) > 0) section = heading_of(line);
      if (!line.empty()) before = line;
    }
  }
  if (inside) throw std::runtime_error(name + ": a block is not closed");
}

std::vector<Block> Page::blocks(const std::string& language) const {
  std::vector<Block> found;
  for (const Block& block : m_blocks)
    if (block.language == language) found.push_back(block);
  return found;
}

std::string Page::file(const std::string& name) const {
  const Block* found = nullptr;
  for (const Block& block : m_blocks) {
    if (!block.before.ends_with('`' + name + "`:")) continue;
    if (found != nullptr) throw std::runtime_error("the page shows two files " + name);
    found = &block;
  }
  if (found == nullptr) throw std::runtime_error("the page shows no file " + name);
  return found->text;
}

std::vector<std::string> Page::lines_of(const std::string& section) const {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : m_lines) {
    if (level_of(line) > 0)
      inside = heading_of(line) == section;
    else if (inside)
      lines.push_back(line);
  }
  if (lines.empty()) throw std::runtime_error("the page has no section " + section);
  return lines;
}

std::string Page::section(const std::string& heading) const {
  std::string text;
  for (const std::string& line : lines_of(heading)) {
    if (line.empty()) continue;
    text += (text.empty() ? "" : " ") + line;
  }
  return text;
}

std::vector<std::vector<std::string>> Page::rows(const std::string& section,
                                                 const std::string& first_cell) const {
  std::vector<std::vector<std::string>> rows;
  bool inside = false, found = false;
  for (const std::string& line : lines_of(section)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty()) {
      inside = false;
    } else if (!inside && cells[0] == first_cell) {
      inside = found = true;
    } else if (inside && cells[0].find_first_not_of('-') != std::string::npos) {
      rows.push_back(cells);
    }
  }
  if (!found)
    throw std::runtime_error("section " + section + " has no table of \"" + first_cell + "\"");
  return rows;
}

std::vector<std::string> Page::names_in_table(const std::string& section,
                                              const std::string& first_cell) const {
  std::vector<std::string> names;
  for (const std::vector<std::string>& row : rows(section, first_cell))
    for (const std::string& name : names_in(row[0]))
      names.push_back(name);
  return names;
}

std::vector<std::string> Page::headings(int level) const {
  std::vector<std::string> found;
  for (const std::string& line : m_lines)
    if (level_of(line) == level) found.push_back(heading_of(line));
  return found;
}

std::vector<std::string> words_expected(const std::string& message) {
  constexpr std::string_view mark = "Expected one of: ";
  const std::size_t at = message.find(mark);
  if (at == message.npos) throw std::runtime_error("no words are expected in: " + message);
  return split_words(message.substr(at + mark.size()));
}

}  // namespace tunecheck::test
