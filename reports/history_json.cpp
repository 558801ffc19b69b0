#include "reports/history_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "gate/pair.hpp"
#include "reports/json_document.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;
using namespace history;

template <class Items, class Convert>
Json list(const Items& items, const Convert& convert) {
  Json array = Json::array();
  for (const auto& item : items)
    array.push_back(convert(item));
  return array;
}

Json run_json(const StoredRun& run) {
  return {{"id", run.id},
          {"suite", run.suite},
          {"source", run.source},
          {"started", run.started},
          {"revision", run.revision},
          {"tuner", run.tuner},
          {"tunecheck_version", run.tunecheck_version},
          {"environment", run.environment}};
}

Json summary_json(const Summary& summary) {
  return {{"benchmark", summary.benchmark},
          {"kind", to_string(summary.last.kind)},
          {"unit", summary.last.unit},
          {"runs", summary.runs},
          {"fingerprints", summary.fingerprints},
          {"first_run", summary.first.run},
          {"last_run", summary.last.run},
          {"last_median", summary.last.median},
          {"missing", summary.is_missing}};
}

Json renames_json(const Contents& contents) {
  return list(contents.renames, [](const auto& rename) {
    return Json{{"old", rename.first}, {"new", rename.second}};
  });
}

Json set_json(const SampleSet& set) {
  return {{"benchmark", set.benchmark},
          {"kind", to_string(set.kind)},
          {"unit", set.unit},
          {"fingerprint", set.fingerprint},
          {"median", gate::median(set.processes)},
          {"processes", set.processes}};
}

Json compared_json(const Compared& compared) {
  const auto median = [](const std::optional<SampleSet>& set) {
    return set ? Json(gate::median(set->processes)) : Json();
  };
  return {{"benchmark", compared.benchmark},
          {"unit", (compared.present ? compared.present : compared.baseline)->unit},
          {"baseline", median(compared.baseline)},
          {"present", median(compared.present)}};
}

Json change_json(const Change& change) {
  return {{"benchmark", change.benchmark},
          {"kind", to_string(change.kind)},
          {"unit", change.unit},
          {"fingerprint", change.fingerprint},
          {"last_before", change.last_before},
          {"first_after", change.first_after},
          {"before", change.before},
          {"after", change.after},
          {"change", std::isfinite(change.change()) ? Json(change.change()) : Json()},
          {"p", change.p}};
}

Json point_json(const Point& point) {
  return {{"run", point.run}, {"median", point.median}};
}

Json series_json(const Series& series) {
  return {{"benchmark", series.benchmark},
          {"kind", to_string(series.kind)},
          {"unit", series.unit},
          {"fingerprint", series.fingerprint},
          {"points", list(series.points, point_json)}};
}

Json fingerprint_json(const std::pair<const std::int64_t, Fingerprint>& fingerprint) {
  return {{"id", fingerprint.first}, {"facts", fingerprint.second}};
}

Json appearance_json(const Appearance& appearance) {
  return {{"benchmark", appearance.benchmark},
          {"run", appearance.run},
          {"event", appearance.is_added ? "added" : "removed"}};
}

}  // namespace

std::string history_list_json(const Contents& contents) {
  return json_document({{"schema", history_schema_version},
                        {"runs", list(contents.runs, run_json)},
                        {"benchmarks", list(summaries_of(contents), summary_json)},
                        {"renames", renames_json(contents)}});
}

std::string history_run_json(const StoredRun& run, const std::vector<SampleSet>& sets) {
  return json_document({{"schema", history_schema_version},
                        {"run", run_json(run)},
                        {"benchmarks", list(sets, set_json)}});
}

std::string history_comparison_json(const StoredRun& baseline, const StoredRun& present,
                                    const std::vector<Compared>& benchmarks) {
  return json_document({{"schema", history_schema_version},
                        {"baseline", run_json(baseline)},
                        {"present", run_json(present)},
                        {"benchmarks", list(benchmarks, compared_json)}});
}

std::string history_changes_json(const Contents& contents, const std::vector<Series>& series,
                                 const Changes& changes, const ChangeOptions& options) {
  return json_document({{"schema", history_schema_version},
                        {"level", options.level},
                        {"level_each", changes.level_each},
                        {"least_change", options.least_change},
                        {"seed", options.seed},
                        {"runs", list(contents.runs, run_json)},
                        {"fingerprints", list(contents.fingerprints, fingerprint_json)},
                        {"series", list(series, series_json)},
                        {"changes", list(changes.found, change_json)},
                        {"small_changes", changes.small},
                        {"appearances", list(appearances(contents), appearance_json)},
                        {"renames", renames_json(contents)},
                        {"too_short", list(changes.too_short, [&](std::size_t index) {
                           return Json{{"benchmark", series[index].benchmark},
                                       {"fingerprint", series[index].fingerprint},
                                       {"runs", series[index].points.size()}};
                         })}});
}

}  // namespace tunecheck
