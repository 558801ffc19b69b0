#include "reports/stored/history_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "gate/rule/pair.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

Json stored_run_json(const history::StoredRun& run) {
  return {{"id", run.id},
          {"suite", run.suite},
          {"source", run.source},
          {"started", run.started},
          {"revision", run.revision},
          {"tuner", run.tuner},
          {"tunecheck_version", run.tunecheck_version},
          {"environment", run.environment}};
}

Json summary_json(const history::Summary& summary) {
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

Json renames_json(const history::Contents& contents) {
  return json_list(contents.renames, [](const auto& rename) {
    return Json{{"old", rename.first}, {"new", rename.second}};
  });
}

Json set_json(const history::SampleSet& set) {
  return {{"benchmark", set.benchmark},
          {"kind", to_string(set.kind)},
          {"unit", set.unit},
          {"fingerprint", set.fingerprint},
          {"median", gate::median(set.processes)},
          {"processes", set.processes}};
}

Json compared_json(const history::Compared& compared) {
  const auto median = [](const std::optional<history::SampleSet>& set) {
    return set ? Json(gate::median(set->processes)) : Json();
  };
  return {{"benchmark", compared.benchmark},
          {"unit", (compared.present ? compared.present : compared.baseline)->unit},
          {"baseline", median(compared.baseline)},
          {"present", median(compared.present)}};
}

Json change_json(const history::Change& change) {
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

Json point_json(const history::Point& point) {
  return {{"run", point.run}, {"median", point.median}};
}

Json series_json(const history::Series& series) {
  return {{"benchmark", series.benchmark},
          {"kind", to_string(series.kind)},
          {"unit", series.unit},
          {"fingerprint", series.fingerprint},
          {"points", json_list(series.points, point_json)}};
}

Json fingerprint_json(const std::pair<const std::int64_t, history::Fingerprint>& fingerprint) {
  return {{"id", fingerprint.first}, {"facts", fingerprint.second}};
}

Json appearance_json(const history::Appearance& appearance) {
  return {{"benchmark", appearance.benchmark},
          {"run", appearance.run},
          {"event", appearance.is_added ? "added" : "removed"}};
}

}  // namespace

std::string history_list_json(const history::Contents& contents) {
  return json_document({{"schema", history_schema_version},
                        {"runs", json_list(contents.runs, stored_run_json)},
                        {"benchmarks", json_list(summaries_of(contents), summary_json)},
                        {"renames", renames_json(contents)}});
}

std::string history_run_json(const history::StoredRun& run,
                             const std::vector<history::SampleSet>& sets) {
  return json_document({{"schema", history_schema_version},
                        {"run", stored_run_json(run)},
                        {"benchmarks", json_list(sets, set_json)}});
}

std::string history_comparison_json(const history::StoredRun& baseline,
                                    const history::StoredRun& present,
                                    const std::vector<history::Compared>& benchmarks) {
  return json_document({{"schema", history_schema_version},
                        {"baseline", stored_run_json(baseline)},
                        {"present", stored_run_json(present)},
                        {"benchmarks", json_list(benchmarks, compared_json)}});
}

std::string history_changes_json(const history::Contents& contents,
                                 const std::vector<history::Series>& series,
                                 const history::Changes& changes,
                                 const history::ChangeOptions& options) {
  return json_document({{"schema", history_schema_version},
                        {"level", options.level},
                        {"level_each", changes.level_each},
                        {"least_change", options.least_change},
                        {"seed", options.seed},
                        {"runs", json_list(contents.runs, stored_run_json)},
                        {"fingerprints", json_list(contents.fingerprints, fingerprint_json)},
                        {"series", json_list(series, series_json)},
                        {"changes", json_list(changes.found, change_json)},
                        {"small_changes", changes.small},
                        {"appearances", json_list(appearances(contents), appearance_json)},
                        {"renames", renames_json(contents)},
                        {"too_short", json_list(changes.too_short, [&](std::size_t index) {
                           return Json{{"benchmark", series[index].benchmark},
                                       {"fingerprint", series[index].fingerprint},
                                       {"runs", series[index].points.size()}};
                         })}});
}

}  // namespace tunecheck
