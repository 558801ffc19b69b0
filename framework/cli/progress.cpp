#include "cli/progress.hpp"

#include <algorithm>
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

Progress::Progress(bool rewrites, Detail detail, std::map<std::string, int> families)
    : m_rewrites(rewrites && detail != Detail::quiet),
      m_detail(detail),
      m_families(std::move(families)) {
  for (const auto& [name, scenarios] : m_families)
    m_total += scenarios;
  if (m_rewrites) m_ticking = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

Progress::~Progress() {
  if (!m_rewrites) return;
  m_ticking.request_stop();
  m_ticking.join();
  print(clear_line);
  std::fflush(stdout);
}

void Progress::tick(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  while (
      !m_ended.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); }))
    rewrite();
}

std::int64_t Progress::elapsed_ns() const {
  return std::chrono::nanoseconds(Clock::now() - m_started).count();
}

// As if the others took as long as those that are done.
std::string Progress::time_left(int done, int total) const {
  if (done == 0 || done == total) return "";
  const double left_s =
      static_cast<double>(elapsed_ns()) / 1e9 * static_cast<double>(total - done) / done;
  return left_s < 90 ? fmt::format(", about {:.0f} s left", left_s)
                     : fmt::format(", about {:.0f} min left", left_s / 60);
}

// What has been under way for a while says how long: "reload.x 4 s, faults.y".
std::string Progress::under_way() const {
  std::string text;
  for (const UnderWay& each : m_under_way) {
    const double seconds = std::chrono::duration<double>(Clock::now() - each.since).count();
    text += (text.empty() ? "" : ", ") + each.name;
    if (seconds >= 2) text += fmt::format(" {:.0f} s", seconds);
  }
  return text;
}

void Progress::rewrite() const {
  if (!m_rewrites) return;
  // How many there are is not known before the first is over, in an audit.
  std::string text =
      m_total == 0 ? "" : fmt::format("{} of {}{}   ", m_done, m_total, bad_text(m_bad));
  text += fmt::format("{:.0f} s{}", static_cast<double>(elapsed_ns()) / 1e9,
                      time_left(m_done, m_total));
  if (const std::string now = under_way(); !now.empty()) text += "   " + now;
  // A line that wraps cannot be cleared by going back to its start.
  print(std::string(clear_line) + shortened(printable_line(text), terminal_options({}).width - 1));
  std::fflush(stdout);
}

// At once, so that a reader of a pipe sees how far it is.
void Progress::leave(const std::string& line) const {
  print(fmt::format("{}{}\n", m_rewrites ? clear_line : "", line));
  std::fflush(stdout);
}

void Progress::begun(const std::string& name) {
  const std::lock_guard lock(m_mutex);
  m_under_way.push_back({name, Clock::now()});
  rewrite();
}

void Progress::end(const std::string& name) {
  const auto found = std::find_if(m_under_way.begin(), m_under_way.end(),
                                  [&](const UnderWay& each) { return each.name == name; });
  if (found != m_under_way.end()) m_under_way.erase(found);
}

void Progress::scenario(const ScenarioResult& result, int done, int total) {
  if (m_detail == Detail::quiet) return;
  const std::lock_guard lock(m_mutex);
  end(result.name);
  m_done = done;
  m_total = total;
  m_bad += is_bad(result);
  Family& family = m_by_family[result.family];
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
  rewrite();
}

void Progress::audited(const ScenarioResult& result, int done, int total) {
  const std::lock_guard lock(m_mutex);
  end(result.name);
  m_done = done;
  m_total = total;
  if (!m_rewrites) leave(line_of(result, result.adapter + " " + result.name));
  rewrite();
}

}  // namespace tunecheck::cli
