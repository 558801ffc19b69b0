#include "gate/history/run.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;

std::string mistake_with(double value, Kind kind) {
  MeasuredRun run = run_of_minute(0);
  run.sets[1].kind = kind;
  run.sets[1].processes = {1, 2, value};
  return mistake_in(check(run));
}

TEST(Run, made_by_hand_is_in_order) {
  EXPECT_EQ(mistake_in(check(run_of_minute(0))), "");
}

TEST(Run, refuses_samples_that_no_clock_gives) {
  const std::string expected = "benchmark \"axpy/large\": expected a positive time, found ";
  EXPECT_EQ(mistake_with(0, Kind::time), expected + "0");
  EXPECT_EQ(mistake_with(-1, Kind::time), expected + "-1");
  EXPECT_EQ(mistake_with(std::numeric_limits<double>::quiet_NaN(), Kind::time), expected + "nan");
  EXPECT_EQ(mistake_with(std::numeric_limits<double>::infinity(), Kind::time), expected + "inf");
}

TEST(Run, refuses_counts_that_nobody_counts) {
  const std::string expected = "benchmark \"axpy/large\": expected a count, found ";
  EXPECT_EQ(mistake_with(-1, Kind::count), expected + "-1");
  EXPECT_EQ(mistake_with(0.5, Kind::count), expected + "0.5");
}

TEST(Run, refuses_what_is_missing_or_there_twice) {
  MeasuredRun run = run_of_minute(0);
  run.sets[0].processes.clear();
  EXPECT_EQ(mistake_in(check(run)), "benchmark \"axpy/small\": expected at least one sample");
  run.sets[0] = run.sets[1];
  EXPECT_EQ(mistake_in(check(run)), "benchmark \"axpy/large\": expected once, found twice");
  run.sets[0].benchmark.clear();
  EXPECT_EQ(mistake_in(check(run)), "expected a name of each benchmark");
  run.sets.clear();
  EXPECT_EQ(mistake_in(check(run)), "expected at least one benchmark");
}

TEST(Run, refuses_a_start_that_is_no_time) {
  MeasuredRun run = run_of_minute(0);
  run.started = "yesterday";
  EXPECT_EQ(mistake_in(check(run)),
            "expected a time such as 2024-05-01T12:00:00Z, found \"yesterday\"");
}

TEST(Time, of_any_zone_becomes_utc) {
  EXPECT_EQ(to_utc("2024-05-01T12:00:00Z").value(), "2024-05-01T12:00:00Z");
  EXPECT_EQ(to_utc("2024-05-01T00:30:00+02:00").value(), "2024-04-30T22:30:00Z");
  EXPECT_EQ(to_utc("2024-12-31 20:00:00.25-0530").value(), "2025-01-01T01:30:00Z");
}

}  // namespace
}  // namespace tunecheck::test
