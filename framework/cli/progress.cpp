#include "cli/progress.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "core/plain_text.hpp"
#include "reports/summary/failures.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck::cli {
namespace {

constexpr std::string_view clear_line = "\r\x1b[K";

std::string line_of(const ScenarioResult& result, const std::string& name) {
  return fmt::format("{} {}  {}", name_of(result.verdict), printable_line(name),
                     seconds_text(result.wall_ns));
}

std::string bad_text(int bad) {
  return bad > 0 ? fmt::format(", {} bad", bad) : "";
}

}  // namespace

Progress::~Progress() {
  if (m_rewrites) print(clear_line);
}

std::int64_t Progress::elapsed_ns() const {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - m_started).count();
}

// As if the others took as long as those that are done.
std::string Progress::time_left(int done, int total) const {
  if (done == total) return "";
  const double left_s =
      static_cast<double>(elapsed_ns()) / 1e9 * static_cast<double>(total - done) / done;
  return left_s < 90 ? fmt::format(", about {:.0f} s left", left_s)
                     : fmt::format(", about {:.0f} min left", left_s / 60);
}

void Progress::rewrite(const std::string& text) {
  // A line that wraps cannot be cleared by going back to its start.
  print(std::string(clear_line) + shortened(printable_line(text), 79));
  std::fflush(stdout);
}

// At once: who reads a pipe wants to see how far it is.
void Progress::leave(const std::string& line) const {
  print(fmt::format("{}{}\n", m_rewrites ? clear_line : "", line));
  std::fflush(stdout);
}

void Progress::scenario(const ScenarioResult& result, int done, int total) {
  if (m_detail == Detail::quiet) return;
  Family& family = m_done[result.family];
  ++family.done;
  family.bad += is_bad(result);
  family.wall_ns += result.wall_ns;
  if (m_detail == Detail::verbose || is_bad(result)) leave(line_of(result, result.name));
  const int of_family = m_families[result.family];
  if (family.done == of_family)
    leave(fmt::format("{:24}{:>4} of {}{}, {}; {} of {}{}",
                      shortened(printable_line(result.family), 23), family.done, of_family,
                      bad_text(family.bad), seconds_text(family.wall_ns), done, total,
                      time_left(done, total)));
  if (m_rewrites)
    rewrite(fmt::format("{} {} of {}{}   {} of {}   {}{}", result.family, family.done, of_family,
                        bad_text(family.bad), done, total, seconds_text(elapsed_ns()),
                        time_left(done, total)));
}

void Progress::audited(const ScenarioResult& result, int done, int total) {
  if (m_rewrites)
    rewrite(fmt::format("{} of {}   {} {}   {}{}", done, total, result.adapter, result.name,
                        seconds_text(elapsed_ns()), time_left(done, total)));
  else
    leave(line_of(result, result.adapter + " " + result.name));
}

}  // namespace tunecheck::cli
