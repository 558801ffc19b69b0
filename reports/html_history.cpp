// add_history() of html_parts.hpp: what changed, and of each benchmark the runs in the order of
// time.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gate/pair.hpp"
#include "reports/html_parts.hpp"
#include "reports/json_document.hpp"

namespace tunecheck {
namespace {

using namespace history;

constexpr std::size_t most_points = 1000;  // of a series; more are gathered
constexpr std::size_t sparkline_points = 60;

HtmlJson value_json(double value, const std::string& unit) {
  return unit == "ns" && value >= 100 ? html_time(value) : HtmlJson(value);
}

HtmlJson facts_json(const std::map<std::string, std::string>& facts) {
  HtmlJson json = HtmlJson::object();
  for (const auto& [name, value] : facts)
    json[html_text(name, 200)] = html_text(value);
  return json;
}

// As the page lists it: id, start, commit, tuner, version of tunecheck, suite, file.
HtmlJson run_json(const StoredRun& run) {
  return {run.id,
          html_text(run.started, 40),
          html_text(run.revision, 100),
          html_text(run.tuner, 200),
          html_text(run.tunecheck_version, 100),
          html_text(run.suite, 200),
          html_text(run.source, 400)};
}

// One benchmark in one unit, whatever it was measured on.
struct Benchmark {
  std::vector<const Series*> series;
  std::vector<const Change*> changes;
};

class HistoryView {
 public:
  explicit HistoryView(const HistoryChanges& history) : m_history(history) {
    for (std::size_t place = 0; place < history.contents.runs.size(); ++place)
      m_places[history.contents.runs[place].id] = place;
    for (const Series& series : history.series)
      m_benchmarks[{series.benchmark, series.unit}].series.push_back(&series);
    for (const Change& change : history.changes.found)
      m_benchmarks[{change.benchmark, change.unit}].changes.push_back(&change);
  }

  void add(const std::string& file, std::size_t number, HtmlBlocks& blocks) const {
    HtmlJson benchmarks = HtmlJson::array(), changes = HtmlJson::array();
    for (const auto& entry : m_benchmarks) {
      const auto& [benchmark_name, unit] = entry.first;
      const auto& benchmark = entry.second;
      for (const Change* const change : benchmark.changes)
        changes.push_back(change_json(*change, benchmarks.size()));
      blocks.add(fmt::format("history-{}-{}", number, benchmarks.size()),
                 {{"series", json_list(benchmark.series, [&](const Series* series) {
                     return series_json(*series, benchmark.changes);
                   })}});
      benchmarks.push_back(benchmark_json(benchmark_name, unit, benchmark));
    }
    const auto& [contents, series, found, appearances, options] = m_history;
    HtmlJson fingerprints = HtmlJson::object();
    for (const auto& [id, facts] : contents.fingerprints)
      fingerprints[std::to_string(id)] = facts_json(facts);
    blocks.add(
        fmt::format("history-{}", number),
        {{"file", html_text(file)},
         {"level", options.level},
         {"least_change", options.least_change},
         {"small_changes", found.small},
         {"too_short", found.too_short.size()},
         {"runs", json_list(contents.runs, run_json)},
         {"fingerprints", fingerprints},
         {"benchmarks", benchmarks},
         {"changes", changes},
         {"appearances",
          json_list(appearances, [&](const Appearance& each) { return appearance_json(each); })},
         {"renames", json_list(contents.renames, [](const auto& rename) {
            return HtmlJson{html_text(rename.first), html_text(rename.second)};
          })}});
  }

 private:
  // From the first run to the last one, and the median of all between two changes: a point of one
  // run is its place and its median; one of several has the last place, least and greatest as well.
  HtmlJson series_json(const Series& series, const std::vector<const Change*>& changes) const {
    const std::size_t each = (series.points.size() + most_points - 1) / most_points;
    HtmlJson points = HtmlJson::array();
    for (std::size_t begin = 0, end = 0; begin < series.points.size(); begin = end) {
      end = begin + 1;
      while (end < series.points.size() && end - begin < each &&
             !begins_change(series.points[end], changes))
        ++end;
      points.push_back(point_json(series, begin, end));
    }
    return {{"fingerprint", series.fingerprint}, {"points", std::move(points)}};
  }

  static bool begins_change(const Point& point, const std::vector<const Change*>& changes) {
    return std::any_of(changes.begin(), changes.end(), [&](const Change* change) {
      return change->first_after == point.run && change->fingerprint == point.fingerprint;
    });
  }

  HtmlJson point_json(const Series& series, std::size_t begin, std::size_t end) const {
    std::vector<double> medians;
    for (std::size_t at = begin; at < end; ++at)
      medians.push_back(series.points[at].median);
    HtmlJson point = {m_places.at(series.points[begin].run),
                      value_json(gate::median(medians), series.unit)};
    if (medians.size() == 1) return point;
    const auto [least, greatest] = std::minmax_element(medians.begin(), medians.end());
    point.push_back(m_places.at(series.points[end - 1].run));
    point.push_back(value_json(*least, series.unit));
    point.push_back(value_json(*greatest, series.unit));
    return point;
  }

  HtmlJson benchmark_json(const std::string& name, const std::string& unit,
                          const Benchmark& benchmark) const {
    // Times under other conditions are no part of the same line.
    const auto last_run = [&](const Series* series) {
      return m_places.at(series->points.back().run);
    };
    std::size_t runs = 0;
    const Series* last = nullptr;
    for (const Series* const series : benchmark.series) {
      if (series->points.empty()) continue;
      runs += series->points.size();
      if (last == nullptr || last_run(series) > last_run(last)) last = series;
    }
    HtmlJson sparkline = HtmlJson::array();
    const std::size_t points = last == nullptr ? 0 : last->points.size();
    const std::size_t dots = std::min(points, sparkline_points);
    for (std::size_t dot = 0; dot < dots; ++dot)
      sparkline.push_back(
          value_json(last->points[dots == 1 ? 0 : dot * (points - 1) / (dots - 1)].median, unit));
    return {{"name", html_text(name)},
            {"unit", html_text(unit, 100)},
            {"runs", runs},
            {"conditions", benchmark.series.size()},
            {"changes", benchmark.changes.size()},
            {"last", last == nullptr ? HtmlJson() : value_json(last->points.back().median, unit)},
            {"state", state_of(name)},
            {"sparkline", std::move(sparkline)}};
  }

  // What became of it at last: "added", "removed" or "".
  std::string state_of(const std::string& benchmark) const {
    std::string state;
    for (const Appearance& appearance : m_history.appearances)
      if (appearance.benchmark == benchmark) state = appearance.is_added ? "added" : "removed";
    return state;
  }

  HtmlJson change_json(const Change& change, std::size_t benchmark) const {
    const double share = change.change();
    return {{"benchmark", benchmark},
            {"kind", to_string(change.kind)},
            {"fingerprint", change.fingerprint},
            {"last_before", m_places.at(change.last_before)},
            {"first_after", m_places.at(change.first_after)},
            {"before", value_json(change.before, change.unit)},
            {"after", value_json(change.after, change.unit)},
            {"change", std::isfinite(share) ? HtmlJson(share) : HtmlJson()},
            {"p", change.p}};
  }

  HtmlJson appearance_json(const Appearance& appearance) const {
    return {html_text(appearance.benchmark), m_places.at(appearance.run), appearance.is_added};
  }

  const HistoryChanges& m_history;
  std::map<std::int64_t, std::size_t> m_places;  // of runs, by their start
  std::map<std::pair<std::string, std::string>, Benchmark> m_benchmarks;
};

}  // namespace

void add_history(const HistoryChanges& history, const std::string& file, std::size_t number,
                 HtmlBlocks& blocks) {
  HistoryView(history).add(file, number, blocks);
}

}  // namespace tunecheck
