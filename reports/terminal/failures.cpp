#include "reports/terminal/failures.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "judge/checks/table/check.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t failure_indent = 12;
constexpr std::size_t most_evidence = 4;

// True where a check of the scenario's own family failed: it failed in what it is about, and not
// because something that every scenario relies on is broken.
bool fails_in_its_family(const ScenarioResult& scenario) {
  return std::any_of(
      scenario.checks.begin(), scenario.checks.end(), [&](const CheckResult& result) {
        const Check* const check = find_check(result.check);
        return is_bad(result) && check != nullptr && check->family == scenario.family;
      });
}

// The families in the order of the checks: wrong results before needless work.
std::ptrdiff_t family_rank(const std::string& family) {
  const auto checks = all_checks();
  return std::find_if(checks.begin(), checks.end(),
                      [&](const Check& check) { return check.family == family; }) -
         checks.begin();
}

std::set<std::string> names_of_bad_checks(const ScenarioResult& scenario) {
  std::set<std::string> names;
  for (const CheckResult& check : scenario.checks)
    if (is_bad(check)) names.insert(check.check);
  return names;
}

auto count_of_bad_checks(const ScenarioResult& scenario) {
  return std::count_if(scenario.checks.begin(), scenario.checks.end(),
                       [](const CheckResult& check) { return is_bad(check); });
}

std::string below(const Page& page, const std::string& file) {
  return (page.options().out / file).string();
}

std::string place_of(const CheckResult& check) {
  std::string place = check.call > 0 ? fmt::format("in call {}", check.call) : "at the end";
  if (!check.process.empty()) place += fmt::format(" of process \"{}\"", check.process);
  if (check.line > 0) place += fmt::format(", line {}", check.line);
  return place;
}

void write_check(Page& page, const CheckResult& check, std::size_t occurrences) {
  const auto summary = page.options().check_summaries.find(check.check);
  std::string title = fmt::format("{}, {}", check.check, place_of(check));
  if (occurrences > 1) title += fmt::format("; also in {}", counted(occurrences - 1, "later call"));
  page.blank();
  page.entry("  check", failure_indent, title, Style::strong);
  if (summary != page.options().check_summaries.end())
    page.entry("  meaning", failure_indent, summary->second);
  page.entry("  expected", failure_indent, check.expected);
  page.entry("  observed", failure_indent, check.observed, Style::warning);
  for (std::size_t i = 0; i < std::min(check.evidence.size(), most_evidence); ++i)
    page.whole_entry(i == 0 ? "  evidence" : "", failure_indent, below(page, check.evidence[i]));
  if (check.evidence.size() > most_evidence)
    page.entry("", failure_indent,
               fmt::format("and {} more", check.evidence.size() - most_evidence));
}

// The first of each check's occurrences: a check that fails in every call fails for one reason.
void write_checks(Page& page, const ScenarioResult& scenario) {
  std::map<std::pair<std::string, Verdict>, std::size_t> occurrences;
  for (const CheckResult& check : scenario.checks)
    if (is_bad(check)) ++occurrences[{check.check, check.verdict}];
  for (const CheckResult& check : scenario.checks) {
    const auto found = occurrences.find({check.check, check.verdict});
    if (found == occurrences.end()) continue;
    write_check(page, check, found->second);
    occurrences.erase(found);
  }
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
  page.whole_entry("  repeat", failure_indent, scenario.repro);
  page.blank();
}

}  // namespace

bool is_bad(const CheckResult& check) {
  return check.verdict == Verdict::fail || check.verdict == Verdict::error;
}

bool is_bad(const ScenarioResult& scenario) {
  return scenario.verdict == Verdict::fail || scenario.verdict == Verdict::error;
}

std::vector<const CheckResult*> bad_checks(const ScenarioResult& scenario) {
  std::vector<const CheckResult*> first;
  for (const CheckResult& check : scenario.checks)
    if (is_bad(check) && std::none_of(first.begin(), first.end(), [&](const CheckResult* other) {
          return other->check == check.check && other->verdict == check.verdict;
        }))
      first.push_back(&check);
  return first;
}

std::string reason_of(const ScenarioResult& scenario) {
  // What a mark makes of a result is said first.
  if (scenario.known && !scenario.message.empty()) return scenario.message;
  const std::vector<const CheckResult*> checks = bad_checks(scenario);
  if (checks.empty()) return scenario.message;
  return fmt::format("{}: expected {}; observed {}{}", checks.front()->check,
                     checks.front()->expected, checks.front()->observed,
                     checks.size() > 1
                         ? fmt::format(" (and {})", counted(checks.size() - 1, "further check"))
                         : "");
}

std::vector<const ScenarioResult*> worst_first(const RunResult& result) {
  std::vector<const ScenarioResult*> worst;
  for (const ScenarioResult& scenario : result.scenarios)
    if (is_bad(scenario)) worst.push_back(&scenario);
  const auto rank = [](const ScenarioResult* scenario) {
    return std::tuple(scenario->verdict == Verdict::error ? 0 : 1,
                      fails_in_its_family(*scenario) ? 0 : 1, family_rank(scenario->family),
                      -count_of_bad_checks(*scenario), std::string_view(scenario->name));
  };
  std::sort(worst.begin(), worst.end(),
            [&](const ScenarioResult* a, const ScenarioResult* b) { return rank(a) < rank(b); });
  return worst;
}

void write_failures(Page& page, const RunResult& result) {
  std::set<std::string> shown;
  std::vector<const ScenarioResult*> alike;
  for (const ScenarioResult* const scenario : worst_first(result)) {
    const std::set<std::string> names = names_of_bad_checks(*scenario);
    const bool nothing_new =
        !names.empty() && scenario->message.empty() &&
        std::includes(shown.begin(), shown.end(), names.begin(), names.end()) &&
        scenario->verdict == Verdict::fail && page.options().detail != Detail::verbose;
    if (nothing_new) {
      alike.push_back(scenario);
      continue;
    }
    shown.insert(names.begin(), names.end());
    write_scenario(page, *scenario);
  }
  if (alike.empty()) return;
  page.line(fmt::format("{} failed only in checks that are explained above:",
                        counted(alike.size(), "further scenario")));
  for (const ScenarioResult* const scenario : alike)
    page.whole_entry("", 2, scenario->name);
  page.blank();
}

}  // namespace tunecheck
