#include <gtest/gtest.h>

#include "harness/process/workspace.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

TEST(ObservedLibrary, has_an_observer_in_the_process_of_its_tuner_and_in_no_other) {
  const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-observed");
  const KernelDefinition kernel = write_kernel(folder.path() / "toy");
  const Workspace workspace = Workspace::create(folder.path() / "work", kernel).value();
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.cache_variable = "TOY_CACHE";
  ProcessSetup setup;
  setup.name = "cold";
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  const Environment usual = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(usual.at("LD_PRELOAD"), observers.probe_library.string());
  EXPECT_FALSE(usual.contains("TUNECHECK_PROBE_KERNEL"));
  adapter.observers = {"fftw"};
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("LD_PRELOAD"),
            observers.probe_library.string() + ":" + observers.fftw_probe.string());
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_KERNEL"), "toy");
}

}  // namespace
}  // namespace tunecheck::test
