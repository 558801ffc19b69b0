#include "reports/terminal/terminal_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck {
namespace {

std::string_view code_of(Style style) {
  switch (style) {
    case Style::good:
      return "\x1b[32m";
    case Style::bad:
      return "\x1b[1;31m";
    case Style::warning:
      return "\x1b[33m";
    case Style::strong:
      return "\x1b[1m";
    case Style::faint:
      return "\x1b[2m";
    case Style::plain:
      break;
  }
  return "";
}

// Bytes; longer texts are cut before they are wrapped: nobody reads 64 KiB here, and result.json
// has all of it.
constexpr std::size_t longest_printed = 4000;

}  // namespace

void Page::put(std::string_view text, Style style) {
  if (m_options.colour && style != Style::plain)
    m_text += fmt::format("{}{}\x1b[0m", code_of(style), text);
  else
    m_text += text;
}

void Page::entry(std::string_view label, std::size_t indent, std::string_view text,
                 Style label_style, std::size_t most_lines) {
  const std::size_t room = m_options.width > indent + 20 ? m_options.width - indent : 20;
  std::vector<std::string> lines = wrapped(printable_line(text.substr(0, longest_printed)), room);
  if (lines.size() > most_lines || text.size() > longest_printed) {
    lines.resize(std::min(lines.size(), most_lines));
    lines.push_back("(shortened)");
  }
  const std::string safe_label = printable_line(label);
  put(safe_label, label_style);
  const std::size_t width = width_of(safe_label);
  const std::string gap(width < indent ? indent - width : width > 0 ? 2 : 0, ' ');
  if (!lines.front().empty()) m_text += gap;
  for (std::size_t i = 0; i < lines.size(); ++i)
    m_text += (i == 0 ? "" : std::string(indent, ' ')) + lines[i] + '\n';
}

void Page::whole_entry(std::string_view label, std::size_t indent, std::string_view text) {
  const std::string safe_label = printable_line(label);
  m_text += fmt::format("{:{}}{}\n", safe_label, indent, printable_line(text));
}

void Page::line(std::string_view text, Style style) {
  put(text, style);
  m_text += '\n';
}

std::string seconds_text(std::int64_t duration_ns) {
  return fmt::format("{:.2f} s", static_cast<double>(duration_ns) / 1e9);
}

}  // namespace tunecheck
