#include "reports/markdown/markdown_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t room_for_end = 300, room_for_rest = 40;  // bytes
constexpr std::string_view fold_end = "\n</details>\n\n";

}  // namespace

void MarkdownBlocks::add(const std::string& block) {
  if (block.empty()) return;
  if (has_room(block.size()))
    m_text += block;
  else
    ++m_left_out;
}

void MarkdownBlocks::begin_fold(const std::string& summary) {
  m_text += fmt::format("<details><summary>{}</summary>\n\n", summary);
  m_reserved = fold_end.size();
}

void MarkdownBlocks::end_fold() {
  m_text += fold_end;
  m_reserved = 0;
}

void MarkdownBlocks::add_folded(const std::string& summary,
                                const std::vector<std::string>& blocks) {
  add_folded(summary, "", blocks);
}

void MarkdownBlocks::add_folded(const std::string& summary, const std::string& head,
                                const std::vector<std::string>& blocks) {
  std::string content = head;
  std::size_t shown = 0;
  while (shown < blocks.size() &&
         has_room(markdown_folded(summary, "").size() + content.size() + blocks[shown].size()))
    content += blocks[shown++];
  m_left_out += blocks.size() - shown;
  if (shown > 0) m_text += markdown_folded(summary, content);
}

void MarkdownBlocks::add_rows(const std::string& begin, const std::vector<std::string>& rows,
                              std::size_t most) {
  if (rows.empty()) return;
  std::string block = begin;
  std::size_t shown = 0;
  while (shown < std::min(rows.size(), most) &&
         has_room(block.size() + rows[shown].size() + room_for_rest))
    block += rows[shown++];
  if (shown == 0) {
    ++m_left_out;
    return;
  }
  if (shown < rows.size()) block += fmt::format("\nand {} more\n", rows.size() - shown);
  if (shown < std::min(rows.size(), most)) ++m_left_out;
  m_text += block + '\n';
}

std::string MarkdownBlocks::text() const {
  if (m_left_out == 0) return m_text;
  return m_text + fmt::format(
                      "\n**Cut:** {} did not fit here. <code>tunecheck report terminal "
                      "--verbose</code> of the same files shows all.\n",
                      counted(m_left_out, "part"));
}

bool MarkdownBlocks::has_room(std::size_t bytes) const {
  return m_text.size() + bytes + m_reserved + room_for_end <= m_most;
}

std::string markdown_folded(std::string_view summary, std::string_view content, bool open) {
  return fmt::format("<details{}><summary>{}</summary>\n\n{}{}", open ? " open" : "", summary,
                     content, fold_end);
}

}  // namespace tunecheck
