#include "reports/terminal/failures.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plain_text.hpp"
#include "reports/summary/causes.hpp"
#include "reports/summary/failures.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t failure_indent = 12;
constexpr std::size_t most_evidence = 4;
constexpr std::size_t most_names = 12;  // of a cause, in full without --verbose

std::string below(const Page& page, const std::string& file) {
  return (page.options().out / file).string();
}

std::string command_here(const Page& page, const std::string& command) {
  constexpr std::string_view name = "tunecheck ";
  const std::string& program = page.options().program;
  if (program.empty() || !command.starts_with(name)) return command;
  return program + ' ' + command.substr(name.size());
}

std::string place_of(const CheckResult& check) {
  std::string place = check.call > 0 ? fmt::format("in call {}", check.call) : "at the end";
  if (!check.process.empty()) place += fmt::format(" of process \"{}\"", check.process);
  if (check.line > 0) place += fmt::format(", line {}", check.line);
  return place;
}

void write_check(Page& page, const CheckResult& check, std::size_t occurrences) {
  std::string title = fmt::format("{}, {}", check.check, place_of(check));
  if (occurrences > 1) title += fmt::format("; also in {}", counted(occurrences - 1, "later call"));
  page.blank();
  page.entry("  check", failure_indent, title, Style::strong);
  page.entry("  expected", failure_indent, check.expected);
  page.entry("  observed", failure_indent, check.observed, Style::warning);
  for (std::size_t i = 0; i < std::min(check.evidence.size(), most_evidence); ++i)
    page.whole_entry(i == 0 ? "  evidence" : "", failure_indent, below(page, check.evidence[i]));
  if (check.evidence.size() > most_evidence)
    page.entry("", failure_indent,
               fmt::format("and {} more", check.evidence.size() - most_evidence));
}

// The first of each check's occurrences, what explains the others first.
void write_checks(Page& page, const ScenarioResult& scenario) {
  std::map<std::pair<std::string, Verdict>, std::size_t> occurrences;
  for (const CheckResult& check : scenario.checks)
    if (is_bad(check)) ++occurrences[{check.check, check.verdict}];
  for (const CheckResult* const check : causes_first(scenario))
    write_check(page, *check, occurrences.at({check->check, check->verdict}));
}

void write_bad_ends(Page& page, const ScenarioResult& scenario) {
  for (const ProcessSummary& process : scenario.processes)
    if (!process.end.success()) {
      page.entry("  process", failure_indent,
                 fmt::format("\"{}\" ended with {}", process.name, process.end.text()),
                 Style::plain);
      page.whole_entry("  log", failure_indent, below(page, process.log));
    }
}

void write_scenario(Page& page, const ScenarioResult& scenario) {
  const bool error = scenario.verdict == Verdict::error;
  page.entry(error ? "ERROR" : "FAIL", 7, scenario.name, Style::bad);
  page.whole_entry("  in", failure_indent,
                   fmt::format("{}:{} (kernel {})", scenario.file, scenario.line, scenario.kernel));
  page.entry("  because", failure_indent, scenario.because);
  if (!scenario.message.empty())
    page.entry("  message", failure_indent, scenario.message, Style::warning);
  write_checks(page, scenario);
  page.blank();
  write_bad_ends(page, scenario);
  if (!scenario.workspace.empty())
    page.whole_entry("  files", failure_indent, below(page, scenario.workspace));
  page.whole_entry("  repeat", failure_indent, command_here(page, scenario.repro));
  page.blank();
}

std::string title_of(const Cause& cause) {
  return cause.check.empty() ? "no check says why" : cause.check;
}

// "output.reference 56, winner.regret 1"
std::string symptoms_text(const Cause& cause) {
  std::vector<std::string> texts;
  for (const auto& [check, scenarios] : cause.symptoms)
    texts.push_back(fmt::format("{} {}", check, scenarios));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// What is wrong with the tuner in a few lines.
void write_causes(Page& page, const std::vector<Cause>& causes) {
  std::size_t scenarios = 0;
  for (const Cause& cause : causes)
    scenarios += cause.own;
  page.line(fmt::format("{} of {}, and in how many it is:", counted(causes.size(), "cause"),
                        counted(scenarios, "failure")),
            Style::strong);
  for (const Cause& cause : causes) {
    page.entry(fmt::format("  {:4}  {}", cause.scenarios.size(), title_of(cause)), 36,
               cause.meaning, Style::warning, 3);
    if (!cause.symptoms.empty())
      page.entry("", 36, "with it fail: " + symptoms_text(cause), Style::plain, 3);
  }
  page.blank();
}

void write_names(Page& page, const std::vector<const ScenarioResult*>& scenarios) {
  const std::size_t shown = scenarios.size() > most_names + 1 ? most_names : scenarios.size();
  for (std::size_t i = 0; i < shown; ++i)
    page.whole_entry("", 2, scenarios[i]->name);
  if (shown < scenarios.size())
    page.line(fmt::format("  and {} more; --verbose explains each", scenarios.size() - shown));
  page.blank();
}

}  // namespace

void write_failures(Page& page, const RunResult& result) {
  const std::vector<Cause> causes = causes_of(result);
  if (causes.empty()) return;
  write_causes(page, causes);
  std::set<const ScenarioResult*> told;
  for (const Cause& cause : causes) {
    std::vector<const ScenarioResult*> others;
    bool is_explained = false;
    for (const ScenarioResult* const scenario : cause.scenarios) {
      if (told.contains(scenario)) {
        is_explained = true;
        continue;
      }
      told.insert(scenario);
      if (page.options().detail == Detail::verbose || !is_explained) {
        write_scenario(page, *scenario);
        is_explained = true;
      } else {
        others.push_back(scenario);
      }
    }
    if (others.empty()) continue;
    page.line(fmt::format("{} for the same cause, {}:", counted(others.size(), "further failure"),
                          printable_line(title_of(cause))));
    write_names(page, others);
  }
}

}  // namespace tunecheck
