#include "reports/fields/history_fields.hpp"

#include <limits>

#include "gate/rule/pair.hpp"

namespace tunecheck::history {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr const char* units = "Times are in the unit that is given next to them.";

double median_of(const std::optional<SampleSet>& set) {
  return set ? gate::median(set->processes) : none;
}

}  // namespace

const Words<Kind>& words_of(Of<Kind>) {
  static const Words<Kind> words = {{Kind::time, std::string(to_string(Kind::time))},
                                    {Kind::count, std::string(to_string(Kind::count))}};
  return words;
}

const Words<AppearanceEvent>& words_of(Of<AppearanceEvent>) {
  static const Words<AppearanceEvent> words = {{AppearanceEvent::added, "added"},
                                               {AppearanceEvent::removed, "removed"}};
  return words;
}

const Fields<StoredRun>& fields_of(Of<StoredRun>) {
  using T = StoredRun;
  static const Fields<T> fields = {
      "StoredRun",
      "",
      {{"id", &T::id, {.least = 1}},
       {"suite", &T::suite, {.says = "runs of one suite are expected to have the same benchmarks"}},
       {"source", &T::source, {.says = "the file it was read from"}},
       {"started", &T::started, {.says = "UTC, ISO 8601"}},
       {"revision", &T::revision, {.says = "the commit that was measured; empty if unknown"}},
       {"tuner", &T::tuner, {.says = "name and version; empty if unknown"}},
       {"tunecheck_version", &T::tunecheck_version, {.says = "empty if another program measured"}},
       {"environment", &T::environment, {.says = "all that is known about the machine"}}}};
  return fields;
}

const Fields<Summary>& fields_of(Of<Summary>) {
  using T = Summary;
  static const Fields<T> fields = {
      "BenchmarkSummary",
      "",
      {{"benchmark", &T::benchmark},
       {"kind",
        [](const T& summary) { return summary.last.kind; },
        {.says = "times scatter, counts do not"}},
       {"unit", [](const T& summary) { return summary.last.unit; }},
       {"runs", &T::runs, {.says = "that have it", .least = 1}},
       {"fingerprints",
        &T::fingerprints,
        {.says = "different conditions that it was measured under", .least = 1}},
       {"first_run", [](const T& summary) { return summary.first.run; }, {.least = 1}},
       {"last_run", [](const T& summary) { return summary.last.run; }, {.least = 1}},
       {"last_median",
        [](const T& summary) { return summary.last.median; },
        {.says = "of the processes of the last run that has it"}},
       {"missing", &T::is_missing, {.says = "in the last run of its suite"}}}};
  return fields;
}

const Fields<Rename>& fields_of(Of<Rename>) {
  using T = Rename;
  static const Fields<T> fields = {"Rename",
                                   "what is stored as old is read as new",
                                   {{"old", &T::old_name}, {"new", &T::new_name}}};
  return fields;
}

const Fields<SampleSet>& fields_of(Of<SampleSet>) {
  using T = SampleSet;
  static const Fields<T> fields = {
      "SampleSet",
      "",
      {{"benchmark", &T::benchmark},
       {"kind", &T::kind, {.says = "times scatter, counts do not"}},
       {"unit", &T::unit},
       {"fingerprint", &T::fingerprint, {.says = "what the figures depend on besides the tuner"}},
       {"median",
        [](const T& set) { return gate::median(set.processes); },
        {.says = "of the processes"}},
       {"processes",
        &T::processes,
        {.says = "for each process, the median of its samples, or its count"}}}};
  return fields;
}

const Fields<Compared>& fields_of(Of<Compared>) {
  using T = Compared;
  static const Fields<T> fields = {
      "ComparedBenchmark",
      "",
      {{"benchmark", &T::benchmark},
       {"unit", [](const T& both) { return (both.present ? both.present : both.baseline)->unit; }},
       {"baseline",
        [](const T& both) { return median_of(both.baseline); },
        {.says = "the median of its processes; null: added", .null_is = none}},
       {"present",
        [](const T& both) { return median_of(both.present); },
        {.says = "the median of its processes; null: removed", .null_is = none}}}};
  return fields;
}

const Fields<Change>& fields_of(Of<Change>) {
  using T = Change;
  static const Fields<T> fields = {
      "HistoryChange",
      "",
      {{"benchmark", &T::benchmark},
       {"kind", &T::kind, {.says = "times scatter, counts do not"}},
       {"unit", &T::unit},
       {"fingerprint",
        &T::fingerprint,
        {.says = "number of the conditions in this history", .least = 1}},
       {"last_before", &T::last_before, {.says = "the last run before the change", .least = 1}},
       {"first_after", &T::first_after, {.says = "the first run after it", .least = 1}},
       {"before", &T::before, {.says = "the median of the runs since the previous change"}},
       {"after", &T::after, {.says = "the median of the runs until the next change"}},
       {"change", &T::change, {.says = "0.05 is 5 % more; null: from nothing", .null_is = none}},
       {"p",
        &T::p,
        {.says = "how often chance gives as much; 0 of a count, which is exact", .least = 0}}}};
  return fields;
}

const Fields<Point>& fields_of(Of<Point>) {
  using T = Point;
  static const Fields<T> fields = {
      "HistoryPoint",
      "",
      {{"run", &T::run, {.least = 1}}, {"median", &T::median, {.says = "of the run's processes"}}}};
  return fields;
}

const Fields<Series>& fields_of(Of<Series>) {
  using T = Series;
  static const Fields<T> fields = {
      "HistorySeries",
      "one benchmark in one unit under one set of conditions",
      {{"benchmark", &T::benchmark},
       {"kind", &T::kind},
       {"unit", &T::unit},
       {"fingerprint", &T::fingerprint, {.least = 1}},
       {"points", &T::points, {.says = "by the start of their runs"}}}};
  return fields;
}

const Fields<NumberedFingerprint>& fields_of(Of<NumberedFingerprint>) {
  using T = NumberedFingerprint;
  static const Fields<T> fields = {
      "Fingerprint", "", {{"id", &T::id, {.least = 1}}, {"facts", &T::facts}}};
  return fields;
}

const Fields<AppearanceRow>& fields_of(Of<AppearanceRow>) {
  using T = AppearanceRow;
  static const Fields<T> fields = {
      "Appearance",
      "compared with the previous run of the same suite",
      {{"benchmark", &T::benchmark}, {"run", &T::run, {.least = 1}}, {"event", &T::event}}};
  return fields;
}

const Fields<TooShort>& fields_of(Of<TooShort>) {
  using T = TooShort;
  static const Fields<T> fields = {"TooShort",
                                   "",
                                   {{"benchmark", &T::benchmark},
                                    {"fingerprint", &T::fingerprint, {.least = 1}},
                                    {"runs", &T::runs, {.least = 1}}}};
  return fields;
}

const Fields<ListDocument>& fields_of(Of<ListDocument>) {
  using T = ListDocument;
  static const Fields<T> fields = {"HistoryList",
                                   units,
                                   {schema_field<T>(history_schema_version),
                                    {"runs", &T::runs, {.says = "by their start"}},
                                    {"benchmarks", &T::benchmarks, {.says = "by name"}},
                                    {"renames", &T::renames}}};
  return fields;
}

const Fields<RunDocument>& fields_of(Of<RunDocument>) {
  using T = RunDocument;
  static const Fields<T> fields = {"HistoryRun",
                                   units,
                                   {schema_field<T>(history_schema_version),
                                    {"run", &T::run},
                                    {"benchmarks", &T::benchmarks, {.says = "by name"}}}};
  return fields;
}

const Fields<ComparisonDocument>& fields_of(Of<ComparisonDocument>) {
  using T = ComparisonDocument;
  static const Fields<T> fields = {"HistoryComparison",
                                   units,
                                   {schema_field<T>(history_schema_version),
                                    {"baseline", &T::baseline},
                                    {"present", &T::present},
                                    {"benchmarks", &T::benchmarks, {.says = "by name"}}}};
  return fields;
}

const Fields<ChangesDocument>& fields_of(Of<ChangesDocument>) {
  using T = ChangesDocument;
  static const Fields<T> fields = {
      "HistoryChanges",
      units,
      {schema_field<T>(history_schema_version),
       {"level", &T::level, {.says = "the chance of finding any change in times if none changed"}},
       {"level_each", &T::level_each, {.says = "of each series of times"}},
       {"least_change",
        &T::least_change,
        {.says = "smaller changes in times are only counted: 0.02 is 2 %"}},
       {"seed", &T::seed},
       {"runs", &T::runs, {.says = "by their start"}},
       {"fingerprints",
        &T::fingerprints,
        {.says = "what times depend on besides the tuner; since 1.1.0", .is_newer = true}},
       {"series",
        &T::series,
        {.says = "the runs of each benchmark that may be compared; by name, then by the first run; "
                 "since 1.1.0",
         .is_newer = true}},
       {"changes", &T::changes},
       {"small_changes", &T::small_changes},
       {"appearances", &T::appearances},
       {"renames", &T::renames},
       {"too_short",
        &T::too_short,
        {.says = "series of times that have too few runs to show a change"}}}};
  return fields;
}

}  // namespace tunecheck::history
