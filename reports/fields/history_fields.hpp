#pragma once
// What `tunecheck history ... --format json` writes, as documents, and their fields. Only
// HistoryChangesDocument is read back.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/history/baseline.hpp"
#include "gate/history/changes.hpp"
#include "reports/fields/field.hpp"

namespace tunecheck {

/// Version of reports/schema/history-*.schema.json. A field that changes its meaning or goes away
/// raises the major number, a new field the minor one.
inline constexpr std::string_view history_schema_version = "1.1.0";

}  // namespace tunecheck

namespace tunecheck::history {

struct Rename {
  std::string old_name, new_name;
};
struct NumberedFingerprint {
  std::int64_t id = 0;
  Fingerprint facts;
};
enum class AppearanceEvent { added, removed };
struct AppearanceRow {
  std::string benchmark;
  std::int64_t run = 0;
  AppearanceEvent event = AppearanceEvent::added;
};
/// A series of times with too few runs to show a change.
struct TooShort {
  std::string benchmark;
  std::int64_t fingerprint = 0;
  std::size_t runs = 0;
};

struct ListDocument {
  std::vector<StoredRun> runs;
  std::vector<Summary> benchmarks;
  std::vector<Rename> renames;
};
struct RunDocument {
  StoredRun run;
  std::vector<SampleSet> benchmarks;
};
struct ComparisonDocument {
  StoredRun baseline, present;
  std::vector<Compared> benchmarks;
};
struct ChangesDocument {
  double level = 0, level_each = 0, least_change = 0;
  std::uint64_t seed = 0;
  std::vector<StoredRun> runs;
  std::vector<NumberedFingerprint> fingerprints;
  std::vector<Series> series;  ///< of their points only `run` and `median` are read
  std::vector<Change> changes;
  std::size_t small_changes = 0;
  std::vector<AppearanceRow> appearances;
  std::vector<Rename> renames;
  std::vector<TooShort> too_short;
};

[[nodiscard]] const Words<Kind>& words_of(Of<Kind>);
[[nodiscard]] const Words<AppearanceEvent>& words_of(Of<AppearanceEvent>);

[[nodiscard]] const Fields<StoredRun>& fields_of(Of<StoredRun>);
[[nodiscard]] const Fields<Summary>& fields_of(Of<Summary>);
[[nodiscard]] const Fields<Rename>& fields_of(Of<Rename>);
[[nodiscard]] const Fields<SampleSet>& fields_of(Of<SampleSet>);
[[nodiscard]] const Fields<Compared>& fields_of(Of<Compared>);
[[nodiscard]] const Fields<Change>& fields_of(Of<Change>);
[[nodiscard]] const Fields<Point>& fields_of(Of<Point>);
[[nodiscard]] const Fields<Series>& fields_of(Of<Series>);
[[nodiscard]] const Fields<NumberedFingerprint>& fields_of(Of<NumberedFingerprint>);
[[nodiscard]] const Fields<AppearanceRow>& fields_of(Of<AppearanceRow>);
[[nodiscard]] const Fields<TooShort>& fields_of(Of<TooShort>);
[[nodiscard]] const Fields<ListDocument>& fields_of(Of<ListDocument>);
[[nodiscard]] const Fields<RunDocument>& fields_of(Of<RunDocument>);
[[nodiscard]] const Fields<ComparisonDocument>& fields_of(Of<ComparisonDocument>);
[[nodiscard]] const Fields<ChangesDocument>& fields_of(Of<ChangesDocument>);

}  // namespace tunecheck::history
