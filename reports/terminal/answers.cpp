#include "reports/terminal/answers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t answer_indent = 12;
constexpr std::size_t kind_indent = 16;
constexpr std::size_t most_answer_lines = 2;  // of an answer: all five have room on a screen

bool is_wrong(const VerdictLine& verdict) {
  return verdict.standing == Standing::bad || verdict.standing == Standing::untrusted ||
         verdict.standing == Standing::open;
}

Style style_of(const VerdictLine& verdict) {
  if (verdict.standing == Standing::good || verdict.standing == Standing::known) return Style::good;
  return verdict.standing == Standing::open ? Style::warning : Style::bad;
}

void write_answer(Page& page, std::string_view question, std::string_view answer) {
  const std::size_t width = page.options().width;
  const std::size_t room = width > answer_indent + 20 ? width - answer_indent : 20;
  const std::vector<std::string> lines = wrapped(printable_line(answer), room);
  std::string text = lines.front();
  for (std::size_t i = 1; i < std::min(lines.size(), most_answer_lines); ++i)
    text += " " + (i + 1 == most_answer_lines && lines.size() > most_answer_lines
                       ? shortened(lines[i] + " ...", room)
                       : lines[i]);
  page.entry(question, answer_indent, text, Style::strong, most_answer_lines + 1);
}

void write_all(Page& page, const Brief& brief) {
  write_answer(page, "what broke", brief.broke);
  write_answer(page, "why", brief.why);
  write_answer(page, "since when", brief.since);
  write_answer(page, "whose", brief.whose);
  write_answer(page, "what to do", brief.next);
  if (!brief.command.empty()) page.whole_entry("", answer_indent, brief.command);
  page.blank();
}

}  // namespace

void write_answers(Page& page) {
  const Brief* const brief = page.options().brief;
  if (brief == nullptr || page.options().detail == Detail::quiet || !is_wrong(brief->verdict))
    return;
  write_all(page, *brief);
}

std::string common_end(std::span<const Brief> briefs, const TerminalOptions& options) {
  Page page(options);
  const VerdictLine verdict = verdict_of(briefs);
  if (options.detail != Detail::quiet) {
    page.line("In this report:", Style::strong);
    for (const Brief& brief : briefs)
      page.entry("  " + brief.verdict.word, kind_indent,
                 fmt::format("{} {}", name_of(brief.kind), brief.subject), style_of(brief.verdict),
                 most_answer_lines);
    page.blank();
    if (is_wrong(verdict)) write_all(page, worst_of(briefs));
  }
  page.line(printable_line(verdict.text()), style_of(verdict));
  return page.text();
}

}  // namespace tunecheck
