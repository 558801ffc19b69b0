#pragma once
// What `tunecheck history changes --format json` wrote, read back.
#include <cstddef>
#include <vector>

#include "gate/history/changes.hpp"
#include "reports/fields/json_value.hpp"

namespace tunecheck {

/// All of reports/schema/history-changes.schema.json.
struct HistoryChanges {
  history::Contents contents;  ///< without its points: those are in the series
  std::vector<history::Series> series;
  history::Changes changes;
  std::vector<history::Appearance> appearances;
  history::ChangeOptions options;
};

/// Throws a JsonMistake, also where a run is named that the document has not. A document of version
/// 1.0 has no series.
[[nodiscard]] HistoryChanges history_changes_from(const JsonValue& json);

}  // namespace tunecheck
