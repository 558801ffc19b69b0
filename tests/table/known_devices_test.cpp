#include "table/known_devices.hpp"

#include <gmock/gmock.h>

namespace tunecheck::table {
namespace {

using testing::HasSubstr;

TEST(KnownDevices, have_a_number_of_multiprocessors) {
  EXPECT_EQ(why_no_device("gfx942", 304), "");
  EXPECT_EQ(why_no_device("gfx942:sramecc+:xnack-", 38), "") << "a part of a divided one";
  EXPECT_EQ(why_no_device("sm_90a", 132), "");
  EXPECT_EQ(why_no_device("gfx1201", 64), "");
  EXPECT_EQ(why_no_device("gfx1201", 32), "") << "counted in pairs, as HIP does";
  EXPECT_THAT(why_no_device("gfx942", 256), HasSubstr("no gfx942 has 256 multiprocessors"));
  EXPECT_THAT(why_no_device("gfx950", 80), HasSubstr("no gfx950 has 80 multiprocessors"));
}

TEST(KnownDevices, are_not_all_there_are) {
  EXPECT_EQ(why_no_device("gfx1250", 256), "");
  EXPECT_THAT(why_no_device("voodoo2", 3), HasSubstr("there is no arch \"voodoo2\""));
}

TEST(KnownDevices, are_of_kinds_by_their_arch) {
  EXPECT_EQ(device_kind_of("sm_90"), DeviceKind::cuda);
  EXPECT_EQ(device_kind_of("gfx90a"), DeviceKind::hip);
  EXPECT_EQ(device_kind_of("x86-64-v3"), DeviceKind::cpu);
  EXPECT_EQ(device_kind_of("pdp11"), std::nullopt);
}

TEST(KnownDevices, say_their_multiprocessors_in_words) {
  EXPECT_EQ(multiprocessors_in("NVIDIA H200, 132 multiprocessors, warps of 32"), 132);
  EXPECT_EQ(multiprocessors_in("132 multiprocessors"), 132);
  EXPECT_EQ(multiprocessors_in(" multiprocessors"), std::nullopt);
  EXPECT_EQ(multiprocessors_in("NVIDIA H200"), std::nullopt);
}

}  // namespace
}  // namespace tunecheck::table
