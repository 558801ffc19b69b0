// One build with one kernel at one size.
#include "gate/measure/kernel_side.hpp"

#include <gmock/gmock.h>

#include "gate/measure/kernel_benchmarks.hpp"
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
