#include "reports/terminal/history_pages.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "gate/history/change_points.hpp"
#include "gate/rule/pair.hpp"
#include "reports/summary/quantity.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck {
namespace {

std::string day_and_time(const std::string& started) {
  return started.substr(0, 10) + " " + started.substr(11, 5);
}

std::string commit_text(const std::string& revision) {
  return revision.empty() ? "-" : printable_line(revision.substr(0, 10));
}

std::string counted_text(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

template <class Items, class Text>
std::size_t longest(const Items& items, std::size_t least, const Text& text) {
  for (const auto& item : items)
    least = std::max(least, width_of(text(item)));
  return least;
}

std::string state_of(const history::Summary& summary, const std::vector<history::StoredRun>& runs) {
  if (summary.is_missing) return "removed";
  return summary.first.run == runs.front().id ? "" : "added";
}

std::string last_text(const history::Point& last) {
  if (is_verdict(last.benchmark)) return last.median > 0 ? "failed" : "held";
  return quantity_text(last.median, last.unit);
}

std::string ratio_text(double ratio) {
  if (!std::isfinite(ratio)) return "new";
  return fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

std::string direction_of(const history::Change& change) {
  const double percent = 100 * std::abs(change.change());
  if (change.kind == history::Kind::time)
    return fmt::format("{:.1f} % {}", percent, change.after > change.before ? "slower" : "faster");
  return change.after > change.before ? "more" : "fewer";
}

// What else is known to be another one since the change.
std::string circumstances(const history::Contents& contents, const history::Change& change) {
  const auto find = [&](std::int64_t id) -> const history::StoredRun& {
    return *std::find_if(contents.runs.begin(), contents.runs.end(),
                         [&](const history::StoredRun& run) { return run.id == id; });
  };
  const history::StoredRun &before = find(change.last_before), &after = find(change.first_after);
  std::string text;
  if (before.tuner != after.tuner)
    text += fmt::format("    tuner {} -> {}\n", printable_line(before.tuner),
                        printable_line(after.tuner));
  if (before.tunecheck_version != after.tunecheck_version)
    text += fmt::format("    measured by tunecheck {} -> {}\n",
                        printable_line(before.tunecheck_version),
                        printable_line(after.tunecheck_version));
  return text;
}

std::string entry(const history::Contents& contents, const history::Change& change) {
  return fmt::format(
      "{}\n    {}: {} -> {}, {}\n    from {}\n    after {}\n{}", printable_line(change.benchmark),
      direction_of(change), quantity_text(change.before, change.unit),
      quantity_text(change.after, change.unit),
      change.kind == history::Kind::count ? "counted" : fmt::format("p = {:.2g}", change.p),
      run_text(contents, change.first_after), run_text(contents, change.last_before),
      circumstances(contents, change));
}

std::string facts_text(const std::map<std::string, std::string>& facts) {
  std::string text;
  for (const auto& [name, value] : facts)
    text += fmt::format("  {:<18} {}\n", printable_line(name), printable_line(value));
  return text;
}

std::string renames_text(const history::Contents& contents) {
  std::string text;
  for (const auto& [old_name, new_name] : contents.renames)
    text += fmt::format("renamed: {} -> {}\n", printable_line(old_name), printable_line(new_name));
  return text.empty() ? text : "\n" + text;
}

std::string appearance_text(const history::Contents& contents,
                            const history::Appearance& appearance) {
  return fmt::format("{} {}", appearance.is_added ? "added in" : "removed: not in",
                     run_text(contents, appearance.run));
}

// One entry for each, but a benchmark that comes and goes all the time has a single one.
std::string appearances_text(const history::Contents& contents) {
  constexpr std::size_t most_entries = 4;
  const std::vector<history::Appearance> all = appearances(contents);
  std::map<std::string, std::vector<history::Appearance>> of_each;
  for (const history::Appearance& appearance : all)
    of_each[appearance.benchmark].push_back(appearance);
  std::string text;
  for (const history::Appearance& appearance : all) {
    const auto& its = of_each[appearance.benchmark];
    const bool is_last = its.back().run == appearance.run;
    if (its.size() > most_entries && !is_last) continue;
    text += printable_line(appearance.benchmark) + "\n";
    if (its.size() > most_entries)
      text += fmt::format("    comes and goes: added or removed {} times since {}\n", its.size(),
                          run_text(contents, its.front().run));
    text += fmt::format("    {}\n", appearance_text(contents, appearance));
  }
  return text;
}

}  // namespace

std::string run_text(const history::Contents& contents, std::int64_t run) {
  for (const history::StoredRun& stored : contents.runs)
    if (stored.id == run)
      return fmt::format("run {} ({}{}{})", run, day_and_time(stored.started),
                         stored.revision.empty() ? "" : ", ",
                         stored.revision.empty() ? "" : commit_text(stored.revision));
  return fmt::format("run {}", run);
}

std::string history_list(const history::Contents& contents) {
  std::string text = "run  started           commit      suite; from\n";
  for (const history::StoredRun& run : contents.runs)
    text += fmt::format("{:>3}  {}  {:<10}  {}; {}\n", run.id, day_and_time(run.started),
                        commit_text(run.revision), printable_line(run.suite),
                        printable_line(run.source));
  const std::vector<history::Summary> summaries = summaries_of(contents);
  const std::size_t width = longest(summaries, 9, [](const history::Summary& summary) {
    return printable_line(summary.benchmark);
  });
  text += fmt::format("\n{:<{}}  runs  conditions  in the last run\n", "benchmark", width);
  for (const history::Summary& summary : summaries) {
    const std::string state = state_of(summary, contents.runs);
    text += fmt::format("{:<{}}  {:>4}  {:>10}  {}", printable_line(summary.benchmark), width,
                        summary.runs, summary.fingerprints, last_text(summary.last));
    if (!state.empty())
      text += fmt::format("; {} {} run {}", state, state == "added" ? "in" : "after",
                          state == "added" ? summary.first.run : summary.last.run);
    text += "\n";
  }
  return text + renames_text(contents);
}

std::string history_run(const history::StoredRun& run,
                        const std::vector<history::SampleSet>& sets) {
  std::string text = fmt::format("run {}\n", run.id);
  text += facts_text(
      {{"suite", run.suite},
       {"from", run.source},
       {"started", run.started},
       {"commit", run.revision.empty() ? "unknown" : run.revision},
       {"tuner", run.tuner.empty() ? "unknown" : run.tuner},
       {"measured by",
        run.tunecheck_version.empty() ? "another program" : "tunecheck " + run.tunecheck_version}});
  text += "environment\n" + facts_text(run.environment);
  const std::size_t width =
      longest(sets, 9, [](const history::SampleSet& set) { return printable_line(set.benchmark); });
  text += fmt::format("\n{:<{}}  processes  median; least to greatest\n", "benchmark", width);
  for (const history::SampleSet& set : sets) {
    const auto [least, greatest] = std::minmax_element(set.processes.begin(), set.processes.end());
    text += fmt::format("{:<{}}  {:>9}  {}; {} to {}\n", printable_line(set.benchmark), width,
                        set.processes.size(), quantity_text(gate::median(set.processes), set.unit),
                        quantity_text(*least, set.unit), quantity_text(*greatest, set.unit));
  }
  return text;
}

std::string history_comparison(const history::StoredRun& baseline,
                               const history::StoredRun& present,
                               const std::vector<history::Compared>& benchmarks) {
  std::string text = fmt::format("run {} against run {}\n\n", present.id, baseline.id);
  const std::size_t width = longest(
      benchmarks, 9, [](const history::Compared& each) { return printable_line(each.benchmark); });
  for (const history::Compared& each : benchmarks) {
    text += fmt::format("{:<{}}  ", printable_line(each.benchmark), width);
    if (!each.present) {
      text += "removed\n";
    } else if (!each.baseline) {
      text += "added\n";
    } else {
      const double before = gate::median(each.baseline->processes);
      const double after = gate::median(each.present->processes);
      text += fmt::format("{} -> {}, {}\n", quantity_text(before, each.present->unit),
                          quantity_text(after, each.present->unit),
                          before == after ? "the same" : ratio_text(after / before));
    }
  }
  return text + "\nTwo runs do not tell a change from chance; `tunecheck gate` does.\n";
}

std::string history_changes(const history::Contents& contents,
                            const std::vector<history::Series>& series,
                            const history::Changes& changes,
                            const history::ChangeOptions& options) {
  const VerdictCounts verdicts = verdict_counts_of(series, contents);
  std::string text;
  std::size_t measured = 0;
  for (const history::Change& change : changes.found)
    if (!is_verdict(change.benchmark)) {
      text += entry(contents, change);
      ++measured;
    }
  for (const VerdictSeries& one : verdict_series_of(series, contents))
    text += fmt::format("{}\n    {}\n", printable_line(one.name),
                        printable_line(verdict_text(one, contents)));
  text += appearances_text(contents);
  text += renames_text(contents);
  if (!text.empty()) text += "\n";
  if (!changes.too_short.empty())
    text += fmt::format(
        "{} of {} series have too few runs to show a change. With {}, one can be "
        "found even if nothing else changed.\n",
        changes.too_short.size(), series.size() - verdicts.scenarios,
        history::least_values(changes.level_each));
  if (changes.small > 0)
    text += fmt::format("{} below {:g} % {} left out; see --least.\n",
                        counted_text(changes.small, "change"), 100 * options.least_change,
                        changes.small == 1 ? "is" : "are");
  const std::string runs = counted_text(contents.runs.size(), "run");
  if (verdicts.scenarios > 0)
    text += fmt::format("The verdict changed in {} of {}, in {}.\n", verdicts.changed,
                        verdicts.scenarios_text(), runs);
  if (verdicts.scenarios > 0 && verdicts.scenarios == series.size()) return text;
  return text + fmt::format("{} in {}. If times were steady, the chance of any would be {:g} %.\n",
                            counted_text(measured, "change"), runs, 100 * options.level);
}

}  // namespace tunecheck
