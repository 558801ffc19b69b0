#pragma once
// A page of text for a terminal: lines, entries with a hanging indent, colour where it is wanted.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck {

enum class Style { plain, good, bad, warning, strong, faint };

class Page {
 public:
  /// `options` must outlive the page.
  explicit Page(const TerminalOptions& options) : m_options(options) {}

  [[nodiscard]] const TerminalOptions& options() const { return m_options; }

  /// `label`, padded to `indent` columns, and after it `text`, wrapped into the rest of the width;
  /// of more than `most_lines` lines the rest is left out, and the page says so.
  void entry(std::string_view label, std::size_t indent, std::string_view text,
             Style label_style = Style::plain, std::size_t most_lines = 8);

  /// As entry, but never broken: for commands and paths that somebody may copy.
  void whole_entry(std::string_view label, std::size_t indent, std::string_view text);

  /// One line as it is, which must be printable.
  void line(std::string_view text, Style style = Style::plain);
  void blank() { m_text += '\n'; }

  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  void put(std::string_view text, Style style);

  const TerminalOptions& m_options;
  std::string m_text;
};

/// "0.41 s".
[[nodiscard]] std::string seconds_text(std::int64_t duration_ns);

}  // namespace tunecheck
