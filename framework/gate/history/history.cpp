#include "gate/history/history.hpp"

#include <algorithm>
#include <set>
#include <sqlite3.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "gate/history/schema.hpp"
#include "gate/rule/pair.hpp"

namespace tunecheck::history {
namespace {

using Json = nlohmann::json;

// How long a call waits for other processes that write.
constexpr int patience_ms = 30'000;

std::string meaning_of(const SQLite::Exception& error) {
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB:
      return "expected a history of tunecheck, found another kind of file";
    case SQLITE_CORRUPT:
      return "expected a history of tunecheck, found a damaged one; it is left as it is";
    case SQLITE_ERROR:  // of the statements, which are right for the tables that check() lets pass
      return fmt::format("expected a history of tunecheck, found other tables in it: {}",
                         error.what());
    case SQLITE_BUSY:
      return fmt::format("another process has been writing for {} s", patience_ms / 1000);
    case SQLITE_FULL:
      return "cannot write: the disk is full; nothing was added";
    case SQLITE_READONLY:
      return "cannot write: the file or its folder is read-only";
    case SQLITE_CANTOPEN:
      return "cannot open it or create a file next to it";
    default:
      return fmt::format("cannot read or write: {}", error.what());
  }
}

// A file that is no history is the user's mistake; one that cannot be read or written now is not.
ErrorKind kind_of(const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  return code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR
             ? ErrorKind::bad_input
             : ErrorKind::machine;
}

// What `work` returns, or as an error what SQLite said.
template <class Work>
auto guarded(const std::filesystem::path& file, Work&& work) -> decltype(work()) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return failure(
        Error{ErrorKind::bad_input, "expected a file, found a folder", file.string(), 0, {}});
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    return failure(Error{kind_of(error), meaning_of(error), file.string(), 0, {}});
  } catch (const Json::exception&) {
    return failure(Error{ErrorKind::bad_input,
                         "expected a history of tunecheck, found one with damaged samples",
                         file.string(),
                         0,
                         {}});
  }
}

tl::unexpected<Error> refusal(const std::filesystem::path& file, std::string message) {
  return failure(Error{ErrorKind::bad_input, std::move(message), file.string(), 0, {}});
}

// An error where the file is of somebody else, newer than this program, or damaged.
Result<void> check(SQLite::Database& database, const std::filesystem::path& file, bool create) {
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  const bool is_empty =
      database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0 && version == 0;
  if (is_empty) {
    if (!create) return refusal(file, "expected a history of tunecheck, found an empty file");
    return {};
  }
  if (database.execAndGet("PRAGMA application_id").getInt() != application_id)
    return refusal(file, "expected a history of tunecheck, found another database of SQLite");
  if (version > newest_schema())
    return refusal(file, fmt::format("expected a schema of at most version {}, found {}: a newer "
                                     "tunecheck wrote it",
                                     newest_schema(), version));
  if (const std::string found = database.execAndGet("PRAGMA quick_check").getString();
      found != "ok")
    return refusal(file,
                   "expected a history of tunecheck, found a damaged one; it is left as it is");
  return {};
}

std::string json_text(const std::map<std::string, std::string>& facts) {
  return Json(facts).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::map<std::string, std::string> facts_from(const std::string& text) {
  return parse_json<Json>(text).get<std::map<std::string, std::string>>();
}

std::int64_t fingerprint_id(SQLite::Database& database, const Fingerprint& fingerprint) {
  const std::string digest = digest_of(fingerprint);
  SQLite::Statement find(database, "SELECT id FROM fingerprint WHERE digest = ?");
  find.bind(1, digest);
  if (find.executeStep()) return find.getColumn(0).getInt64();
  SQLite::Statement insert(database, "INSERT INTO fingerprint (digest, facts) VALUES (?, ?)");
  insert.bind(1, digest);
  insert.bind(2, json_text(fingerprint));
  insert.exec();
  return database.getLastInsertRowid();
}

void insert_sets(SQLite::Database& database, std::int64_t run, const std::vector<SampleSet>& sets) {
  SQLite::Statement insert(database,
                           "INSERT INTO sample_set (run, benchmark, kind, unit, fingerprint, "
                           "median, processes) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const SampleSet& set : sets) {
    insert.bind(1, run);
    insert.bind(2, set.benchmark);
    insert.bind(3, std::string(to_string(set.kind)));
    insert.bind(4, set.unit);
    insert.bind(5, fingerprint_id(database, set.fingerprint));
    insert.bind(6, gate::median(set.processes));
    insert.bind(7, Json(set.processes).dump());
    insert.exec();
    insert.reset();
  }
}

std::int64_t insert_run(SQLite::Database& database, const MeasuredRun& run) {
  SQLite::Statement insert(database,
                           "INSERT INTO run (digest, suite, source, started, revision, tuner, "
                           "tunecheck_version, environment) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  int column = 0;
  for (const std::string* value : {&run.digest, &run.suite, &run.source, &run.started,
                                   &run.revision, &run.tuner, &run.tunecheck_version})
    insert.bind(++column, *value);
  insert.bind(++column, json_text(run.environment));
  insert.exec();
  return database.getLastInsertRowid();
}

std::vector<StoredRun> stored_runs(SQLite::Database& database) {
  std::vector<StoredRun> runs;
  SQLite::Statement query(database,
                          "SELECT id, suite, source, started, revision, tuner, tunecheck_version, "
                          "environment FROM run ORDER BY started, id");
  while (query.executeStep()) {
    StoredRun run;
    run.id = query.getColumn(0).getInt64();
    int column = 0;
    for (std::string* value :
         {&run.suite, &run.source, &run.started, &run.revision, &run.tuner, &run.tunecheck_version})
      *value = query.getColumn(++column).getString();
    run.environment = facts_from(query.getColumn(++column).getString());
    runs.push_back(std::move(run));
  }
  return runs;
}

std::map<std::string, std::string> stored_renames(SQLite::Database& database) {
  std::map<std::string, std::string> renames;
  SQLite::Statement query(database, "SELECT old, new FROM rename");
  while (query.executeStep())
    renames[query.getColumn(0).getString()] = query.getColumn(1).getString();
  return renames;
}

std::string name_today(std::string name, const std::map<std::string, std::string>& renames) {
  // rename() makes no circle; a file that somebody else wrote could have one.
  for (std::size_t steps = 0; steps < renames.size(); ++steps) {
    const auto next = renames.find(name);
    if (next == renames.end()) break;
    name = next->second;
  }
  return name;
}

// An error where two benchmarks of a run would be read as one.
Result<void> check_names(const MeasuredRun& run,
                         const std::map<std::string, std::string>& renames) {
  std::map<std::string, std::string> given;  // today's names to those in the run
  for (const SampleSet& set : run.sets) {
    const auto [other, is_new] = given.emplace(name_today(set.benchmark, renames), set.benchmark);
    if (!is_new)
      return failure(ErrorKind::bad_input,
                     "the run has both \"{}\" and \"{}\", of which one was renamed to the other",
                     other->second, set.benchmark);
  }
  return {};
}

Kind kind_from(const std::string& name) {
  return name == to_string(Kind::time) ? Kind::time : Kind::count;
}

std::vector<Point> stored_points(SQLite::Database& database,
                                 const std::map<std::string, std::string>& renames) {
  std::vector<Point> points;
  SQLite::Statement query(database,
                          "SELECT run, benchmark, kind, unit, fingerprint, median "
                          "FROM sample_set JOIN run ON run.id = sample_set.run "
                          "ORDER BY started, id, benchmark");
  while (query.executeStep()) {
    Point point;
    point.run = query.getColumn(0).getInt64();
    point.benchmark = name_today(query.getColumn(1).getString(), renames);
    point.kind = kind_from(query.getColumn(2).getString());
    point.unit = query.getColumn(3).getString();
    point.fingerprint = query.getColumn(4).getInt64();
    point.median = query.getColumn(5).getDouble();
    points.push_back(std::move(point));
  }
  return points;
}

std::map<std::int64_t, Fingerprint> stored_fingerprints(SQLite::Database& database) {
  std::map<std::int64_t, Fingerprint> fingerprints;
  SQLite::Statement query(database, "SELECT id, facts FROM fingerprint");
  while (query.executeStep())
    fingerprints[query.getColumn(0).getInt64()] = facts_from(query.getColumn(1).getString());
  return fingerprints;
}

Contents contents_of(SQLite::Database& database) {
  SQLite::Transaction snapshot(database);  // one state, whoever writes meanwhile
  Contents contents;
  contents.runs = stored_runs(database);
  contents.renames = stored_renames(database);
  contents.points = stored_points(database, contents.renames);
  contents.fingerprints = stored_fingerprints(database);
  return contents;
}

// An error where the two cannot be one benchmark.
Result<void> check_rename(const Contents& contents, const std::string& old_name,
                          const std::string& new_name) {
  std::set<std::int64_t> old_runs;
  std::set<std::string> old_units, new_units;
  for (const Point& point : contents.points)
    if (point.benchmark == old_name) {
      old_runs.insert(point.run);
      old_units.insert(point.unit);
    }
  if (old_runs.empty())
    return failure(ErrorKind::bad_input, "no run has a benchmark \"{}\"", old_name);
  for (const Point& point : contents.points)
    if (point.benchmark == new_name) {
      if (old_runs.contains(point.run))
        return failure(ErrorKind::bad_input,
                       "run {} has both \"{}\" and \"{}\": they are two benchmarks", point.run,
                       old_name, new_name);
      new_units.insert(point.unit);
    }
  if (new_units.empty())
    return failure(ErrorKind::bad_input, "no run has a benchmark \"{}\"", new_name);
  if (old_units != new_units)
    return failure(ErrorKind::bad_input,
                   "\"{}\" and \"{}\" have different units: they are two benchmarks", old_name,
                   new_name);
  return {};
}

}  // namespace

struct History::State {
  std::filesystem::path file;
  SQLite::Database database;
};

History::History(std::unique_ptr<State> state) : m_state(std::move(state)) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

Result<History> History::open(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return refusal(file, "expected a history; there is none, see tunecheck history add --help");
  return open(file, false);
}

Result<History> History::open_or_create(const std::filesystem::path& file) {
  TUNECHECK_CHECK(create_folders(std::filesystem::absolute(file).parent_path()));
  return open(file, true);
}

Result<History> History::open(const std::filesystem::path& file, bool create) {
  return guarded(file, [&]() -> Result<History> {
    // Who only reads must be able to roll back what a killed process has left half written.
    const int flags = SQLite::OPEN_READWRITE | (create ? SQLite::OPEN_CREATE : 0);
    // Absolute: to SQLite, ":memory:" and what begins with "file:" are no names of files.
    const std::string name = std::filesystem::absolute(file).string();
    auto state =
        std::unique_ptr<State>(new State{file, SQLite::Database(name, flags, patience_ms)});
    SQLite::Database& database = state->database;
    database.exec("PRAGMA trusted_schema = OFF");
    database.exec("PRAGMA foreign_keys = ON");
    // A commit is on the disk before add() returns, the end of its journal included.
    database.exec("PRAGMA synchronous = EXTRA");
    TUNECHECK_CHECK(check(database, file, create));
    if (database.execAndGet("PRAGMA user_version").getInt() < newest_schema()) migrate(database);
    return History(std::move(state));
  });
}

Result<History::Added> History::add(const MeasuredRun& run) {
  TUNECHECK_CHECK(history::check(run));
  return guarded(m_state->file, [&]() -> Result<Added> {
    SQLite::Database& database = m_state->database;
    // Immediate: two that read first and then both wanted to write would refuse each other.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement find(database, "SELECT id FROM run WHERE digest = ?");
    find.bind(1, run.digest);
    if (find.executeStep()) return Added{find.getColumn(0).getInt64(), false};
    TUNECHECK_CHECK(check_names(run, stored_renames(database)));
    const std::int64_t id = insert_run(database, run);
    insert_sets(database, id, run.sets);
    transaction.commit();
    return Added{id, true};
  });
}

Result<Contents> History::read() {
  return guarded(m_state->file,
                 [&]() -> Result<Contents> { return contents_of(m_state->database); });
}

Result<std::vector<SampleSet>> History::sample_sets(std::int64_t run) {
  return guarded(m_state->file, [&]() -> Result<std::vector<SampleSet>> {
    const auto renames = stored_renames(m_state->database);
    std::vector<SampleSet> sets;
    SQLite::Statement query(m_state->database,
                            "SELECT benchmark, kind, unit, facts, processes FROM sample_set JOIN "
                            "fingerprint ON fingerprint.id = fingerprint WHERE run = ? ORDER BY "
                            "benchmark");
    query.bind(1, run);
    while (query.executeStep())
      sets.push_back({name_today(query.getColumn(0).getString(), renames),
                      kind_from(query.getColumn(1).getString()), query.getColumn(2).getString(),
                      facts_from(query.getColumn(3).getString()),
                      parse_json<Json>(query.getColumn(4).getString()).get<std::vector<double>>()});
    return sets;
  });
}

Result<void> History::rename(const std::string& old_name, const std::string& new_name) {
  return guarded(m_state->file, [&]() -> Result<void> {
    SQLite::Transaction transaction(m_state->database, SQLite::TransactionBehavior::IMMEDIATE);
    Contents contents;
    contents.renames = stored_renames(m_state->database);
    contents.points = stored_points(m_state->database, contents.renames);
    TUNECHECK_CHECK(check_rename(contents, old_name, new_name));
    SQLite::Statement insert(m_state->database, "INSERT INTO rename (old, new) VALUES (?, ?)");
    insert.bind(1, old_name);
    insert.bind(2, new_name);
    insert.exec();
    transaction.commit();
    return {};
  });
}

Result<void> History::undo_rename(const std::string& old_name) {
  return guarded(m_state->file, [&]() -> Result<void> {
    SQLite::Statement remove(m_state->database, "DELETE FROM rename WHERE old = ?");
    remove.bind(1, old_name);
    if (remove.exec() == 0)
      return failure(ErrorKind::bad_input, "\"{}\" was not renamed", old_name);
    return {};
  });
}

}  // namespace tunecheck::history
