#include "reports/stored/history_reader.hpp"

#include <array>
#include <set>

namespace tunecheck {
namespace {

history::StoredRun run_from(const JsonValue& json) {
  history::StoredRun run;
  run.id = json.field("id").count();
  run.suite = json.field("suite").text();
  run.source = json.field("source").text();
  run.started = json.field("started").text();
  run.revision = json.field("revision").text();
  run.tuner = json.field("tuner").text();
  run.tunecheck_version = json.field("tunecheck_version").text();
  run.environment = json.field("environment").facts();
  return run;
}

history::Kind kind_from(const JsonValue& json) {
  constexpr std::array kinds = {history::Kind::time, history::Kind::count};
  constexpr std::array<std::string_view, 2> names = {"time", "count"};
  return kinds[json.one_of(names)];
}

// Reads one document of `tunecheck history changes`. read() is called once. Runs come first,
// because everything else names runs, and a name without a run is a mistake; series come before
// what is too short, which points at them. A mistake is thrown from wherever it is found, and then
// nothing is returned of what was read before.
class ChangesReader {
 public:
  explicit ChangesReader(const JsonValue& json) : m_json(json) {}

  HistoryChanges read() {
    m_read.options.level = m_json.field("level").number();
    m_read.options.least_change = m_json.field("least_change").number();
    m_read.options.seed = m_json.field("seed").whole<std::uint64_t>();
    for (const JsonValue& run : m_json.field("runs").items())
      m_ids.insert(m_read.contents.runs.emplace_back(run_from(run)).id);
    for (const JsonValue& each : m_json.field("fingerprints").items_or_none())
      m_read.contents.fingerprints[each.field("id").count()] = each.field("facts").facts();
    for (const JsonValue& rename : m_json.field("renames").items())
      m_read.contents.renames[rename.field("old").text()] = rename.field("new").text();
    for (const JsonValue& series : m_json.field("series").items_or_none())
      m_read.series.push_back(series_from(series));
    read_changes();
    for (const JsonValue& each : m_json.field("appearances").items())
      m_read.appearances.push_back(appearance_from(each));
    return std::move(m_read);
  }

 private:
  std::int64_t known_run(const JsonValue& json) const {
    const std::int64_t id = json.count();
    if (!m_ids.contains(id))
      throw JsonMistake{json.pointer(), fmt::format("expected one of the runs, found {}", id)};
    return id;
  }

  history::Series series_from(const JsonValue& json) const {
    history::Series series{json.field("benchmark").text(),
                           kind_from(json.field("kind")),
                           json.field("unit").text(),
                           json.field("fingerprint").count(),
                           {}};
    for (const JsonValue& point : json.field("points").items())
      series.points.push_back({known_run(point.field("run")), series.benchmark, series.kind,
                               series.unit, series.fingerprint, point.field("median").number()});
    return series;
  }

  history::Change change_from(const JsonValue& json) const {
    // The change itself follows from before and after.
    return {json.field("benchmark").text(),
            kind_from(json.field("kind")),
            json.field("unit").text(),
            json.field("fingerprint").count(),
            known_run(json.field("last_before")),
            known_run(json.field("first_after")),
            json.field("before").number(),
            json.field("after").number(),
            json.field("p").number()};
  }

  void read_changes() {
    m_read.changes.level_each = m_json.field("level_each").number();
    m_read.changes.small = m_json.field("small_changes").whole<std::size_t>();
    for (const JsonValue& change : m_json.field("changes").items())
      m_read.changes.found.push_back(change_from(change));
    for (const JsonValue& each : m_json.field("too_short").items()) {
      const std::string benchmark = each.field("benchmark").text();
      const std::int64_t fingerprint = each.field("fingerprint").count();
      for (std::size_t i = 0; i < m_read.series.size(); ++i)
        if (m_read.series[i].benchmark == benchmark &&
            m_read.series[i].kind == history::Kind::time &&
            m_read.series[i].fingerprint == fingerprint)
          m_read.changes.too_short.push_back(i);
    }
  }

  history::Appearance appearance_from(const JsonValue& json) const {
    constexpr std::array<std::string_view, 2> names = {"added", "removed"};
    return {json.field("benchmark").text(), known_run(json.field("run")),
            json.field("event").one_of(names) == 0};
  }

  const JsonValue& m_json;
  std::set<std::int64_t> m_ids;  // of the runs
  HistoryChanges m_read;
};

}  // namespace

HistoryChanges history_changes_from(const JsonValue& json) {
  return ChangesReader(json).read();
}

}  // namespace tunecheck
