// Parts of a divided run become one, or somebody is told why they do not.
#include "reports/stored/shards.hpp"

#include <gmock/gmock.h>

#include "hand_made_results.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

// One scenario in each part.
std::vector<RunResult> parts() {
  const RunResult whole = mixed_result();
  std::vector<RunResult> all;
  const int count = static_cast<int>(whole.scenarios.size());
  for (int i = 0; i < count; ++i) {
    RunResult& part = all.emplace_back(whole);
    part.file = "part-" + std::to_string(i + 1) + ".json";
    part.scenarios = {whole.scenarios[static_cast<std::size_t>(i)]};
    part.wall_ns = (i + 1) * 1000;
    part.shard = ShardOf{i + 1, count, count, "digest", {}};
  }
  return all;
}

std::string refused(std::vector<RunResult> shards) {
  const auto whole = join_shards(std::move(shards));
  EXPECT_FALSE(whole);
  if (whole) return "";
  EXPECT_EQ(whole.error().kind, ErrorKind::untrusted);
  return whole.error().text();
}

TEST(Shards, in_any_order_are_the_whole) {
  std::vector<RunResult> shards = parts();
  std::swap(shards.front(), shards.back());
  const auto wholes = join_shards(shards);
  ASSERT_TRUE(wholes) << wholes.error().text();
  ASSERT_EQ(wholes->size(), 1U);
  const RunResult* const whole = &wholes->front();
  ASSERT_EQ(whole->scenarios.size(), mixed_result().scenarios.size());
  for (std::size_t i = 0; i < whole->scenarios.size(); ++i)
    EXPECT_EQ(whole->scenarios[i].verdict, mixed_result().scenarios[i].verdict);
  EXPECT_EQ(whole->exit_status(), mixed_result().exit_status());
  EXPECT_FALSE(whole->shard);
  EXPECT_EQ(whole->wall_ns, static_cast<std::int64_t>(shards.size()) * 1000);
}

TEST(Shards, that_are_missing_or_twice_there_make_no_whole) {
  std::vector<RunResult> shards = parts();
  shards.push_back(shards[1]);
  EXPECT_THAT(refused(shards), HasSubstr("part 2 of 4 is there twice"));
  shards = parts();
  shards.erase(shards.begin() + 1, shards.begin() + 3);
  EXPECT_THAT(refused(shards), HasSubstr("parts 2, 3 of 4 are missing"));
  shards = parts();
  shards[2].shard.reset();
  EXPECT_THAT(refused(shards), HasSubstr("part-3.json: expected a part of a run"));
  EXPECT_FALSE(join_shards({}));
}

TEST(Shards, of_several_runs_make_no_whole) {
  const std::vector<std::pair<std::function<void(RunResult&)>, std::string>> others = {
      {[](RunResult& run) { run.seed = 99; }, "expected the seed 1 of part-1.json, found 99"},
      {[](RunResult& run) { run.tunecheck_version = "9.9.9"; }, "found 9.9.9"},
      {[](RunResult& run) { run.adapter = "other"; }, "expected the adapter"},
      {[](RunResult& run) { run.tuner = "other 2.0"; }, "expected the tuner"},
      {[](RunResult& run) { run.backend = "cuda"; }, "expected the backend"},
      {[](RunResult& run) { run.environment["commit"] = "c2"; },
       "expected the commit of the tuner (none) of part-1.json, found c2"},
      {[](RunResult& run) { run.environment[tunecheck_commit_fact] = "c2"; },
       "expected the commit of tunecheck (none) of part-1.json, found c2"},
      {[](RunResult& run) {
         run.shard->tuners = {"a", "b"};
       },
       "expected the tuners"},
      {[](RunResult& run) { run.shard->selection = "x"; },
       "expected the selection of scenarios of part-1.json, found another"},
      {[](RunResult& run) { run.shard->count = 9; }, "expected the number of parts 4"}};
  for (const auto& [change, message] : others) {
    std::vector<RunResult> shards = parts();
    for (RunResult& shard : shards) {
      shard.seed = 1;
      shard.tuner = "same 1.0";
    }
    change(shards.back());
    EXPECT_THAT(refused(shards), HasSubstr(message));
  }
}

TEST(Shards, of_which_one_lost_a_scenario_make_no_whole) {
  std::vector<RunResult> shards = parts();
  shards.back().scenarios.clear();
  EXPECT_THAT(refused(shards), HasSubstr("expected 4 scenarios in all parts, found 3"));
  shards.back().pending = {"it.was_interrupted"};
  const auto whole = join_shards(shards);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->front().exit_status(), 4);
}

}  // namespace
}  // namespace tunecheck::test
