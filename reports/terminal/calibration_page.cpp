#include "reports/terminal/calibration_page.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "gate/rule/noise.hpp"
#include "gate/rule/other_rules.hpp"

namespace tunecheck {
namespace {

// Never "0 %" or "100 %" where it was not every time.
std::string share_text(std::size_t count, std::size_t of) {
  if (count == 0) return "0 %";
  if (count == of) return "100 %";
  const double percent = 100 * static_cast<double>(count) / static_cast<double>(of);
  if (percent < 0.1 || percent > 99.9) return fmt::format("{:.3f} %", percent);
  return fmt::format("{:.1f} %", percent);
}

std::string row(std::string_view name, const std::vector<std::string>& cells) {
  std::string text = fmt::format("| {:<34} |", name);
  for (const std::string& cell : cells)
    text += fmt::format(" {:>8} |", cell);
  return text + "\n";
}

std::string own_row(const gate::MachineCalibration& machine, gate::Answer answer,
                    std::size_t sessions) {
  std::vector<std::string> cells;
  for (const gate::OwnCounts& counts : machine.own)
    cells.push_back(share_text(counts.of(answer), sessions));
  return row(answer == gate::Answer::regression
                 ? "**tunecheck gate**: regression"
                 : fmt::format("tunecheck gate: {}", to_string(answer)),
             cells);
}

std::string table(const gate::MachineCalibration& machine, std::size_t sessions) {
  std::vector<std::string> heads, rules, pairs;
  for (std::size_t i = 0; i < gate::planted_slowdowns.size(); ++i) {
    heads.push_back(i == 0 ? "same" : fmt::format("+{:.0f} %", 100 * gate::planted_slowdowns[i]));
    rules.emplace_back("---:");
    pairs.push_back(fmt::format(
        "{:.1f}", static_cast<double>(machine.own[i].pairs) / static_cast<double>(sessions)));
  }
  std::string text = row("called slower", heads) + row("---", rules);
  for (const gate::Answer answer : {gate::Answer::regression, gate::Answer::inconclusive,
                                    gate::Answer::pass, gate::Answer::improved})
    text += own_row(machine, answer, sessions);
  text += row("tunecheck gate: pairs, on average", pairs);
  for (std::size_t i = 0; i < machine.others.size(); ++i) {
    std::vector<std::string> cells;
    for (const std::size_t count : machine.others[i])
      cells.push_back(share_text(count, sessions));
    text += row(gate::other_rules()[i].name, cells);
  }
  return text;
}

}  // namespace

std::string calibration_page(const gate::Calibration& calibration) {
  const std::size_t sessions = calibration.options.sessions;
  std::string text = fmt::format("{} per cell, seed {}\n", counted(sessions, "simulated session"),
                                 calibration.options.seed);
  for (std::size_t i = 0; i < calibration.machines.size(); ++i) {
    const gate::MachineCalibration& machine = calibration.machines[i];
    text += fmt::format("\n### {}: {}\n\n{}\n", machine.machine, gate::noise_models()[i].meaning,
                        table(machine, sessions));
    text += fmt::format(
        "The smallest slowdown that a session without one says it would find: {:.1f} % on average, "
        "found in {} of the sessions that had it.\n",
        100 * machine.stated / static_cast<double>(sessions),
        share_text(machine.stated_found, sessions));
  }
  text += "\n";
  for (const gate::Promise& promise : promises(calibration))
    text += fmt::format("{}  {}\n", promise.is_kept ? "kept  " : "BROKEN", promise.text);
  return text;
}

}  // namespace tunecheck
