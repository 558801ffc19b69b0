// One build with one kernel at one size.
#include "gate/measure/kernel_side.hpp"

#include <gmock/gmock.h>

#include "gate/measure/common_configs.hpp"
#include "gate/measure/kernel_benchmarks.hpp"
#include "observe/evidence.hpp"
#include "planted_build.hpp"

namespace tunecheck::gate {
namespace {

class KernelSideTest : public testing::Test {
 protected:
  KernelSideTest() {
    test::make_build(folder.path() / "build", "");
    build = open_build(folder.path() / "build", "reference", {}).value();
    GateResult result;
    result.backend = "cpu";
    bench = make_bench(folder.path() / "out", result).value();
  }
  std::unique_ptr<KernelSide> side() const {
    return KernelSide::create(bench, build, "rmsnorm", "smoke", "side").value();
  }

  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-side").value();
  Build build;
  Bench bench;
};

TEST_F(KernelSideTest, only_dispatch_needs_an_adapter_that_takes_bursts) {
  std::erase(build.adapter.capabilities, "burst");
  const auto without = side();
  for (const Metric& metric : metrics())
    EXPECT_EQ(
        why_not(*without, metric.name),
        metric.name == "dispatch" ? "the adapter does not declare the capability \"burst\"" : "");
}

// By process and config: how often a launch of it was recorded.
std::map<std::pair<std::int64_t, std::string>, int> launches_recorded(const Bench& bench) {
  std::uint64_t from = 0;
  const auto file = bench.work / "process" / "process" / "evidence.jsonl";
  std::map<std::pair<std::int64_t, std::string>, int> counts;
  for (const LaunchEvent& launch : read_evidence(file, from).value().launches)
    ++counts[{launch.pid, launch.config}];
  return counts;
}

// Writing a line takes longer than the kernel, in the time that the tuner measures.
TEST_F(KernelSideTest, of_a_tuning_the_probe_records_nothing_that_is_timed) {
  const auto tuned = side();
  const auto expect_once = [&](const char* what) {
    for (const auto& [launched, times] : launches_recorded(bench))
      EXPECT_EQ(times, 1) << what << ", " << launched.second;
  };
  ASSERT_EQ(tuned->tune().value(), "");
  EXPECT_EQ(tuned->tunings()[0].trials, 6) << "each config was tried";
  EXPECT_GT(launches_recorded(bench).size(), 6U) << "and the winner launched";
  expect_once("the first tuning");
  const KernelSide::Choice choice = tuned->choose().value();
  EXPECT_EQ(choice.failure, "");
  EXPECT_TRUE(tuned->has_config(choice.config)) << choice.config;
  expect_once("a choice");
  EXPECT_EQ(tuned->tuning_time().value().failure, "");
  expect_once("a tuning that is timed");
}

// Several of its configs are equally fast, so that tunings choose now one and now another.
TEST_F(KernelSideTest, a_pair_has_caches_in_which_the_same_config_won) {
  const auto make = [&](const char* name) {
    auto side = KernelSide::create(bench, build, "axpy_inplace", "smoke", name).value();
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(side->tune().value(), "");
    return side;
  };
  const auto base = make("base"), head = make("head");
  const CommonConfigs common = common_configs(*base, *head);
  const auto winner = [&](const KernelSide& side, std::size_t pair) {
    return side.tunings()[tuning_of_pair(side, common, pair) % side.tunings().size()].winner;
  };
  for (std::size_t pair = 0; common.are_stored && pair < 8; ++pair)
    EXPECT_EQ(winner(*base, pair), winner(*head, pair)) << pair;
  EXPECT_EQ(tuning_of_pair(*base, {{"a config"}, false, ""}, 3), 3U);
}

TEST_F(KernelSideTest, a_launch_on_cuda_is_slowed_down_by_a_loop_in_a_kernel_that_can_have_one) {
  EXPECT_EQ(how_slowed("winner_time", DeviceKind::cpu), "launch");
  EXPECT_EQ(how_slowed("winner_time", DeviceKind::cuda), "loop");
  EXPECT_EQ(how_slowed("winner_time", DeviceKind::hip), "") << "whose clock it does not know";
  EXPECT_EQ(how_slowed("warm_start", DeviceKind::cuda), "answer");
  EXPECT_EQ(how_slowed("tuning_time", DeviceKind::cuda), "");
  const auto kernel = side();
  EXPECT_TRUE(can_loop(*kernel, {{"block=64,vec=4"}, true, ""}));
  EXPECT_FALSE(can_loop(*kernel, {{"block=64,vec=4", "artifact 12ab"}, true, ""}))
      << "the judge cannot compile it";
  EXPECT_FALSE(can_loop(*kernel, {{}, false, "none in common"}));
  build.kernels.at("rmsnorm").gpu.reset();
  EXPECT_FALSE(can_loop(*side(), {{"block=64,vec=4"}, true, ""}));
}

TEST_F(KernelSideTest, the_tunings_that_chose_a_config_are_used_in_turn) {
  const auto tuned = side();
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(tuned->tune().value(), "");
  const std::string& winner = tuned->tunings()[1].winner;
  EXPECT_EQ(tuned->tuning_that_chose(winner, 1), 1U);
  EXPECT_EQ(tuned->tuning_that_chose(winner, 7), 7U);
  EXPECT_EQ(tuned->tuning_that_chose("no config", 0), std::nullopt);
}

TEST_F(KernelSideTest, launches_of_other_configs_leave_what_a_tuning_stored) {
  const auto tuned = side();
  ASSERT_EQ(tuned->tune().value(), "");
  const Tuning& tuning = tuned->tunings().at(0);
  const auto stored = read_binary_file(tuning.launch.module).value();
  const KernelDefinition& kernel = tuned->kernel();
  const auto configs = kernel.space.enumerate(to_variables(kernel.sizes.at("smoke"))).value();
  for (const Config& each : configs) {
    const std::string config = tunecheck::to_string(each);
    if (config == tuning.winner) continue;
    EXPECT_EQ(tuned->config_time(config, false).value().failure, "") << config;
    EXPECT_TRUE(read_binary_file(tuning.launch.module).value() == stored) << config;
  }
}

}  // namespace
}  // namespace tunecheck::gate
