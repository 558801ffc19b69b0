#include "gate/measure/pinning.hpp"

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "core/resources.hpp"

namespace tunecheck::gate {
namespace {

int allowed() {
  cpu_set_t cpus;
  EXPECT_EQ(::sched_getaffinity(0, sizeof cpus, &cpus), 0);
  return CPU_COUNT(&cpus);
}

std::string cpus_of_a_child() {
  CommandOptions options;
  options.arguments = {"grep", "Cpus_allowed_list", "/proc/self/status"};
  return run_command(options)->output;
}

TEST(Pinning, processes_started_under_it_have_one_cpu_and_the_thread_gets_its_own_back) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-test-pinning").value();
  const int before = allowed();
  const CpuLease lease = CpuLease::take(watch_cpus({}).value(), folder.path());
  EXPECT_EQ(allowed(), before);
  {
    const Pinning pinning(lease);
    EXPECT_EQ(allowed(), 1);
    EXPECT_EQ(cpus_of_a_child(), "Cpus_allowed_list:\t" + std::to_string(lease.cpu()) + "\n");
  }
  EXPECT_EQ(allowed(), before);
}

TEST(Pinning, without_a_cpu_nothing_is_pinned) {
  const int before = allowed();
  const Pinning pinning{CpuLease()};
  EXPECT_EQ(allowed(), before);
}

}  // namespace
}  // namespace tunecheck::gate
