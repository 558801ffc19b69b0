#include "cli/progress.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "reports/plain_text.hpp"
#include "reports/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

constexpr std::string_view clear_line = "\r\x1b[K";

// At once: who reads a pipe wants to see how far it is.
void print_line(const ScenarioResult& result, const std::string& name) {
  print(fmt::format("{} {}  {}\n", name_of(result.verdict), printable_line(name),
                    seconds_text(result.wall_ns)));
  std::fflush(stdout);
}

}  // namespace

Progress::~Progress() {
  if (m_rewrites) print(clear_line);
}

std::int64_t Progress::elapsed_ns() const {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - m_started).count();
}

void Progress::rewrite(const std::string& text) {
  // A line that wraps cannot be cleared by going back to its start.
  print(std::string(clear_line) + shortened(printable_line(text), 79));
  std::fflush(stdout);
}

void Progress::scenario(const ScenarioResult& result, int done, int total) {
  m_bad += result.verdict == Verdict::fail || result.verdict == Verdict::error;
  if (m_rewrites) {
    const std::string bad = m_bad > 0 ? fmt::format(", {} bad", m_bad) : "";
    rewrite(fmt::format("{} of {}{}   {}   {}", done, total, bad, result.family,
                        seconds_text(elapsed_ns())));
  } else {
    print_line(result, result.name);
  }
}

void Progress::audited(const ScenarioResult& result, int done, int total) {
  if (m_rewrites)
    rewrite(fmt::format("{} of {}   {} {}   {}", done, total, result.adapter, result.name,
                        seconds_text(elapsed_ns())));
  else
    print_line(result, result.adapter + " " + result.name);
}

}  // namespace tunecheck::cli
