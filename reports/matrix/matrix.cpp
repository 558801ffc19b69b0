#include "reports/matrix/matrix.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/checks/table/check.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_reasons = 3;

auto identity(const MatrixTuner& tuner) {
  return std::tie(tuner.adapter, tuner.tuner, tuner.backend, tuner.device);
}

// A part that was run again, or given twice, is one.
void add_parts(const std::vector<MatrixTuner::Part>& later, std::vector<MatrixTuner::Part>& parts) {
  for (const MatrixTuner::Part& part : later) {
    const bool known = std::any_of(parts.begin(), parts.end(), [&](const auto& other) {
      return other.selection == part.selection && other.number == part.number;
    });
    if (!known) parts.push_back(part);
  }
}

// `later` was added after `tuner`, whenever it was run.
void merge(MatrixTuner& tuner, MatrixTuner later) {
  if (later.last_started >= tuner.last_started) {
    tuner.tunecheck_version = later.tunecheck_version;
    tuner.trouble = later.trouble;
  }
  if (!later.adapter_file.empty()) tuner.adapter_file = later.adapter_file;
  tuner.first_started = std::min(tuner.first_started, later.first_started);
  tuner.last_started = std::max(tuner.last_started, later.last_started);
  for (auto& [name, scenario] : later.scenarios) {
    const auto [place, added] = tuner.scenarios.try_emplace(name, scenario);
    if (!added && scenario.started >= place->second.started) place->second = std::move(scenario);
  }
  tuner.left_out.merge(later.left_out);
  for (auto& [name, cause] : later.causes)
    tuner.causes.insert_or_assign(name, std::move(cause));
  std::set<std::string> pending(tuner.pending.begin(), tuner.pending.end());
  pending.insert(later.pending.begin(), later.pending.end());
  for (const auto& [name, scenario] : tuner.scenarios) {
    tuner.left_out.erase(name);
    pending.erase(name);
  }
  tuner.pending.assign(pending.begin(), pending.end());
  add_parts(later.parts, tuner.parts);
}

// What is missing, the most frequent first.
std::string joined(const std::map<std::string, int>& reasons) {
  std::vector<std::pair<std::string, int>> ordered(reasons.begin(), reasons.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [reason, scenarios] : ordered)
    texts.push_back(reason);
  if (texts.size() > most_reasons) {
    const std::size_t others = texts.size() - most_reasons;
    texts.resize(most_reasons);
    texts.push_back(fmt::format("{} more", others));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

const std::string& reason_of(const MatrixScenario& scenario) {
  return scenario.lacks.empty() ? scenario.message : scenario.lacks;
}

std::string lacked_by(const Check* check) {
  if (check == nullptr) return "a capability";
  if (check->capability.empty() && check->policy.empty()) return "observers that see it";
  return check->capability.empty() ? fmt::format("policy {}", check->policy)
                                   : fmt::format("capability {}", check->capability);
}

// Of a check that no scenario has answered and that some could not ask. Where the scenario was
// judged without it, the check itself needs what the adapter lacks.
std::string what_is_missing(const MatrixTuner& tuner, std::string_view check) {
  std::map<std::string, int> reasons;
  const Check* const row = find_check(check);
  for (const auto& [name, scenario] : tuner.scenarios) {
    if (!scenario.checks.contains(std::string(check))) continue;
    if (scenario.verdict == Verdict::unsupported)
      ++reasons[reason_of(scenario)];
    else
      ++reasons[lacked_by(row)];
  }
  return joined(reasons);
}

// Why no scenario that ran names it.
void explain_absence(const MatrixTuner& tuner, std::string_view check, MatrixCell& cell) {
  std::map<std::string, int> reasons;
  for (const auto& [name, scenario] : tuner.left_out)
    if (std::find(scenario.checks.begin(), scenario.checks.end(), check) != scenario.checks.end())
      ++reasons[scenario.reason];
  const bool all_unsupported =
      !tuner.scenarios.empty() &&
      std::all_of(tuner.scenarios.begin(), tuner.scenarios.end(),
                  [](const auto& each) { return each.second.verdict == Verdict::unsupported; });
  if (reasons.empty() && all_unsupported)
    for (const auto& [name, scenario] : tuner.scenarios)
      ++reasons[reason_of(scenario)];
  if (!reasons.empty()) {
    cell.reason = "unsupported: " + joined(reasons);
  } else {
    cell.reason = scenarios_not_run(tuner) == 0 ? "not asked" : "not run: incomplete";
    cell.not_asked = true;
  }
}

// All that the results name, beside those of the table.
std::set<std::string> further_checks(const Matrix& matrix) {
  std::set<std::string> names;
  for (const MatrixTuner& tuner : matrix.tuners)
    for (const auto& [name, scenario] : tuner.scenarios)
      for (const auto& [check, verdict] : scenario.checks)
        if (find_check(check) == nullptr) names.insert(check);
  return names;
}

}  // namespace

void apply_mark(const KnownFailure& mark, MatrixScenario& scenario) {
  const auto began = parse_date(scenario.started.substr(0, 10));
  if (scenario.verdict != Verdict::fail || !began || *began > mark.until) return;
  bool any_failed = false;
  for (const MatrixScenario::Trouble& trouble : scenario.troubles) {
    if (trouble.verdict != Verdict::fail) continue;
    any_failed = true;
    if (!mark.checks.empty() &&
        std::find(mark.checks.begin(), mark.checks.end(), trouble.check) == mark.checks.end())
      return;
  }
  if (!any_failed) {
    // What failed was the mark of that run, which said that it always fails. A matrix file does not
    // keep that, but no scenario fails without a check but by a mark.
    if (mark.at_times.empty()) return;
    scenario.verdict = Verdict::pass;
    scenario.message.clear();
    scenario.tells_of_mark = false;
    for (auto& [check, verdict] : scenario.checks)
      if (verdict == Verdict::fail) verdict = Verdict::error;  // nobody could ask it: no pass
    return;
  }
  const auto explain = [](Verdict& verdict) {
    if (verdict == Verdict::fail) verdict = Verdict::known;
  };
  explain(scenario.verdict);
  for (auto& [check, verdict] : scenario.checks)
    explain(verdict);
  for (MatrixScenario::Trouble& trouble : scenario.troubles)
    explain(trouble.verdict);
  scenario.mark = {mark.reason, mark.link, date_text(mark.until), mark.at_times};
  if (std::exchange(scenario.tells_of_mark, false)) scenario.message.clear();
}

void Matrix::add(MatrixTuner tuner) {
  const auto same = std::find_if(tuners.begin(), tuners.end(), [&](const MatrixTuner& other) {
    return identity(other) == identity(tuner);
  });
  if (same == tuners.end())
    tuners.push_back(std::move(tuner));
  else
    merge(*same, std::move(tuner));
}

std::int64_t MatrixCell::total() const {
  return std::accumulate(scenarios.begin(), scenarios.end(), std::int64_t{0});
}

MatrixCell cell_of(const MatrixTuner& tuner, std::string_view check) {
  MatrixCell cell;
  if (!why_it_did_not_run(tuner).empty()) {
    cell.reason = "did not run";
    cell.not_asked = true;
    return cell;
  }
  for (const auto& [name, scenario] : tuner.scenarios)
    if (const auto answer = scenario.checks.find(std::string(check));
        answer != scenario.checks.end())
      ++cell.scenarios[static_cast<std::size_t>(answer->second)];
  if (cell.total() == 0)
    explain_absence(tuner, check, cell);
  else if (cell.total() == cell.of(Verdict::unsupported))
    cell.reason = "unsupported: " + what_is_missing(tuner, check);
  return cell;
}

MatrixCell scenarios_of(const MatrixTuner& tuner) {
  MatrixCell cell;
  for (const auto& [name, scenario] : tuner.scenarios)
    ++cell.scenarios[static_cast<std::size_t>(scenario.verdict)];
  if (tuner.scenarios.empty()) cell.reason = "none";
  return cell;
}

std::vector<std::string> counts_of(const MatrixCell& cell) {
  std::vector<std::string> texts;
  if (!cell.reason.empty()) return texts;
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::known, Verdict::unsupported, Verdict::error})
    if (cell.of(verdict) > 0)
      texts.push_back(fmt::format("{} {}", cell.of(verdict), name_of(verdict)));
  return texts;
}

std::string text_of(const MatrixCell& cell) {
  return cell.reason.empty() ? fmt::format("{}", fmt::join(counts_of(cell), ", ")) : cell.reason;
}

std::string why_it_did_not_run(const MatrixTuner& tuner) {
  if (tuner.scenarios.empty() && !tuner.trouble.empty()) return tuner.trouble;
  if (!tuner.tuner.empty()) return {};
  for (const auto& [name, scenario] : tuner.scenarios)
    if (!scenario.troubles.empty())
      return "none of its processes ever answered: " + scenario.troubles.front().observed;
  return {};
}

std::int64_t scenarios_not_run(const MatrixTuner& tuner) {
  std::map<std::string, std::int64_t> missing;
  for (const MatrixTuner::Part& part : tuner.parts)
    missing.try_emplace(part.selection, part.scenarios).first->second -= part.own;
  auto all = static_cast<std::int64_t>(tuner.pending.size());
  for (const auto& [selection, scenarios] : missing)
    all += std::max<std::int64_t>(scenarios, 0);
  return all;
}

std::string why_it_is_incomplete(const MatrixTuner& tuner) {
  const std::int64_t not_run = scenarios_not_run(tuner);
  if (not_run == 0) return {};
  return fmt::format(
      "{} of {} not run", not_run,
      counted(static_cast<std::size_t>(not_run) + tuner.scenarios.size(), "scenario"));
}

std::string name_of(const MatrixTuner& tuner) {
  return tuner.tuner.starts_with(tuner.adapter) ? tuner.tuner : tuner.adapter;
}

std::string title_of(const Matrix& matrix, std::size_t index) {
  const MatrixTuner& tuner = matrix.tuners.at(index);
  return fmt::format("{} {} ({})", index + 1, name_of(tuner), tuner.backend);
}

std::string date_of(const MatrixTuner& tuner) {
  const std::string first = tuner.first_started.substr(0, 10);
  const std::string last = tuner.last_started.substr(0, 10);
  return first == last ? first : first + " to " + last;
}

MatrixTable table_of(const Matrix& matrix) {
  MatrixTable table;
  const auto add = [&](std::string_view family, std::string_view check) {
    MatrixRow row{std::string(family), std::string(check), {}};
    for (const MatrixTuner& tuner : matrix.tuners)
      row.cells.push_back(cell_of(tuner, check));
    const bool asked = std::any_of(row.cells.begin(), row.cells.end(),
                                   [](const MatrixCell& cell) { return !cell.not_asked; });
    if (asked)
      table.rows.push_back(std::move(row));
    else
      table.not_asked.emplace_back(check);
  };
  for (const Check& check : all_checks())
    add(check.family, check.name);
  for (const std::string& check : further_checks(matrix))
    add("other", check);
  return table;
}

}  // namespace tunecheck
