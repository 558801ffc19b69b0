// How many scenarios other people's tuners are asked, of those whose kernel they have.
#include <map>
#include <ostream>

#include <gmock/gmock.h>

#include "judge/run/lack.hpp"
#include "judge/scenario/catalogue.hpp"

namespace tunecheck::test {
namespace {

struct Reach {
  std::string adapter;
  DeviceKind backend;
  int judged;
  int could_be;
};

void PrintTo(const Reach& reach, std::ostream* stream) {
  *stream << reach.adapter;
}

// As it is: a change by which a tuner is asked more, or less, changes its row.
const std::vector<Reach> reaches = {
    {"flydsl", DeviceKind::cpu, 69, 175},  {"kernel_tuner", DeviceKind::cpu, 37, 113},
    {"triton", DeviceKind::cuda, 89, 113}, {"inductor", DeviceKind::cuda, 75, 105},
    {"helion", DeviceKind::cuda, 74, 106},
};

class ForeignReach : public ::testing::TestWithParam<Reach> {};
INSTANTIATE_TEST_SUITE_P(Each, ForeignReach, ::testing::ValuesIn(reaches),
                         [](const auto& info) { return info.param.adapter; });

TEST_P(ForeignReach, is_as_wide_as_the_adapter_allows) {
  const Reach& reach = GetParam();
  const AdapterInfo adapter = find_adapter(reach.adapter).value();
  const Catalogue catalogue = read_catalogue({}).value();
  const auto all = select_scenarios(catalogue, {}).value();
  int judged = 0, could_be = 0;
  std::map<std::string, int> reasons;
  for (const Scenario* const scenario : for_backend(all, reach.backend).scenarios) {
    if (!adapter.has_kernel(scenario->kernel)) continue;
    // The simulated device is the reference tuner's own.
    const DeviceKind device = device_of(*scenario, reach.backend);
    if (device != reach.backend) continue;
    ++could_be;
    const auto lack = lack_of(adapter, *scenario, device);
    if (!lack) ++judged;
    if (lack) ++reasons[lack->what];
  }
  EXPECT_EQ(judged, reach.judged) << testing::PrintToString(reasons);
  EXPECT_EQ(could_be, reach.could_be);
  for (const auto& [reason, count] : reasons)
    EXPECT_THAT(reason, testing::MatchesRegex(
                            "capability [a-z_]+|(entry|artifact)_files|caching_off|other_version"));
}

}  // namespace
}  // namespace tunecheck::test
