#include "reports/terminal/real_rates_page.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "gate/rule/real_rates.hpp"

namespace tunecheck {
namespace {

constexpr gate::Answer answers[] = {gate::Answer::regression, gate::Answer::inconclusive,
                                    gate::Answer::pass, gate::Answer::improved,
                                    gate::Answer::invalid};

std::string head_text(double head) {
  return head == 0 ? "same" : fmt::format("+{:g} %", 100 * head);
}

// "a, b", or how many there are where nobody would read all.
std::string some_kernels(const std::string& names) {
  constexpr std::ptrdiff_t most = 3;
  const auto count = std::count(names.begin(), names.end(), ',') + 1;
  return count > most ? fmt::format("{} kernels", count) : names;
}

// What the sessions of a table have in common.
std::string title_of(const gate::SessionKind& kind) {
  std::string text = fmt::format("{}: {} of {} at {}", kind.machine, kind.metrics,
                                 some_kernels(kind.kernels), kind.size);
  if (kind.backend != name_of(DeviceKind::cpu)) text += " on " + kind.backend;
  text += kind.is_whole ? ", whole sessions" : "";
  const gate::Settings defaults;
  if (kind.delta != defaults.delta || kind.tolerance != defaults.tolerance)
    text +=
        fmt::format(", delta {:g} % and tolerance {:g} %", 100 * kind.delta, 100 * kind.tolerance);
  return text;
}

bool has_many_benchmarks(const gate::RealRow& row) {
  return row.benchmarks > row.sessions;
}

// Some of its sessions could not use every CPU of their machine.
bool has_other_cpus(const gate::RealRow& row) {
  return row.elsewhere > 0;
}

std::string row_text(const gate::RealRow& row, bool has_many, bool has_elsewhere) {
  std::string text =
      fmt::format("| {} | {} | {} |", row.surroundings, head_text(row.kind.head), row.sessions);
  for (const gate::Answer answer : answers)
    text += fmt::format(" {} |", row.of(answer));
  if (has_many) text += fmt::format(" {} | {} | {} |", row.benchmarks, row.slower, row.faster);
  text += fmt::format(" {:.1f} | {:.1f} | {:.1f} |", row.pairs, row.seconds, row.other_work);
  if (has_elsewhere) text += fmt::format(" {:.1f} |", row.elsewhere);
  return text + (std::isfinite(row.would_find) ? fmt::format(" {:.1f} % |\n", 100 * row.would_find)
                                               : std::string(" |\n"));
}

std::string table(const std::vector<gate::RealRow>& rows) {
  const bool has_many = std::any_of(rows.begin(), rows.end(), has_many_benchmarks);
  const bool has_elsewhere = std::any_of(rows.begin(), rows.end(), has_other_cpus);
  std::string names = "| machine | head | sessions |", rules = "|---|---|---:|";
  for (const gate::Answer answer : answers) {
    names += fmt::format(" {} |", to_string(answer));
    rules += "---:|";
  }
  if (has_many) {
    names += " benchmarks | of these slower | faster |";
    rules += "---:|---:|---:|";
  }
  names += " pairs | seconds | other work |";
  rules += "---:|---:|---:|";
  if (has_elsewhere) {
    names += " elsewhere |";
    rules += "---:|";
  }
  std::string text = names + " would find |\n" + rules + "---:|\n";
  for (const gate::RealRow& row : rows)
    text += row_text(row, has_many, has_elsewhere);
  return text;
}

std::string_view state_text(gate::GoalState state) {
  switch (state) {
    case gate::GoalState::kept:
      return "kept  ";
    case gate::GoalState::broken:
      return "BROKEN";
    case gate::GoalState::open:
      break;
  }
  return "open  ";
}

// "2026-11-25", or the first and the last day.
std::string days(const std::vector<gate::RealSession>& sessions) {
  std::set<std::string> days;
  for (const gate::RealSession& session : sessions)
    days.insert(session.started.substr(0, 10));
  if (days.empty()) return "";
  return days.size() == 1 ? *days.begin() : *days.begin() + " to " + *days.rbegin();
}

}  // namespace

std::string real_rates_page(const std::vector<gate::RealSession>& sessions, int heading_level) {
  std::string text = fmt::format("{}, {}\n", counted(sessions.size(), "session"), days(sessions));
  std::string title;
  std::vector<gate::RealRow> rows;
  const auto end_table = [&] {
    if (rows.empty()) return;
    text += fmt::format("\n{} {}\n\n{}", std::string(static_cast<std::size_t>(heading_level), '#'),
                        title, table(rows));
    rows.clear();
  };
  for (const gate::RealRow& row : gate::real_rows(sessions)) {
    const std::string of_row = title_of(row.kind);
    if (of_row != title) end_table();
    title = of_row;
    rows.push_back(row);
  }
  end_table();
  const std::vector<gate::Goal> goals = gate::real_goals(sessions);
  if (!goals.empty()) text += "\n```\n";
  for (const gate::Goal& goal : goals)
    text += fmt::format("{}  {}\n", state_text(goal.state), goal.text);
  return text + (goals.empty() ? "" : "```\n");
}

}  // namespace tunecheck
