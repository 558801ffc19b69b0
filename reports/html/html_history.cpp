// add_history() of html_parts.hpp: what changed, and of each benchmark the runs in the order of
// time.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gate/rule/pair.hpp"
#include "reports/fields/history_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/stored/json_document.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_points = 1000;  // of a series; more are gathered
constexpr std::size_t sparkline_points = 60;

HtmlJson html_value(double value, const std::string& unit) {
  return unit == "ns" && value >= 100 ? html_time(value) : HtmlJson(value);
}

HtmlJson html_facts(const std::map<std::string, std::string>& facts) {
  HtmlJson json = HtmlJson::object();
  for (const auto& [name, value] : facts)
    json[html_text(name, 200)] = html_text(value);
  return json;
}

// A run as the page lists it.
HtmlJson html_run(const history::StoredRun& run, HtmlTexts& texts) {
  HtmlJson json = HtmlJson::object();
  for (const Field<history::StoredRun>& field : fields_of(Of<history::StoredRun>{}).all())
    if (field.description.name != "environment") field.write(run, json);
  return html_pack(fields_of(Of<history::StoredRun>{}).description(), json, texts);
}

// One benchmark in one unit, whatever it was measured on.
struct Benchmark {
  std::vector<const history::Series*> series;
  std::vector<const history::Change*> changes;
};

// One history as blocks of the page. The constructor sorts series and changes by benchmark and only
// points into the history, which must outlive the view. add() then adds a block for each
// benchmark's series, which a page reads when somebody looks at it, and last the block that lists
// them all. Every run that is named is in the list of runs: the reader has refused any other
// history.
class HistoryView {
 public:
  explicit HistoryView(const HistoryChanges& history) : m_history(history) {
    for (std::size_t place = 0; place < history.contents.runs.size(); ++place)
      m_places[history.contents.runs[place].id] = place;
    for (const history::Series& series : history.series)
      if (!is_verdict(series.benchmark))
        m_benchmarks[{series.benchmark, series.unit}].series.push_back(&series);
    for (const history::Change& change : history.changes.found)
      if (!is_verdict(change.benchmark))
        m_benchmarks[{change.benchmark, change.unit}].changes.push_back(&change);
  }

  void add(const std::string& file, std::size_t number, HtmlBlocks& blocks) const {
    HtmlJson benchmarks = HtmlJson::array(), changes = HtmlJson::array();
    for (const auto& entry : m_benchmarks) {
      const auto& [benchmark_name, unit] = entry.first;
      const auto& benchmark = entry.second;
      for (const history::Change* const change : benchmark.changes)
        changes.push_back(html_change(*change, benchmarks.size()));
      blocks.add(fmt::format("history-{}-{}", number, benchmarks.size()),
                 {{"series", json_list(benchmark.series, [&](const history::Series* series) {
                     return html_series(*series, benchmark.changes);
                   })}});
      benchmarks.push_back(html_benchmark(benchmark_name, unit, benchmark));
    }
    const auto& [contents, series, found, appearances, options] = m_history;
    const VerdictCounts counts = verdict_counts_of(m_history.series, contents);
    HtmlTexts texts;
    HtmlJson runs = json_list(contents.runs,
                              [&](const history::StoredRun& run) { return html_run(run, texts); });
    HtmlJson fingerprints = HtmlJson::object();
    for (const auto& [id, facts] : contents.fingerprints)
      fingerprints[std::to_string(id)] = html_facts(facts);
    blocks.add(fmt::format("history-{}", number),
               {{"file", html_text(file)},
                {"level", options.level},
                {"least_change", options.least_change},
                {"small_changes", found.small},
                {"too_short", found.too_short.size()},
                {"texts", texts.json()},
                {"runs", std::move(runs)},
                {"fingerprints", fingerprints},
                {"benchmarks", benchmarks},
                {"changes", changes},
                {"verdicts", html_verdicts()},
                {"judged", html_text(counts.scenarios == 0 ? "" : counts.scenarios_text())},
                {"appearances",
                 json_list(appearances,
                           [&](const history::Appearance& each) { return html_appearance(each); })},
                {"renames", json_list(contents.renames, [](const auto& rename) {
                   return HtmlJson{html_text(rename.first), html_text(rename.second)};
                 })}});
  }

 private:
  // From the first run to the last one, and the median of all between two changes: a point of one
  // run is its place and its median; one of several has the last place, least and greatest as well.
  HtmlJson html_series(const history::Series& series,
                       const std::vector<const history::Change*>& changes) const {
    const std::size_t each = (series.points.size() + most_points - 1) / most_points;
    HtmlJson points = HtmlJson::array();
    for (std::size_t begin = 0, end = 0; begin < series.points.size(); begin = end) {
      end = begin + 1;
      while (end < series.points.size() && end - begin < each &&
             !begins_change(series.points[end], changes))
        ++end;
      points.push_back(html_point(series, begin, end));
    }
    return {{"fingerprint", series.fingerprint}, {"points", std::move(points)}};
  }

  static bool begins_change(const history::Point& point,
                            const std::vector<const history::Change*>& changes) {
    return std::any_of(changes.begin(), changes.end(), [&](const history::Change* change) {
      return change->first_after == point.run && change->fingerprint == point.fingerprint;
    });
  }

  HtmlJson html_point(const history::Series& series, std::size_t begin, std::size_t end) const {
    std::vector<double> medians;
    for (std::size_t at = begin; at < end; ++at)
      medians.push_back(series.points[at].median);
    HtmlJson point = {m_places.at(series.points[begin].run),
                      html_value(gate::median(medians), series.unit)};
    if (medians.size() == 1) return point;
    const auto [least, greatest] = std::minmax_element(medians.begin(), medians.end());
    point.push_back(m_places.at(series.points[end - 1].run));
    point.push_back(html_value(*least, series.unit));
    point.push_back(html_value(*greatest, series.unit));
    return point;
  }

  HtmlJson html_benchmark(const std::string& name, const std::string& unit,
                          const Benchmark& benchmark) const {
    // Times under other conditions are no part of the same line.
    const auto last_run = [&](const history::Series* series) {
      return m_places.at(series->points.back().run);
    };
    std::size_t runs = 0;
    const history::Series* last = nullptr;
    for (const history::Series* const series : benchmark.series) {
      if (series->points.empty()) continue;
      runs += series->points.size();
      if (last == nullptr || last_run(series) > last_run(last)) last = series;
    }
    HtmlJson sparkline = HtmlJson::array();
    const std::size_t points = last == nullptr ? 0 : last->points.size();
    const std::size_t dots = std::min(points, sparkline_points);
    for (std::size_t dot = 0; dot < dots; ++dot)
      sparkline.push_back(
          html_value(last->points[dots == 1 ? 0 : dot * (points - 1) / (dots - 1)].median, unit));
    return {{"name", html_text(name)},
            {"unit", html_text(unit, 100)},
            {"runs", runs},
            {"conditions", benchmark.series.size()},
            {"changes", benchmark.changes.size()},
            {"last", last == nullptr ? HtmlJson() : html_value(last->points.back().median, unit)},
            {"state", state_of(name)},
            {"sparkline", std::move(sparkline)}};
  }

  // What became of it at last: "added", "removed" or "".
  std::string state_of(const std::string& benchmark) const {
    std::string state;
    for (const history::Appearance& appearance : m_history.appearances)
      if (appearance.benchmark == benchmark) state = appearance.is_added ? "added" : "removed";
    return state;
  }

  // Benchmark and runs are places in lists.
  HtmlJson html_change(const history::Change& change, std::size_t benchmark) const {
    HtmlJson json = json_of(change);
    json["benchmark"] = benchmark;
    json["last_before"] = m_places.at(change.last_before);
    json["first_after"] = m_places.at(change.first_after);
    json["before"] = html_value(change.before, change.unit);
    json["after"] = html_value(change.after, change.unit);
    json.erase("unit");
    return json;
  }

  // For each scenario that failed in any run: the runs by place, and 1 where it failed.
  HtmlJson html_verdicts() const {
    const auto failed_once = verdict_series_of(m_history.series, m_history.contents);
    return json_list(failed_once, [&](const VerdictSeries& one) {
      HtmlJson failed = HtmlJson::array();
      for (const bool each : one.failed)
        failed.push_back(each ? 1 : 0);
      return HtmlJson{
          {"scenario", html_text(one.name, 300)},
          {"state", one.is_flaky()    ? "flaky"
                    : one.fails_now() ? "failing"
                                      : "mended"},
          {"text", html_text(verdict_text(one, m_history.contents))},
          {"failures", one.failures},
          {"runs", json_list(one.runs, [&](std::int64_t run) { return m_places.at(run); })},
          {"failed", std::move(failed)}};
    });
  }

  HtmlJson html_appearance(const history::Appearance& appearance) const {
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
