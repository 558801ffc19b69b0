#include "gate/measure/pinning.hpp"

#include <gmock/gmock.h>

#include "core/command.hpp"

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
  const int before = allowed();
  {
    const Pinning pinning;
    EXPECT_EQ(allowed(), 1);
    EXPECT_THAT(pinning.text(), testing::StartsWith("processes were pinned to CPU "));
    const std::string cpu = pinning.text().substr(pinning.text().rfind(' ') + 1);
    EXPECT_EQ(cpus_of_a_child(), "Cpus_allowed_list:\t" + cpu + "\n");
  }
  EXPECT_EQ(allowed(), before);
}

}  // namespace
}  // namespace tunecheck::gate
