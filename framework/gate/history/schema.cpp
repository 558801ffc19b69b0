#include "gate/history/schema.hpp"

#include <array>
#include <string>

#include <SQLiteCpp/Transaction.h>

namespace tunecheck::history {
namespace {

// The step at index N takes a file from version N to N + 1. Files of every version are out there: a
// step is never changed, only added.
constexpr std::array steps = {
    R"sql(
CREATE TABLE fingerprint (
  id     INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  facts  TEXT NOT NULL          -- a JSON object: name to value
) STRICT;
CREATE TABLE run (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  digest            TEXT NOT NULL UNIQUE,  -- of what it was read from
  suite             TEXT NOT NULL,
  source            TEXT NOT NULL,
  started           TEXT NOT NULL,         -- UTC, ISO 8601
  revision          TEXT NOT NULL,
  tuner             TEXT NOT NULL,
  tunecheck_version TEXT NOT NULL,
  environment       TEXT NOT NULL          -- a JSON object: name to value
) STRICT;
CREATE TABLE sample_set (
  run         INTEGER NOT NULL REFERENCES run (id),
  benchmark   TEXT NOT NULL,
  kind        TEXT NOT NULL CHECK (kind IN ('time', 'count')),
  unit        TEXT NOT NULL,
  fingerprint INTEGER NOT NULL REFERENCES fingerprint (id),
  median      REAL NOT NULL,    -- of the processes
  processes   TEXT NOT NULL,    -- a JSON array: the median of each
  PRIMARY KEY (run, benchmark)
) STRICT, WITHOUT ROWID;
)sql",
    R"sql(
CREATE TABLE rename (
  old TEXT PRIMARY KEY,
  new TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql"};

}  // namespace

int newest_schema() noexcept {
  return static_cast<int>(steps.size());
}

void migrate(SQLite::Database& database) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Another process may have done it while this one waited.
  int version = database.execAndGet("PRAGMA user_version").getInt();
  if (version >= newest_schema()) return;
  for (; version < newest_schema(); ++version)
    database.exec(steps.at(static_cast<std::size_t>(version)));
  database.exec("PRAGMA application_id = " + std::to_string(application_id));
  database.exec("PRAGMA user_version = " + std::to_string(newest_schema()));
  transaction.commit();
}

}  // namespace tunecheck::history
