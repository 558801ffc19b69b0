// What is stored is read again; an older file becomes a newer one.
#include "gate/history/history.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "gate/history/schema.hpp"
#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(History, gives_back_what_was_added) {
  const Place place;
  MeasuredRun run = run_of_minute(7);
  run.sets[1].kind = Kind::count;
  run.sets[1].unit = "compiles";
  run.sets[1].processes = {4, 4, 5};
  run.sets[2].fingerprint["kernel_sources"] = "abc";
  EXPECT_TRUE(place.open().add(run).value().is_new);
  History history = History::open(place.file()).value();
  const Contents contents = history.read().value();
  ASSERT_THAT(contents.runs, SizeIs(1));
  EXPECT_EQ(contents.runs[0].suite, "gate");
  EXPECT_EQ(contents.runs[0].source, "out/gate.json");
  EXPECT_EQ(contents.runs[0].started, "2024-05-01T00:07:00Z");
  EXPECT_EQ(contents.runs[0].revision, run.revision);
  EXPECT_EQ(contents.runs[0].tuner, "toy 1.0");
  EXPECT_EQ(contents.runs[0].tunecheck_version, "0.1.0");
  EXPECT_EQ(contents.runs[0].environment, run.environment);
  ASSERT_THAT(contents.points, SizeIs(3));
  EXPECT_EQ(contents.points[0].benchmark, "axpy/large");
  EXPECT_EQ(contents.points[0].kind, Kind::count);
  EXPECT_EQ(contents.points[0].unit, "compiles");
  EXPECT_EQ(contents.points[0].median, 4);
  EXPECT_EQ(contents.points[1].median, 101.25);
  EXPECT_EQ(contents.fingerprints.at(contents.points[1].fingerprint), run.sets[0].fingerprint);
  EXPECT_EQ(contents.fingerprints.at(contents.points[2].fingerprint), run.sets[2].fingerprint);
  const auto sets = history.sample_sets(contents.runs[0].id).value();
  ASSERT_THAT(sets, SizeIs(3));
  EXPECT_EQ(sets[2].benchmark, "sum/small");
  EXPECT_EQ(sets[2].fingerprint, run.sets[2].fingerprint);
  EXPECT_THAT(sets[2].processes, ElementsAre(107.5, 101.25, 99));
  EXPECT_THAT(history.sample_sets(99).value(), IsEmpty());
}

TEST(History, stores_the_same_run_once) {
  const Place place;
  const auto first = place.open().add(run_of_minute(1)).value();
  const auto second = place.open().add(run_of_minute(1)).value();
  EXPECT_FALSE(second.is_new);
  EXPECT_EQ(second.run, first.run);
  EXPECT_THAT(place.open().read().value().points, SizeIs(3));
}

TEST(History, is_in_the_order_in_which_runs_started) {
  const Place place;
  for (const int minute : {5, 90, 2})
    ASSERT_TRUE(place.open().add(run_of_minute(minute)));
  const Contents contents = place.open().read().value();
  EXPECT_EQ(contents.runs[0].started, "2024-05-01T00:02:00Z");
  EXPECT_EQ(contents.runs[2].started, "2024-05-01T01:30:00Z");
  EXPECT_EQ(contents.points[0].run, contents.runs[0].id);
  EXPECT_EQ(contents.points[8].run, contents.runs[2].id);
}

TEST(History, takes_a_run_whole_or_not_at_all) {
  const Place place;
  place.fill(1);
  MeasuredRun run = run_of_minute(1);
  run.sets[2].processes = {-1};
  EXPECT_FALSE(place.open().add(run));
  EXPECT_THAT(place.open().read().value().runs, SizeIs(1));
}

TEST(History, a_fingerprint_is_stored_once) {
  const Place place;
  place.fill(5);
  EXPECT_THAT(place.open().read().value().fingerprints, SizeIs(1));
}

class Renames : public testing::Test {
 protected:
  Renames() {
    MeasuredRun earlier = run_of_minute(1), later = run_of_minute(2);
    later.sets[0].benchmark = "axpy/tiny";
    later.sets[2].unit = "us";
    later.sets[2].benchmark = "sum/tiny";
    EXPECT_TRUE(history.add(earlier) && history.add(later));
  }
  std::vector<std::string> names(std::int64_t run) {
    const std::vector<SampleSet> sets = history.sample_sets(run).value();
    std::vector<std::string> names;
    for (const SampleSet& set : sets)
      names.push_back(set.benchmark);
    return names;
  }

  const Place place;
  History history = place.open();
};

TEST_F(Renames, an_old_name_is_read_as_the_new_one_until_that_is_taken_back) {
  EXPECT_EQ(mistake_in(history.rename("axpy/small", "axpy/tiny")), "");
  EXPECT_THAT(names(1), ElementsAre("axpy/large", "axpy/tiny", "sum/small"));
  EXPECT_EQ(history.read().value().points[1].benchmark, "axpy/tiny");
  EXPECT_EQ(mistake_in(history.undo_rename("axpy/small")), "");
  EXPECT_THAT(names(1), ElementsAre("axpy/large", "axpy/small", "sum/small"));
  EXPECT_EQ(mistake_in(history.undo_rename("axpy/small")), "\"axpy/small\" was not renamed");
}

TEST_F(Renames, follow_each_other) {
  MeasuredRun third = run_of_minute(3);
  third.sets.erase(third.sets.begin() + 1, third.sets.end());
  third.sets[0].benchmark = "axpy/least";
  ASSERT_TRUE(history.add(third));
  EXPECT_EQ(mistake_in(history.rename("axpy/small", "axpy/tiny")), "");
  EXPECT_EQ(mistake_in(history.rename("axpy/tiny", "axpy/least")), "");
  EXPECT_THAT(names(1), testing::Contains("axpy/least"));
  EXPECT_EQ(mistake_in(history.rename("axpy/least", "axpy/small")),
            "no run has a benchmark \"axpy/small\"");
}

TEST_F(Renames, of_two_benchmarks_are_refused) {
  EXPECT_EQ(mistake_in(history.rename("axpy/small", "axpy/large")),
            "run 1 has both \"axpy/small\" and \"axpy/large\": they are two benchmarks");
  EXPECT_EQ(mistake_in(history.rename("sum/small", "sum/tiny")),
            "\"sum/small\" and \"sum/tiny\" have different units: they are two benchmarks");
  EXPECT_EQ(mistake_in(history.rename("axpy/smal", "axpy/tiny")),
            "no run has a benchmark \"axpy/smal\"");
}

TEST_F(Renames, of_a_name_that_a_later_run_has_beside_the_new_one_are_noticed) {
  ASSERT_TRUE(history.rename("axpy/small", "axpy/tiny"));
  MeasuredRun run = run_of_minute(4);
  run.sets[1].benchmark = "axpy/tiny";
  EXPECT_EQ(mistake_in(history.add(run)),
            "the run has both \"axpy/small\" and \"axpy/tiny\", of which one was renamed to the "
            "other");
}

// A file as the first schema made it, with one run.
void make_first_schema(const std::filesystem::path& file) {
  SQLite::Database old(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  old.exec(R"sql(
CREATE TABLE fingerprint (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,
                          facts TEXT NOT NULL) STRICT;
CREATE TABLE run (id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL UNIQUE,
  suite TEXT NOT NULL, source TEXT NOT NULL, started TEXT NOT NULL, revision TEXT NOT NULL,
  tuner TEXT NOT NULL, tunecheck_version TEXT NOT NULL, environment TEXT NOT NULL) STRICT;
CREATE TABLE sample_set (run INTEGER NOT NULL REFERENCES run (id), benchmark TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('time', 'count')), unit TEXT NOT NULL,
  fingerprint INTEGER NOT NULL REFERENCES fingerprint (id), median REAL NOT NULL,
  processes TEXT NOT NULL, PRIMARY KEY (run, benchmark)) STRICT, WITHOUT ROWID;
INSERT INTO fingerprint VALUES (1, 'd', '{"cpu":"Toy CPU"}');
INSERT INTO run VALUES (1, 'old', 'gate', 'a.json', '2024-01-01T00:00:00Z', 'abc', '', '0.1.0', '{}');
INSERT INTO sample_set VALUES (1, 'axpy/small', 'time', 'ns', 1, 90.0, '[90.0]');
PRAGMA user_version = 1;)sql");
  old.exec("PRAGMA application_id = " + std::to_string(application_id));
}

TEST(Schema, of_an_older_version_is_brought_to_the_newest_with_all_that_is_in_it) {
  const Place place;
  make_first_schema(place.file());
  History history = History::open(place.file()).value();
  ASSERT_TRUE(history.add(run_of_minute(1)));
  const Contents contents = history.read().value();
  EXPECT_EQ(contents.runs[0].revision, "abc");
  EXPECT_EQ(contents.points[0].median, 90);
  EXPECT_EQ(SQLite::Database(place.file().string()).execAndGet("PRAGMA user_version").getInt(),
            newest_schema());
}

}  // namespace
}  // namespace tunecheck::test
