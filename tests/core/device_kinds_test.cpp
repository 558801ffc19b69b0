#include "core/device_kinds.hpp"

#include <gmock/gmock.h>

namespace tunecheck {
namespace {

using testing::ElementsAre;

TEST(DeviceKinds, are_known_by_the_names_that_users_write) {
  EXPECT_THAT(names_of(all_device_kinds), ElementsAre("cpu", "sim", "cuda", "hip"));
  for (const DeviceKind kind : all_device_kinds)
    EXPECT_EQ(parse_device_kind(name_of(kind)).value(), kind) << name_of(kind);
}

TEST(DeviceKinds, that_are_not_known_are_a_mistake_that_lists_those_that_are) {
  EXPECT_EQ(parse_device_kind("abacus").error().text(),
            "unknown backend \"abacus\". Expected one of: cpu, sim, cuda, hip");
  EXPECT_EQ(parse_device_kind("cud").error().text(),
            "unknown backend \"cud\"; did you mean \"cuda\"? Expected one of: cpu, sim, cuda, hip");
  EXPECT_EQ(parse_device_kind("CPU").error().kind, ErrorKind::bad_input);
  EXPECT_FALSE(parse_device_kind(""));
}

TEST(DeviceKinds, outside_of_those_asked_for_are_unknown) {
  EXPECT_EQ(parse_device_kind("sim", real_device_kinds).error().text(),
            "unknown backend \"sim\". Expected one of: cpu, cuda, hip");
  EXPECT_FALSE(parse_device_kind("cpu", gpu_kinds));
}

TEST(DeviceKinds, are_gpus_or_run_on_the_cpu) {
  for (const DeviceKind kind : gpu_kinds)
    EXPECT_TRUE(is_gpu(kind)) << name_of(kind);
  EXPECT_FALSE(is_gpu(DeviceKind::cpu));
  EXPECT_FALSE(is_gpu(DeviceKind::sim));
}

}  // namespace
}  // namespace tunecheck
