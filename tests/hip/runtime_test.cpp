// What is said of HIP's runtime where it cannot be used, and what is read of it where it can.
#include <gmock/gmock.h>

#include "backend/gpu/driver/device.hpp"
#include "core/device_kinds.hpp"
#include "hip_device.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(HipRuntime, that_finds_no_device_says_so_and_the_process_ends_by_itself) {
  const auto trouble = trouble_with_runtime("");
  ASSERT_TRUE(trouble) << trouble.error().text();
  if (trouble->empty()) GTEST_SKIP() << "there is a device";
  if (trouble->starts_with("there is no HIP runtime")) GTEST_SKIP() << *trouble;
  EXPECT_THAT(*trouble, StartsWith("there is no hip device: the driver says status 10"));
}

TEST(HipRuntime, that_is_named_and_not_there_is_an_error_that_names_it) {
  const auto trouble = trouble_with_runtime("/nowhere/libamdhip64.so");
  ASSERT_TRUE(trouble) << trouble.error().text();
  EXPECT_THAT(*trouble, StartsWith("TUNECHECK_HIP cannot be opened: /nowhere/libamdhip64.so"));
}

TEST(HipRuntime, that_is_another_library_is_an_error_that_says_what_it_lacks) {
  const auto trouble = trouble_with_runtime("libm.so.6");
  ASSERT_TRUE(trouble) << trouble.error().text();
  EXPECT_THAT(*trouble, HasSubstr("it has no hipInit"));
}

// Else a table that is wrong would be a device that is missing, and every test of it skipped.
TEST(HipRuntime, of_the_shim_finds_the_device_that_cuda_finds) {
  const auto cuda = gpu::GpuDevice::open(DeviceKind::cuda);
  if (!cuda) GTEST_SKIP() << cuda.error().text();
  for (const int version : {5, 6}) {
    const auto trouble = trouble_with_runtime(shim(version).string());
    ASSERT_TRUE(trouble) << trouble.error().text();
    EXPECT_EQ(*trouble, "") << version;
  }
}

TEST(HipProperties, hold_the_arch_behind_the_name_of_the_device) {
  std::vector<char> properties(2000);
  const auto write = [&](std::size_t place, std::string_view text) {
    std::copy(text.begin(), text.end(), properties.begin() + static_cast<std::ptrdiff_t>(place));
  };
  EXPECT_EQ(gpu::gcn_arch_in(properties), "");
  write(0, "a card with a gfx90a");
  EXPECT_EQ(gpu::gcn_arch_in(properties), "");
  write(396, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(gpu::gcn_arch_in(properties), "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(gpu::gcn_arch_in({}), "");
}

TEST(HipIpc, takes_the_flag_of_its_version) {
  EXPECT_EQ(gpu::ipc_open_flags(false, 13), 1U);
  EXPECT_EQ(gpu::ipc_open_flags(true, 5), 0U);
  EXPECT_EQ(gpu::ipc_open_flags(true, 6), 1U);
}

}  // namespace
}  // namespace tunecheck::test
