#include "reports/html/html_blocks.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck {

std::string html_text(std::string_view text, std::size_t most_bytes) {
  // What says how much is left out is longer than a short rest.
  constexpr std::size_t short_rest = 40;
  if (text.size() <= most_bytes + short_rest) return printable_line(text);
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return printable_line(text.substr(0, end)) +
         fmt::format(" ... and {} bytes more", text.size() - end);
}

HtmlJson html_time(double ns) {
  if (!std::isfinite(ns)) return nullptr;
  if (std::abs(ns) >= 100) return std::llround(ns);
  return std::round(ns * 10) / 10;
}

HtmlJson html_microseconds(double ns) {
  const double us = ns / 1000;
  if (us >= 1000 || us == 0) return std::llround(us);
  const double digits = std::pow(10, 3 - std::floor(std::log10(std::abs(us))));
  return std::round(us * digits) / digits;
}

std::size_t HtmlTexts::place_of(const std::string& text) {
  const auto [found, added] = m_places.emplace(text, m_json.size());
  if (added) m_json.push_back(html_text(text));
  return found->second;
}

void HtmlBlocks::add(std::string_view id, const HtmlJson& json) {
  m_text += fmt::format("<script type=\"application/json\" id=\"{}\">", id);
  // ASCII alone, so that no character means something else to JavaScript than to JSON; without '<'
  // neither </script> nor <!-- can occur, and both ends of JSON's own syntax do without it.
  for (const char letter : json.dump(-1, ' ', true, HtmlJson::error_handler_t::replace)) {
    if (letter == '<')
      m_text += "\\u003c";
    else
      m_text += letter;
  }
  m_text += "</script>\n";
}

}  // namespace tunecheck
