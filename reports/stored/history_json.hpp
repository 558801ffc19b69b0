#pragma once
// The same for programs: reports/schema/history-*.schema.json.
#include <string>
#include <vector>

#include "gate/history/baseline.hpp"
#include "gate/history/changes.hpp"

namespace tunecheck {

/// history-list.schema.json
[[nodiscard]] std::string history_list_json(const history::Contents& contents);

/// history-run.schema.json
[[nodiscard]] std::string history_run_json(const history::StoredRun& run,
                                           const std::vector<history::SampleSet>& sets);

/// history-comparison.schema.json
[[nodiscard]] std::string history_comparison_json(const history::StoredRun& baseline,
                                                  const history::StoredRun& present,
                                                  const std::vector<history::Compared>& benchmarks);

/// history-changes.schema.json
[[nodiscard]] std::string history_changes_json(const history::Contents& contents,
                                               const std::vector<history::Series>& series,
                                               const history::Changes& changes,
                                               const history::ChangeOptions& options);

}  // namespace tunecheck
