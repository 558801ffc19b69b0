#pragma once
// A page in Markdown of bounded size, made of blocks: the most important are added first.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// Of one table or list.
inline constexpr std::size_t markdown_rows = 50;

class MarkdownBlocks {
 public:
  /// `most` bytes, at least 1000.
  explicit MarkdownBlocks(std::size_t most) : m_most(most) {}

  /// The whole block, or nothing of it where there is no room.
  void add(const std::string& block);
  /// A table or list: `begin`, then as many rows as there is room for but no more than
  /// `most`, and how many there are beside.
  void add_rows(const std::string& begin, const std::vector<std::string>& rows,
                std::size_t most = markdown_rows);

  /// Blocks within one fold, as many as there is room for; the others count as left out.
  void add_folded(const std::string& summary, const std::vector<std::string>& blocks);

  /// Likewise with the head of a table before them.
  void add_folded(const std::string& summary, const std::string& head,
                  const std::vector<std::string>& rows);

  /// What is added until end_fold() is within one fold.
  void begin_fold(const std::string& summary);
  void end_fold();

  /// Says how many blocks did not fit.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] bool has_room(std::size_t bytes) const;

  std::size_t m_most;
  std::size_t m_left_out = 0;
  std::size_t m_reserved = 0;  // bytes, to end a fold
  std::string m_text;
};

/// Content that is shown when somebody asks for it.
[[nodiscard]] std::string markdown_folded(std::string_view summary, std::string_view content,
                                          bool open = false);

}  // namespace tunecheck
