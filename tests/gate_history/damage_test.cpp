// Files that are no history or a damaged one, and disks that take nothing: one line each, and what
// is there stays as it is.
#include <csignal>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "../core/ordinary_user.hpp"
#include "gate/history/history.hpp"
#include "gate/history/schema.hpp"
#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using testing::SizeIs;

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  return read_text_file(file).value();
}

// Neither reading nor writing may succeed, or change the file.
void expect_refused(const Place& place, const std::string& message) {
  const std::string before = text_of(place.file());
  const std::string expected = place.file().string() + ": " + message;
  EXPECT_EQ(mistake_in(History::open(place.file())), expected);
  EXPECT_EQ(mistake_in(History::open_or_create(place.file())), expected);
  EXPECT_EQ(text_of(place.file()), before);
}

constexpr const char* damaged =
    "expected a history of tunecheck, found a damaged one; it is left as it is";

TEST(Damage, a_file_of_another_kind_is_refused) {
  const Place place;
  ASSERT_TRUE(write_file(place.file(), std::string(5000, 'x')));
  expect_refused(place, "expected a history of tunecheck, found another kind of file");
}

TEST(Damage, a_folder_is_refused) {
  const Place place;
  fs::create_directories(place.file());
  const std::string expected = place.file().string() + ": expected a file, found a folder";
  for (const auto& opened : {History::open(place.file()), History::open_or_create(place.file())}) {
    EXPECT_EQ(mistake_in(opened), expected);
    EXPECT_EQ(opened.error().kind, ErrorKind::bad_input);
  }
}

TEST(Damage, one_that_lost_a_table_is_refused) {
  const Place place;
  ASSERT_TRUE(History::open_or_create(place.file()));
  SQLite::Database(place.file().string(), SQLite::OPEN_READWRITE).exec("DROP TABLE run");
  auto opened = History::open(place.file());
  ASSERT_TRUE(opened) << "what is there is only read when it is asked";
  const auto runs = opened->read();
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(runs.error().message,
              testing::HasSubstr("found other tables in it: no such table: run"));
}

TEST(Damage, a_name_that_sqlite_reads_otherwise_is_a_file) {
  const Place place;
  const fs::path before = fs::current_path();
  fs::current_path(place.folder());
  for (const char* const name : {":memory:", "file:h.sqlite?mode=memory"}) {
    EXPECT_TRUE(History::open_or_create(name)) << name;
    EXPECT_TRUE(fs::is_regular_file(place.folder() / name)) << name;
    EXPECT_TRUE(History::open(name)) << name;
  }
  fs::current_path(before);
}

TEST(Damage, a_database_of_somebody_else_is_refused) {
  const Place place;
  SQLite::Database(place.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE run (id INTEGER)");
  expect_refused(place, "expected a history of tunecheck, found another database of SQLite");
}

TEST(Damage, a_newer_schema_is_refused) {
  const Place place;
  place.fill(1);
  SQLite::Database(place.file().string(), SQLite::OPEN_READWRITE)
      .exec("PRAGMA user_version = " + std::to_string(newest_schema() + 1));
  expect_refused(place, fmt::format("expected a schema of at most version {}, found {}: a newer "
                                    "tunecheck wrote it",
                                    newest_schema(), newest_schema() + 1));
}

TEST(Damage, a_truncated_file_is_refused_wherever_it_ends) {
  Place place;
  place.fill(40);
  const std::string whole = text_of(place.file());
  ASSERT_GT(whole.size(), 20'000U);
  for (std::size_t length = 100; length < whole.size(); length += whole.size() / 23) {
    ASSERT_TRUE(write_file(place.file(), whole.substr(0, length)));
    const auto opened = History::open_or_create(place.file());
    EXPECT_FALSE(opened) << length << " of " << whole.size();
    EXPECT_THAT(mistake_in(opened), testing::HasSubstr("expected a history of tunecheck, found"));
    EXPECT_EQ(fs::file_size(place.file()), length);
  }
}

TEST(Damage, a_page_of_other_bytes_is_noticed) {
  const Place place;
  place.fill(40);
  std::string bytes = text_of(place.file());
  bytes.replace(4096 * 2, 4096, std::string(4096, '\x5a'));
  ASSERT_TRUE(write_file(place.file(), bytes));
  expect_refused(place, damaged);
}

TEST(Damage, a_file_that_is_not_there_is_no_history) {
  const Place place;
  EXPECT_EQ(mistake_in(History::open(place.file())),
            place.file().string() +
                ": expected a history; there is none, see tunecheck history add --help");
  EXPECT_FALSE(fs::exists(place.file()));
}

TEST(Damage, an_empty_file_becomes_a_history_only_where_something_is_added) {
  const Place place;
  ASSERT_TRUE(write_file(place.file(), std::string()));
  EXPECT_EQ(mistake_in(History::open(place.file())),
            place.file().string() + ": expected a history of tunecheck, found an empty file");
  place.fill(1);
  EXPECT_THAT(place.open().read().value().runs, SizeIs(1));
}

TEST(Damage, a_folder_that_may_only_be_read_can_be_read) {
  const Place place;
  place.fill(3);
  constexpr fs::perms reading{0555};
  fs::permissions(place.folder(), reading);
  EXPECT_TRUE(as_ordinary_user([&] {
    auto history = History::open(place.file());
    if (!history || history->read().value().runs.size() != 3) return false;
    const auto added = history->add(run_of_minute(9));
    return mistake_in(added) ==
           place.file().string() + ": cannot write: the file or its folder is read-only";
  }));
  EXPECT_TRUE(as_ordinary_user([&] {
    return mistake_in(History::open_or_create(place.folder() / "new.sqlite")) ==
           (place.folder() / "new.sqlite").string() +
               ": cannot open it or create a file next to it";
  }));
  fs::permissions(place.folder(), fs::perms::owner_all);
}

// A limit on the size of files stands for a full disk: both refuse to write on.
bool add_until_the_file_is_full(const fs::path& file) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{fs::file_size(file) + 30'000, fs::file_size(file) + 30'000};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  auto history = History::open(file);
  for (int i = 100; history && i < 1000; ++i)
    if (const auto added = history->add(run_of_minute(i)); !added)
      return mistake_in(added).starts_with(file.string() + ": cannot ");
  return false;
}

TEST(Damage, a_full_disk_loses_nothing_that_was_stored) {
  const Place place;
  place.fill(5);
  fs::permissions(place.folder(), fs::perms::all);
  fs::permissions(place.file(), fs::perms::all);
  EXPECT_TRUE(as_ordinary_user([&] { return add_until_the_file_is_full(place.file()); }));
  const Contents contents = place.open().read().value();
  EXPECT_GT(contents.runs.size(), 5U);
  EXPECT_EQ(contents.points.size(), 3 * contents.runs.size());
  EXPECT_TRUE(place.open().add(run_of_minute(2000)));
}

}  // namespace
}  // namespace tunecheck::test
