// One run divided among machines: which part has which scenarios, and what a scheduler says.
#include "judge/scenario/shard.hpp"

#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

class ShardCase : public testing::Test {
 protected:
  ShardCase() {
    std::string text;
    for (int i = 10; i < 40; ++i)
      text += scenario_text("process a { call { expect { cache miss } } }", "",
                            "family.n" + std::to_string(i));
    catalogue.kernels = folder.kernels();
    for (const Scenario& scenario : folder.scenarios(text))
      catalogue.scenarios.emplace(scenario.name, scenario);
    all = select_scenarios(catalogue, {}).value();
    for (std::size_t i = 0; i < all.size(); ++i)
      times[all[i]->name] = static_cast<std::int64_t>(1 + i * i % 17) * 1'000'000;
  }
  std::int64_t time_of(const std::vector<const Scenario*>& scenarios) const {
    return std::accumulate(
        scenarios.begin(), scenarios.end(), std::int64_t{0},
        [&](std::int64_t sum, const Scenario* scenario) { return sum + times.at(scenario->name); });
  }

  ScenarioFolder folder;
  Catalogue catalogue;
  std::vector<const Scenario*> all;
  ScenarioTimes times;
};

TEST_F(ShardCase, every_scenario_is_in_one_part_and_parts_take_as_long) {
  for (const int count : {1, 2, 3, 4, 7}) {
    std::set<std::string> seen;
    std::int64_t least = time_of(all), most = 0;
    for (int number = 1; number <= count; ++number) {
      const auto part = shard_of(catalogue, all, {number, count}, times);
      for (const Scenario* const scenario : part)
        EXPECT_TRUE(seen.insert(scenario->name).second) << scenario->name;
      least = std::min(least, time_of(part));
      most = std::max(most, time_of(part));
    }
    EXPECT_EQ(seen.size(), all.size());
    EXPECT_LE(most, least + least / 10) << count;
  }
}

TEST_F(ShardCase, without_times_costs_divide_and_one_without_a_time_is_taken_for_like_the_others) {
  EXPECT_EQ(shard_of(catalogue, all, {1, 3}, {}).size(), 10U);
  ScenarioTimes some;
  for (const Scenario* const scenario : all)
    some[scenario->name] = 1'000'000'000;
  some.erase(all.back()->name);
  EXPECT_EQ(shard_of(catalogue, all, {2, 3}, some).size(), 10U);
}

TEST_F(ShardCase, a_part_says_what_the_others_must_say) {
  const ShardOf one = describe_shard({1, 2}, all);
  EXPECT_EQ(one.scenarios, 30);
  EXPECT_EQ(one.selection, describe_shard({2, 2}, all).selection);
  const std::vector<const Scenario*> fewer(all.begin(), all.end() - 1);
  EXPECT_NE(one.selection, describe_shard({2, 2}, fewer).selection);
}

TEST(Shard, is_read_as_a_part_of_all) {
  EXPECT_EQ(parse_shard("3/16").value(), (Shard{3, 16}));
  for (const char* const wrong :
       {"", "3", "0/4", "5/4", "1/0", "-1/4", "1/4x", " 1/4", "1/99999"}) {
    const auto shard = parse_shard(wrong);
    ASSERT_FALSE(shard) << wrong;
    EXPECT_THAT(shard.error().text(), HasSubstr("expected a part and the number of all")) << wrong;
  }
}

Result<std::optional<Shard>> in(const std::map<std::string, std::string>& environment) {
  return shard_of_environment([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Shard, schedulers_count_in_ways_of_their_own) {
  EXPECT_EQ(in({{"TUNECHECK_SHARD", "2/5"}, {"CI_NODE_INDEX", "1"}}).value(), (Shard{2, 5}));
  EXPECT_EQ(in({{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}).value(),
            (Shard{1, 4}));
  EXPECT_EQ(in({{"SLURM_ARRAY_TASK_ID", "14"},
                {"SLURM_ARRAY_TASK_COUNT", "4"},
                {"SLURM_ARRAY_TASK_MIN", "10"},
                {"SLURM_ARRAY_TASK_STEP", "2"}})
                .value(),
            (Shard{3, 4}));
  EXPECT_EQ(in({{"CI_NODE_INDEX", "4"}, {"CI_NODE_TOTAL", "4"}}).value(), (Shard{4, 4}));
  EXPECT_EQ(in({{"JOB_COMPLETION_INDEX", "0"}, {"TUNECHECK_SHARDS", "8"}}).value(), (Shard{1, 8}));
  EXPECT_FALSE(in({}).value().has_value());
}

TEST(Shard, half_of_what_a_scheduler_says_is_a_mistake) {
  EXPECT_THAT(in({{"JOB_COMPLETION_INDEX", "0"}}).error().text(),
              HasSubstr("JOB_COMPLETION_INDEX: expected the number of all parts in "
                        "TUNECHECK_SHARDS"));
  EXPECT_FALSE(in({{"CI_NODE_INDEX", "5"}, {"CI_NODE_TOTAL", "4"}}));
  EXPECT_FALSE(in({{"SLURM_ARRAY_TASK_ID", "13"},
                   {"SLURM_ARRAY_TASK_COUNT", "4"},
                   {"SLURM_ARRAY_TASK_MIN", "10"},
                   {"SLURM_ARRAY_TASK_STEP", "2"}}));
  EXPECT_THAT(in({{"TUNECHECK_SHARD", "x"}}).error().text(),
              HasSubstr("TUNECHECK_SHARD: expected"));
}

}  // namespace
}  // namespace tunecheck::test
