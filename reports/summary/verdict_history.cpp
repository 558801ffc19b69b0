#include "reports/summary/verdict_history.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/text.hpp"
#include "reports/summary/brief.hpp"

namespace tunecheck {
namespace {

bool has_verdict(const ScenarioResult& scenario) {
  return scenario.verdict == Verdict::pass || scenario.verdict == Verdict::fail ||
         scenario.verdict == Verdict::known;
}

bool has_verdicts(const history::Series& series) {
  return is_verdict(series.benchmark) && series.unit == verdict_unit;
}

// A file that somebody changed may not say what a series is of.
history::Fingerprint tuner_of(const history::Series& series, const history::Contents& contents) {
  const auto found = contents.fingerprints.find(series.fingerprint);
  return found == contents.fingerprints.end() ? history::Fingerprint() : found->second;
}

VerdictSeries read(const history::Series& series, const history::Contents& contents,
                   bool has_others) {
  VerdictSeries read;
  read.scenario = series.benchmark.substr(verdict_prefix.size());
  read.tuner = tuner_of(series, contents);
  read.name = read.scenario;
  if (has_others) read.name += " of " + tuner_text(read.tuner);
  for (const history::Point& point : series.points) {
    const bool failed = point.median > 0;
    if (read.failed.empty() || read.failed.back() != failed) read.since = point.run;
    if (!read.failed.empty() && read.failed.back() != failed) ++read.flips;
    read.failures += failed ? 1U : 0U;
    read.runs.push_back(point.run);
    read.failed.push_back(failed);
  }
  return read;
}

std::string dated_run(const history::Contents& contents, std::int64_t id) {
  for (const history::StoredRun& run : contents.runs)
    if (run.id == id)
      return fmt::format("run {} ({}{}{})", id, run.started.substr(0, 10),
                         run.revision.empty() ? "" : ", ", run.revision.substr(0, 10));
  return fmt::format("run {}", id);
}

}  // namespace

Result<history::MeasuredRun> verdicts_of(const RunResult& run, std::string digest) {
  if (!run.pending.empty() || !run.trouble.empty())
    return failure(ErrorKind::bad_input, "expected a run that came to its end: {}",
                   why_not_trusted(run));
  history::MeasuredRun stored;
  stored.suite = fmt::format("scenarios of {} on {}", run.adapter, run.backend);
  stored.started = run.started;
  stored.revision = commit_of(run);
  stored.tuner = run.tuner;
  stored.tunecheck_version = run.tunecheck_version;
  stored.environment = run.environment;
  stored.digest = std::move(digest);
  for (const ScenarioResult& scenario : run.scenarios)
    if (has_verdict(scenario))
      stored.sets.push_back({std::string(verdict_prefix) + scenario.name,
                             history::Kind::count,
                             std::string(verdict_unit),
                             verdict_fingerprint_of(run),
                             {scenario.verdict == Verdict::pass ? 0.0 : 1.0}});
  if (stored.sets.empty())
    return failure(ErrorKind::bad_input, "expected a run with a verdict: {}", why_not_trusted(run));
  return stored;
}

bool is_verdict(std::string_view benchmark) {
  return benchmark.starts_with(verdict_prefix);
}

history::Fingerprint verdict_fingerprint_of(const RunResult& run) {
  history::Fingerprint fingerprint = {{"adapter", run.adapter}, {"backend", run.backend}};
  if (const auto device = run.environment.find("device"); device != run.environment.end())
    fingerprint["device"] = device->second;
  return fingerprint;
}

std::string tuner_text(const history::Fingerprint& tuner) {
  const auto fact = [&](const char* name) {
    const auto found = tuner.find(name);
    return found == tuner.end() ? std::string() : found->second;
  };
  if (tuner.empty()) return "a tuner that the history does not name";
  const std::string device = fact("device");
  return fmt::format("{} on {}{}{}", fact("adapter"), fact("backend"), device.empty() ? "" : ", ",
                     device);
}

std::vector<VerdictSeries> verdict_series_of(const std::vector<history::Series>& series,
                                             const history::Contents& contents) {
  const bool has_others = verdict_counts_of(series, contents).tuners > 1;
  std::vector<VerdictSeries> all;
  for (const history::Series& each : series)
    if (has_verdicts(each))
      if (VerdictSeries one = read(each, contents, has_others); one.failures > 0)
        all.push_back(std::move(one));
  std::stable_sort(all.begin(), all.end(), [](const VerdictSeries& a, const VerdictSeries& b) {
    const auto rank = [](const VerdictSeries& one) {
      return std::tuple(one.is_flaky()    ? 0
                        : one.fails_now() ? 1
                                          : 2,
                        -static_cast<double>(one.failures) / static_cast<double>(one.runs.size()),
                        std::string_view(one.name));
    };
    return rank(a) < rank(b);
  });
  return all;
}

std::optional<VerdictSeries> verdict_series_of(const HistoryChanges& history, const RunResult& run,
                                               std::string_view scenario) {
  const history::Fingerprint tuner = verdict_fingerprint_of(run);
  for (const history::Series& each : history.series)
    if (has_verdicts(each) && each.benchmark.substr(verdict_prefix.size()) == scenario &&
        tuner_of(each, history.contents) == tuner)
      return read(each, history.contents, false);
  return std::nullopt;
}

std::string VerdictCounts::scenarios_text() const {
  return counted(scenarios, "scenario") +
         (tuners > 1 ? fmt::format(" of {} tuners", tuners) : std::string());
}

VerdictCounts verdict_counts_of(const std::vector<history::Series>& series,
                                const history::Contents& contents) {
  VerdictCounts counts;
  std::set<std::int64_t> tuners;
  for (const history::Series& each : series) {
    if (!has_verdicts(each)) continue;
    tuners.insert(each.fingerprint);
    ++counts.scenarios;
    const VerdictSeries one = read(each, contents, false);
    if (one.flips > 0) ++counts.changed;
    if (one.is_flaky())
      ++counts.flaky;
    else if (one.fails_now())
      ++counts.failing;
    else if (one.failures > 0)
      ++counts.mended;
  }
  counts.tuners = tuners.size();
  return counts;
}

std::string verdict_text(const VerdictSeries& series, const history::Contents& contents) {
  if (series.is_flaky())
    return fmt::format(
        "flaky: fails in {} of {}, {:.0f} %", series.failures, counted(series.runs.size(), "run"),
        100 * static_cast<double>(series.failures) / static_cast<double>(series.runs.size()));
  if (series.failures == 0) return "held in " + counted(series.runs.size(), "run");
  if (series.flips == 0)
    return "fails in " + counted(series.runs.size(), "run") + ", since the first";
  return fmt::format("{} since {}", series.fails_now() ? "fails" : "no longer fails",
                     dated_run(contents, series.since));
}

}  // namespace tunecheck
