// How a process gets the Vulkan observer.
#include "harness/process/vulkan_observer.hpp"

#include <gmock/gmock.h>

#include "harness/process/workspace.hpp"
#include "observe/tools.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(VulkanObserver, is_given_to_a_process_if_the_adapter_names_it) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-test-vulkan").value();
  const KernelDefinition kernel = write_kernel(folder.path() / "toy");
  const Workspace workspace = Workspace::create(folder.path() / "work", kernel).value();
  Observers observers = find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.cache_variable = "XDG_CACHE_HOME";
  ProcessSetup setup;
  setup.name = "cold";
  setup.compiler = CompilerMode::slow;
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  EXPECT_FALSE(workspace.environment_for(setup, adapter, observers).contains("VK_INSTANCE_LAYERS"));
  adapter.observers = {std::string(vulkan_observer)};
  observers.vulkan_layer = ListedPath();
  const auto unprepared = workspace.prepare_process(setup, adapter, observers);
  ASSERT_FALSE(unprepared);
  EXPECT_THAT(unprepared.error().text(), HasSubstr("the Vulkan observer is not built"));
  observers.vulkan_layer = ListedPath::create("/lib/layers").value();
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("VK_INSTANCE_LAYERS"), vulkan_layer_name);
  EXPECT_EQ(variables.at("VK_ADD_LAYER_PATH"), "/lib/layers");
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_KERNEL"), "toy");
  EXPECT_TRUE(variables.contains("LD_PRELOAD"));
  EXPECT_THAT(variables.at("MESA_SHADER_CACHE_DIR"),
              StartsWith(workspace.process_folder("cold").string()));
  const auto settings = read_spy_settings(variables.at("TUNECHECK_VULKAN_COMPILER"));
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(settings->mode, "slow");
  EXPECT_GT(settings->delay_ms, 0);
  setup.compiler = CompilerMode::absent;
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  EXPECT_EQ(read_spy_settings(variables.at("TUNECHECK_VULKAN_COMPILER"))->mode, "poisoned");
}

}  // namespace
}  // namespace tunecheck::test
