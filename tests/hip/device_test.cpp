// What a device says of itself on HIP. The tests of tests/gpu run on it too.
#include <gmock/gmock.h>

#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "device_calls.hpp"
#include "hip_device.hpp"

namespace tunecheck::test {
namespace {

class DeviceOnHip : public OnGpu {};

TEST_F(DeviceOnHip, has_an_arch_with_its_features) {
  const std::string own = backend().resolve_arch("native").value();
  EXPECT_TRUE(own.starts_with("gfx")) << own;
  if (is_on_shim()) {
    EXPECT_EQ(own, "gfx0:cuda+:hip-");
  }
  const std::string bare = own.substr(0, own.find(':'));
  EXPECT_EQ(backend().resolve_arch(bare).value(), bare);
  if (own != bare) {
    EXPECT_TRUE(backend().resolve_arch(bare + own.substr(own.rfind(':'))));
  }
  for (const std::string& other : {own + ":nothing+", bare + ":nothing-", own + "a", bare + "9",
                                   std::string("compute_80"), std::string("sm_90")})
    EXPECT_FALSE(backend().resolve_arch(other)) << other;
}

TEST_F(DeviceOnHip, has_the_numbers_of_the_device) {
  EXPECT_GE(device().l2_bytes(), std::size_t{256} << 10);
  EXPECT_TRUE(device().warp_size() == 32 || device().warp_size() == 64) << device().warp_size();
  if (!is_on_shim()) return;
  const gpu::GpuDevice& cuda = **gpu::GpuDevice::open(DeviceKind::cuda);
  EXPECT_EQ(device().l2_bytes(), cuda.l2_bytes());
  std::string kind = cuda.kind();
  EXPECT_EQ(device().kind(), kind.insert(kind.find(','), " by way of a shim"));
  EXPECT_EQ(device().bus(), cuda.bus());
  EXPECT_EQ(device().driver().version(),
            "HIP " + std::string(shim(5) == std::getenv("TUNECHECK_HIP") ? "5.2" : "6.2"));
}

TEST_F(DeviceOnHip, is_in_the_key_with_the_size_of_its_warps) {
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  Tuner tuner(backend(), options());
  ASSERT_TRUE(tuner.bind(call.request()).value().call(call.arguments()));
  const auto entries = [&] {
    std::string texts;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder() / "cache"))
      if (file.path().extension() == ".json") texts += read_text_file(file.path()).value();
    return texts;
  }();
  EXPECT_THAT(entries, testing::HasSubstr(fmt::format(
                           "{} on {}", backend().resolve_arch("").value(), device().kind())));
  EXPECT_THAT(entries, testing::HasSubstr(fmt::format("warps of {}", device().warp_size())));
}

TEST_F(DeviceOnHip, is_the_same_one_with_the_shim_of_an_older_version) {
  if (!is_on_shim() || shim(5) == std::getenv("TUNECHECK_HIP"))
    GTEST_SKIP() << "this is about the shim";
  CommandOptions options;
  options.arguments = {std::filesystem::canonical("/proc/self/exe").string(),
                       "--gtest_filter=DeviceOnHip.*:TunerOnGpu.trials*"};
  options.environment = current_environment();
  (*options.environment)["TUNECHECK_HIP"] = shim(5).string();
  options.time_limit = std::chrono::minutes(4);
  const auto older = run_command(options);
  ASSERT_TRUE(older) << older.error().text();
  EXPECT_TRUE(older->end.success()) << older->end.text() << "\n" << older->output;
}

}  // namespace
}  // namespace tunecheck::test
