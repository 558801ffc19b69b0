#include "reports/stored/history_reader.hpp"

#include <set>

#include <fmt/format.h>

#include "reports/fields/history_fields.hpp"

namespace tunecheck {
namespace {

using Document = history::ChangesDocument;

// Everything names runs, and a name without a run is a mistake.
class KnownRuns {
 public:
  explicit KnownRuns(const std::vector<history::StoredRun>& runs) {
    for (const history::StoredRun& run : runs)
      m_ids.insert(run.id);
  }

  void check(std::int64_t id, const std::string& pointer) const {
    if (!m_ids.contains(id))
      throw JsonMistake{pointer, fmt::format("expected one of the runs, found {}", id)};
  }

 private:
  std::set<std::int64_t> m_ids;
};

void check_runs(const Document& document) {
  const KnownRuns runs(document.runs);
  for (std::size_t i = 0; i < document.series.size(); ++i)
    for (std::size_t at = 0; at < document.series[i].points.size(); ++at)
      runs.check(document.series[i].points[at].run, fmt::format("/series/{}/points/{}/run", i, at));
  for (std::size_t i = 0; i < document.changes.size(); ++i) {
    runs.check(document.changes[i].last_before, fmt::format("/changes/{}/last_before", i));
    runs.check(document.changes[i].first_after, fmt::format("/changes/{}/first_after", i));
  }
  for (std::size_t i = 0; i < document.appearances.size(); ++i)
    runs.check(document.appearances[i].run, fmt::format("/appearances/{}/run", i));
}

// A point says of which run it is; the rest is said once, by its series.
std::vector<history::Series> with_whole_points(std::vector<history::Series> all) {
  for (history::Series& series : all)
    for (history::Point& point : series.points) {
      point.benchmark = series.benchmark;
      point.kind = series.kind;
      point.unit = series.unit;
      point.fingerprint = series.fingerprint;
    }
  return all;
}

std::vector<std::size_t> too_short_of(const Document& document) {
  std::vector<std::size_t> places;
  for (const history::TooShort& each : document.too_short)
    for (std::size_t i = 0; i < document.series.size(); ++i)
      if (document.series[i].benchmark == each.benchmark &&
          document.series[i].kind == history::Kind::time &&
          document.series[i].fingerprint == each.fingerprint)
        places.push_back(i);
  return places;
}

}  // namespace

HistoryChanges history_changes_from(const JsonValue& json) {
  auto document = read_as<Document>(json);
  check_runs(document);
  HistoryChanges read;
  read.options.level = document.level;
  read.options.least_change = document.least_change;
  read.options.seed = document.seed;
  read.contents.runs = std::move(document.runs);
  for (history::NumberedFingerprint& each : document.fingerprints)
    read.contents.fingerprints[each.id] = std::move(each.facts);
  for (history::Rename& rename : document.renames)
    read.contents.renames[rename.old_name] = std::move(rename.new_name);
  read.changes = {std::move(document.changes), document.small_changes, too_short_of(document),
                  document.level_each};
  for (history::AppearanceRow& each : document.appearances)
    read.appearances.push_back(
        {std::move(each.benchmark), each.run, each.event == history::AppearanceEvent::added});
  read.series = with_whole_points(std::move(document.series));
  return read;
}

}  // namespace tunecheck
