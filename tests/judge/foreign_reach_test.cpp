// How many scenarios other people's tuners are asked, of those whose kernel they have.
#include <ostream>

#include <gmock/gmock.h>

#include "judge/run/reach.hpp"

namespace tunecheck::test {
namespace {

struct Goal {
  std::string adapter;
  DeviceKind backend;
  int once;     ///< it was asked so many when every scenario needed what one of its checks needs
  int percent;  ///< at least so much of what it could be asked is asked
};

void PrintTo(const Goal& goal, std::ostream* stream) {
  *stream << goal.adapter;
}

const std::vector<Goal> goals = {
    {"flydsl", DeviceKind::cpu, 61, 80},
    // No other version of it is named, and its search cannot be forced.
    {"kernel_tuner", DeviceKind::cpu, 30, 77},
    {"triton", DeviceKind::cuda, 74, 80},
    {"inductor", DeviceKind::cuda, 64, 75},
    {"helion", DeviceKind::cuda, 60, 75},
    {"fla", DeviceKind::cuda, 100, 80},
    {"flag_gems", DeviceKind::cuda, 100, 80},
    {"quack", DeviceKind::cuda, 95, 80},
    {"jax", DeviceKind::cuda, 80, 80},
    {"tilelang", DeviceKind::cuda, 95, 80},
    {"flashinfer", DeviceKind::cuda, 95, 80},
    {"fftw", DeviceKind::cpu, 30, 80},
    {"cubecl", DeviceKind::cpu, 150, 80},
    {"cubecl_cuda", DeviceKind::cuda, 150, 80},
};

class ForeignReach : public ::testing::TestWithParam<Goal> {};
INSTANTIATE_TEST_SUITE_P(Each, ForeignReach, ::testing::ValuesIn(goals),
                         [](const auto& info) { return info.param.adapter; });

TEST_P(ForeignReach, is_wide) {
  const AdapterInfo adapter = find_adapter(GetParam().adapter).value();
  const Catalogue catalogue = read_catalogue({}).value();
  const Reach reach = reach_of(adapter, catalogue, GetParam().backend);
  EXPECT_GE(100 * reach.judged, GetParam().percent * reach.could_be)
      << reach.judged << " of " << reach.could_be << ": " << testing::PrintToString(reach.lacks);
  EXPECT_GT(reach.judged, GetParam().once);
}

TEST(ForeignReachReasons, are_few_and_the_page_has_them) {
  const Catalogue catalogue = read_catalogue({}).value();
  for (const auto& [adapter, backend, once, percent] : goals)
    for (const auto& [reason, count] :
         reach_of(find_adapter(adapter).value(), catalogue, backend).lacks)
      EXPECT_THAT(reason,
                  testing::MatchesRegex(
                      "capability "
                      "[a-z_]+|(entry|artifact)_files|caching_off|searching_off|"
                      "searching_anew|searching_last|efforts|other_version|compiler_in_use"));
}

}  // namespace
}  // namespace tunecheck::test
