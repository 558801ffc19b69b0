#include "reports/stored/history_json.hpp"

#include "reports/fields/history_fields.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {
namespace {

std::vector<history::Rename> renames_of(const history::Contents& contents) {
  std::vector<history::Rename> renames;
  for (const auto& [old_name, new_name] : contents.renames)
    renames.push_back({old_name, new_name});
  return renames;
}

}  // namespace

std::string history_list_json(const history::Contents& contents) {
  return json_document(json_of(
      history::ListDocument{contents.runs, history::summaries_of(contents), renames_of(contents)}));
}

std::string history_run_json(const history::StoredRun& run,
                             const std::vector<history::SampleSet>& sets) {
  return json_document(json_of(history::RunDocument{run, sets}));
}

std::string history_comparison_json(const history::StoredRun& baseline,
                                    const history::StoredRun& present,
                                    const std::vector<history::Compared>& benchmarks) {
  return json_document(json_of(history::ComparisonDocument{baseline, present, benchmarks}));
}

std::string history_changes_json(const history::Contents& contents,
                                 const std::vector<history::Series>& series,
                                 const history::Changes& changes,
                                 const history::ChangeOptions& options) {
  history::ChangesDocument document;
  document.level = options.level;
  document.level_each = changes.level_each;
  document.least_change = options.least_change;
  document.seed = options.seed;
  document.runs = contents.runs;
  for (const auto& [id, facts] : contents.fingerprints)
    document.fingerprints.push_back({id, facts});
  document.series = series;
  document.changes = changes.found;
  document.small_changes = changes.small;
  for (const history::Appearance& each : history::appearances(contents))
    document.appearances.push_back(
        {each.benchmark, each.run,
         each.is_added ? history::AppearanceEvent::added : history::AppearanceEvent::removed});
  document.renames = renames_of(contents);
  for (const std::size_t index : changes.too_short)
    document.too_short.push_back(
        {series[index].benchmark, series[index].fingerprint, series[index].points.size()});
  return json_document(json_of(document));
}

}  // namespace tunecheck
