#include "gate/history/changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/digest.hpp"
#include "core/in_parallel.hpp"
#include "gate/history/change_points.hpp"
#include "gate/rule/pair.hpp"

namespace tunecheck::history {
namespace {

double median_of(const Series& series, std::size_t begin, std::size_t end) {
  std::vector<double> medians;
  for (std::size_t at = begin; at < end; ++at)
    medians.push_back(series.points[at].median);
  return gate::median(medians);
}

// A series' shuffles are its own, whichever others there are.
std::uint64_t seed_of(const Series& series, std::uint64_t seed) {
  const std::string digest = key_digest(fmt::format("{} {}", seed, series.benchmark));
  return std::stoull(digest.substr(0, 16), nullptr, 16);
}

std::vector<ChangePoint> exact_changes(const Series& series) {
  std::vector<ChangePoint> changes;
  for (std::size_t at = 1; at < series.points.size(); ++at)
    if (series.points[at].median != series.points[at - 1].median) changes.push_back({at, 0});
  return changes;
}

std::vector<double> values_of(const Series& series) {
  std::vector<double> values;
  for (const Point& point : series.points)
    values.push_back(point.median);
  return values;
}

std::vector<ChangePoint> changes_of(const Series& series, double level, std::uint64_t seed) {
  if (series.kind == Kind::count) return exact_changes(series);
  return change_points(values_of(series), {level, seed_of(series, seed)});
}

bool can_show(const Series& series, double level) {
  return series.kind == Kind::count || can_show_a_change(series.points.size(), level);
}

// The level of each series of times, by Benjamini and Hochberg (Controlling the false discovery
// rate, Journal of the Royal Statistical Society B, 1995): the whole level where all changed, and a
// part of it where some did, so that of the series with a change no more than the level are steady
// ones. If none changed, that is the chance to find any. Begins with the whole level and lowers it
// until as many are left as it is for.
double level_of_each(const std::vector<Series>& series, const ChangeOptions& options) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < series.size(); ++i)
    if (series[i].kind == Kind::time && can_show(series[i], options.level)) left.push_back(i);
  const double all = std::max(static_cast<double>(left.size()), 1.0);
  double level = options.level;
  for (;;) {
    std::vector<char> changed(left.size(), 0);
    in_parallel(left.size(), worker_count(options.jobs), [&](std::size_t i) {
      const Series& one = series[left[i]];
      changed[i] =
          can_show(one, level) && has_change(values_of(one), {level, seed_of(one, options.seed)});
    });
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (changed[i] != 0) still.push_back(left[i]);
    if (still.size() == left.size()) return level;
    level = options.level * std::max(static_cast<double>(still.size()), 1.0) / all;
    if (still.empty()) return level;
    left = std::move(still);
  }
}

std::vector<Change> described(const Series& series, const std::vector<ChangePoint>& points) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t at = points[i].at;
    const std::size_t begin = i == 0 ? 0 : points[i - 1].at;
    const std::size_t end = i + 1 < points.size() ? points[i + 1].at : series.points.size();
    Change change{series.benchmark, series.kind, series.unit, series.fingerprint};
    change.last_before = series.points[at - 1].run;
    change.first_after = series.points[at].run;
    change.before = median_of(series, begin, at);
    change.after = median_of(series, at, end);
    change.p = points[i].p;
    changes.push_back(std::move(change));
  }
  return changes;
}

bool is_small(const Change& change, double least_change) {
  return change.kind == Kind::time &&
         std::abs(std::log(change.after / change.before)) < std::log1p(least_change);
}

}  // namespace

std::vector<Series> series_of(const Contents& contents) {
  std::vector<Series> series;
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::size_t> places;
  for (const Point& point : contents.points) {
    const auto [place, is_new] =
        places.try_emplace({point.benchmark, point.unit, point.fingerprint}, series.size());
    if (is_new) series.push_back({point.benchmark, point.kind, point.unit, point.fingerprint, {}});
    series[place->second].points.push_back(point);
  }
  std::stable_sort(series.begin(), series.end(),
                   [](const Series& a, const Series& b) { return a.benchmark < b.benchmark; });
  return series;
}

std::vector<Appearance> appearances(const Contents& contents) {
  std::map<std::int64_t, std::set<std::string>> names;
  for (const Point& point : contents.points)
    names[point.run].insert(point.benchmark);
  std::map<std::string, std::int64_t> last_of_suite;
  std::vector<Appearance> found;
  for (const StoredRun& run : contents.runs) {
    const auto [last, is_first] = last_of_suite.try_emplace(run.suite, run.id);
    if (is_first) continue;
    std::map<std::string, bool> differences;  // to is_added, by name
    for (const std::string& name : names[run.id])
      if (!names[last->second].contains(name)) differences[name] = true;
    for (const std::string& name : names[last->second])
      if (!names[run.id].contains(name)) differences[name] = false;
    for (const auto& [name, is_added] : differences)
      found.push_back({name, run.id, is_added});
    last->second = run.id;
  }
  return found;
}

std::vector<Summary> summaries_of(const Contents& contents) {
  std::map<std::int64_t, std::string> suites;
  std::map<std::string, std::int64_t> last_of_suite;
  for (const StoredRun& run : contents.runs) {
    suites[run.id] = run.suite;
    last_of_suite[run.suite] = run.id;
  }
  std::map<std::string, Summary> by_name;
  std::map<std::string, std::set<std::int64_t>> fingerprints;
  for (const Point& point : contents.points) {
    Summary& summary = by_name[point.benchmark];
    if (summary.runs++ == 0) summary.first = point;
    summary.last = point;
    fingerprints[point.benchmark].insert(point.fingerprint);
  }
  std::vector<Summary> summaries;
  for (auto& [name, summary] : by_name) {
    summary.benchmark = name;
    summary.fingerprints = fingerprints[name].size();
    summary.is_missing = last_of_suite[suites[summary.last.run]] != summary.last.run;
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

Changes find_changes(const std::vector<Series>& series, const ChangeOptions& options) {
  Changes changes;
  changes.level_each = level_of_each(series, options);
  std::vector<std::vector<Change>> of_each(series.size());
  in_parallel(series.size(), worker_count(options.jobs), [&](std::size_t i) {
    if (can_show(series[i], changes.level_each))
      of_each[i] = described(series[i], changes_of(series[i], changes.level_each, options.seed));
  });
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!can_show(series[i], changes.level_each)) changes.too_short.push_back(i);
    for (Change& change : of_each[i])
      if (is_small(change, options.least_change))
        ++changes.small;
      else
        changes.found.push_back(std::move(change));
  }
  return changes;
}

}  // namespace tunecheck::history
