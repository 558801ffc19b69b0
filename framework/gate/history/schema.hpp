#pragma once
// The tables of a history and how an older file becomes a newer one.
//
//   run          a row per run: where it was read from, when, which revision, tuner and machine
//   sample_set   a row per run and benchmark: the median, and those of its processes as JSON
//   fingerprint  the conditions of a measurement; each is stored once, by its digest
//   rename       what a benchmark was called, and what it is called
//
// What was measured is never changed: a rename is a row of its own, and names are translated when
// they are read, so that it can be taken back. The median stands next to the array from which it
// follows, so that reading a whole history parses no samples. Times of single launches are not
// kept; the session's own file has them. Version 1 had no renames. docs/history.md shows the
// statements.
#include <SQLiteCpp/Database.h>

namespace tunecheck::history {

/// `PRAGMA user_version` of a history; 0 is a file without tables.
[[nodiscard]] int newest_schema() noexcept;

/// `PRAGMA application_id`, which tells a history from other files of SQLite.
inline constexpr int application_id = 0x74756e65;  // "tune"

/// Takes `database` to the newest schema in one transaction, of which either all happens or
/// nothing. Several processes may try at once. Throws SQLite::Exception.
void migrate(SQLite::Database& database);

}  // namespace tunecheck::history
