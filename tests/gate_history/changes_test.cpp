// What a history tells of its benchmarks.
#include "gate/history/changes.hpp"

#include <limits>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <gmock/gmock.h>

#include "gate/history/baseline.hpp"
#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Runs 1, 2, ... of one suite with these points of each benchmark.
Contents history_of(const std::map<std::string, std::vector<Point>>& benchmarks) {
  Contents contents;
  std::size_t runs = 0;
  for (const auto& [name, points] : benchmarks)
    runs = std::max(runs, points.size());
  for (std::size_t i = 0; i < runs; ++i) {
    StoredRun run;
    run.id = static_cast<std::int64_t>(i + 1);
    run.suite = "one";
    contents.runs.push_back(run);
    for (const auto& [name, points] : benchmarks)
      if (i < points.size() && points[i].median > 0) {
        contents.points.push_back(points[i]);
        contents.points.back().run = run.id;
        contents.points.back().benchmark = name;
      }
  }
  return contents;
}

// So many times around 100 ns, by so much longer from the middle on.
std::vector<Point> times(std::size_t count, double change, std::uint64_t seed) {
  boost::random::mt19937_64 random(seed);
  boost::random::normal_distribution<double> normal(0, 0.5);
  std::vector<Point> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    points[i].unit = "ns";
    points[i].median = (100 + normal(random)) * (i < count / 2 ? 1 : 1 + change);
  }
  return points;
}

std::vector<Point> counts(const std::vector<double>& values) {
  std::vector<Point> points;
  for (const double value : values)
    points.push_back({0, "", Kind::count, "compiles", 1, value});
  return points;
}

TEST(Series, keep_units_and_fingerprints_apart) {
  std::vector<Point> points = times(9, 0, 1);
  points[3].fingerprint = points[4].fingerprint = 7;
  points[8].unit = "us";
  const auto series = series_of(history_of({{"b", points}, {"a", times(2, 0, 2)}}));
  ASSERT_THAT(series, SizeIs(4));
  EXPECT_EQ(series[0].benchmark, "a");
  EXPECT_THAT(series[1].points, SizeIs(6));
  EXPECT_THAT(series[2].points, SizeIs(2));
  EXPECT_EQ(series[2].fingerprint, 7);
  EXPECT_EQ(series[3].unit, "us");
}

TEST(Changes, of_times_say_from_what_to_what_and_between_which_runs) {
  const auto changes = find_changes(
      series_of(history_of({{"slower", times(40, 0.1, 1)}, {"steady", times(40, 0, 2)}})), {});
  ASSERT_THAT(changes.found, SizeIs(1));
  const Change& change = changes.found[0];
  EXPECT_EQ(change.benchmark, "slower");
  EXPECT_EQ(change.last_before, 20);
  EXPECT_EQ(change.first_after, 21);
  EXPECT_NEAR(change.before, 100, 0.5);
  EXPECT_NEAR(change.change(), 0.1, 0.01);
  EXPECT_LE(change.p, changes.level_each);
  EXPECT_EQ(changes.level_each, 0.005);
}

TEST(Changes, below_what_is_anybodys_business_are_only_counted) {
  const auto series = series_of(history_of({{"a", times(60, 0.015, 1)}}));
  EXPECT_THAT(find_changes(series, {}).found, IsEmpty());
  EXPECT_EQ(find_changes(series, {}).small, 1U);
  ChangeOptions all;
  all.least_change = 0;
  EXPECT_THAT(find_changes(series, all).found, SizeIs(1));
}

TEST(Changes, of_counts_are_exact) {
  const auto changes =
      find_changes(series_of(history_of({{"compiles", counts({4, 4, 5, 5, 4})}})), {});
  ASSERT_THAT(changes.found, SizeIs(2));
  EXPECT_EQ(changes.found[0].first_after, 3);
  EXPECT_EQ(changes.found[0].after, 5);
  EXPECT_EQ(changes.found[1].first_after, 5);
  EXPECT_EQ(changes.found[0].p, 0);
}

TEST(Changes, are_from_what_was_there_since_the_change_before) {
  const auto changes =
      find_changes(series_of(history_of({{"compiles", counts({9, 4, 4, 6, 6, 5})}})), {});
  ASSERT_THAT(changes.found, SizeIs(3));
  EXPECT_EQ(changes.found[1].before, 4);
  EXPECT_EQ(changes.found[1].after, 6);
  EXPECT_EQ(changes.found[2].before, 6);
}

TEST(Changes, are_not_looked_for_across_fingerprints) {
  std::vector<Point> points = times(40, 0.5, 1);
  for (std::size_t i = 20; i < 40; ++i)
    points[i].fingerprint = 2;
  EXPECT_THAT(find_changes(series_of(history_of({{"a", points}})), {}).found, IsEmpty());
}

TEST(Changes, of_a_history_that_is_too_short_are_said_to_be_unknown) {
  const auto changes = find_changes(series_of(history_of({{"a", times(6, 0.5, 1)}})), {});
  EXPECT_THAT(changes.too_short, ElementsAre(0));
}

TEST(Changes, are_the_same_with_any_number_of_threads) {
  std::map<std::string, std::vector<Point>> benchmarks;
  for (std::uint64_t i = 0; i < 12; ++i)
    benchmarks[fmt::format("benchmark {}", i)] = times(40, i % 3 == 0 ? 0.03 : 0, i);
  const auto series = series_of(history_of(benchmarks));
  ChangeOptions options;
  options.jobs = 1;
  const auto one = find_changes(series, options);
  options.jobs = 3;
  const auto three = find_changes(series, options);
  ASSERT_THAT(one.found, SizeIs(4));
  ASSERT_THAT(three.found, SizeIs(4));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(one.found[i].p, three.found[i].p);
}

// 100 pages of 20 steady benchmarks, of which 1 page may have a change: 6 is 5 deviations more.
TEST(Changes, of_many_steady_benchmarks_are_as_rare_as_of_one) {
  int pages = 0;
  for (std::uint64_t page = 0; page < 100; ++page) {
    std::map<std::string, std::vector<Point>> benchmarks;
    for (std::uint64_t i = 0; i < 20; ++i)
      benchmarks[fmt::format("benchmark {}", i)] = times(40, 0, 100 * page + i);
    ChangeOptions options;
    options.least_change = 0;
    pages += find_changes(series_of(history_of(benchmarks)), options).found.empty() ? 0 : 1;
  }
  EXPECT_LE(pages, 6);
}

// If many changed, each is looked at nearly as hopefully as if it were the only one.
TEST(Changes, of_many_benchmarks_at_once_are_found_as_those_of_one) {
  std::map<std::string, std::vector<Point>> benchmarks;
  for (std::uint64_t i = 0; i < 60; ++i)
    benchmarks[fmt::format("benchmark {}", i)] = times(16, i < 50 ? 0.1 : 0, i);
  const auto changes = find_changes(series_of(history_of(benchmarks)), {});
  EXPECT_THAT(changes.found, SizeIs(50));
  EXPECT_DOUBLE_EQ(changes.level_each, 0.01 * 50 / 60);
  EXPECT_THAT(changes.too_short, IsEmpty());
}

TEST(Changes, of_one_benchmark_among_many_steady_ones_have_to_be_clear) {
  std::map<std::string, std::vector<Point>> benchmarks;
  for (std::uint64_t i = 0; i < 60; ++i)
    benchmarks[fmt::format("benchmark {}", i)] = times(16, i == 7 ? 0.1 : 0, i);
  const auto changes = find_changes(series_of(history_of(benchmarks)), {});
  EXPECT_THAT(changes.found, IsEmpty());
  EXPECT_DOUBLE_EQ(changes.level_each, 0.01 / 60);
  EXPECT_THAT(changes.too_short, SizeIs(60));
}

// 100 pages of 40 benchmarks each, half of which changed: of 2000 that were found, 1 in 100 may be
// of a steady benchmark. 45 is 5 deviations more.
TEST(Changes, of_steady_benchmarks_are_rare_among_those_that_are_found) {
  std::size_t others = 0, found = 0;
  for (std::uint64_t page = 0; page < 100; ++page) {
    std::map<std::string, std::vector<Point>> benchmarks;
    for (std::uint64_t i = 0; i < 40; ++i)
      benchmarks[fmt::format("{} {}", i % 2 == 0 ? "steady" : "changed", i)] =
          times(40, i % 2 == 0 ? 0 : 0.05, 100 * page + i);
    ChangeOptions options;
    options.least_change = 0;
    for (const Change& change : find_changes(series_of(history_of(benchmarks)), options).found)
      ++(change.benchmark.starts_with("steady") ? others : found);
  }
  EXPECT_GE(found, 1990U);
  EXPECT_LE(others, 45U);
}

TEST(Appearances, list_what_came_and_what_is_missing) {
  const double no = -1;
  const auto contents = history_of({{"old", counts({1, 1, no, no})},
                                    {"new", counts({no, no, 1, 1})},
                                    {"kept", counts({1, 1, 1, 1})}});
  std::vector<std::string> found;
  for (const Appearance& appearance : appearances(contents))
    found.push_back(fmt::format("{} {} {}", appearance.run, appearance.is_added ? "+" : "-",
                                appearance.benchmark));
  EXPECT_THAT(found, ElementsAre("3 + new", "3 - old"));
}

TEST(Appearances, of_another_suite_are_not_missed) {
  auto contents = history_of({{"a", counts({1, -1, 1})}, {"b", counts({-1, 1, -1})}});
  contents.runs[1].suite = "two";
  EXPECT_THAT(appearances(contents), IsEmpty());
}

TEST(Baseline, of_the_same_machine_is_compared_benchmark_by_benchmark) {
  const auto both =
      compared({time_of("a", 1), time_of("b", 2)}, {time_of("b", 3), time_of("c", 4)});
  ASSERT_TRUE(both);
  ASSERT_THAT(*both, SizeIs(3));
  EXPECT_FALSE((*both)[0].present);
  EXPECT_EQ((*both)[1].baseline->processes, std::vector<double>{2});
  EXPECT_EQ((*both)[1].present->processes, std::vector<double>{3});
  EXPECT_FALSE((*both)[2].baseline);
}

TEST(Baseline, of_another_machine_is_refused) {
  SampleSet other = time_of("a", 1);
  other.fingerprint["cpu"] = "Fast CPU";
  EXPECT_EQ(mistake_in(compared({time_of("a", 1)}, {other})),
            "benchmark \"a\": measured under different conditions, so times cannot be compared: "
            "cpu: \"Toy CPU\" in the baseline, \"Fast CPU\" now");
  other = time_of("a", 1);
  other.unit = "us";
  EXPECT_EQ(mistake_in(compared({time_of("a", 1)}, {other})),
            "benchmark \"a\": in ns in the baseline, in us now");
}

}  // namespace
}  // namespace tunecheck::test
