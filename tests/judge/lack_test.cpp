// Why a scenario is not asked of a tuner.
#include "judge/run/lack.hpp"

#include <gmock/gmock.h>

#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

// The only scenario of a tuner that names variables for GPUs alone.
Lack lack_on_the_cpu(const std::string& need) {
  AdapterInfo adapter;
  adapter.capabilities = {need};
  adapter.keyed_variables = {{"KEYED", "1", "2", {DeviceKind::cuda}}};
  adapter.free_variables = {{"FREE", "1", "2", {DeviceKind::cuda}}};
  const Scenario scenario =
      ScenarioFolder().scenarios(scenario_text("process a { call { } }", "needs " + need)).at(0);
  return lack_of(adapter, scenario, DeviceKind::cpu).value_or(Lack{});
}

TEST(Lack, of_variables_says_which_list_has_none_for_the_backend) {
  EXPECT_EQ(lack_on_the_cpu("keyed_variables").what, "capability keyed_variables");
  EXPECT_EQ(lack_on_the_cpu("keyed_variables").message,
            "the adapter names none of its keyed variables on cpu");
  EXPECT_EQ(lack_on_the_cpu("free_variables").message,
            "the adapter names none of its free variables on cpu");
}

// A change of a file that the tuner does not compile would show nothing, or accuse it.
TEST(Lack, of_a_source_that_is_not_the_one_which_the_tuner_compiles) {
  AdapterInfo adapter;
  adapter.capabilities = {"sources"};
  adapter.backends = {DeviceKind::cpu};
  adapter.kernel_version = "toy.py";
  const auto lack_of_steps = [&](const std::string& steps) {
    const Scenario scenario = ScenarioFolder().scenarios(scenario_text(steps)).at(0);
    adapter.versioned_kernels = {scenario.kernel};
    return lack_of(adapter, scenario, DeviceKind::cpu).value_or(Lack{}).message;
  };
  for (const char* const touch : {"source", "header", "comment", "blanks", "{ word one }"})
    EXPECT_THAT(lack_of_steps(fmt::format("process a {{ call {{ }} }} touch {}", touch)),
                testing::StartsWith("the tuner compiles what toy.py of "))
        << touch;
  EXPECT_EQ(lack_of_steps("process a { call { } } touch { word one in kernel.cpp }"), "");
  EXPECT_EQ(lack_of_steps("process a { call { } }"), "");
}

}  // namespace
}  // namespace tunecheck::test
