#pragma once
// The tables of a history and how an older file becomes a newer one. docs/history.md shows them.
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
