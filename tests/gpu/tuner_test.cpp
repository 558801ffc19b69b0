// Tuning, reloading and keys on a GPU.
#include <algorithm>

#include "core/resources.hpp"
#include "device_calls.hpp"

namespace tunecheck {
namespace {

using test::DeviceCall;
using test::own_kernel;

class TunerOnGpu : public test::OnGpu {};

TEST_F(TunerOnGpu, every_kernel_is_right_in_the_call_that_tunes_it_and_on_a_hit) {
  const auto kernels = read_kernels({find_resources().kernels}).value();
  for (const auto& [name, kernel] : kernels) {
    if (!kernel.gpu) continue;
    SCOPED_TRACE(name);
    DeviceCall call(backend(), kernel, "smoke");
    Tuner tuner(backend(), options());
    auto bound = tuner.bind(call.request());
    ASSERT_TRUE(bound) << bound.error().text();
    const auto tuned = bound->call(call.arguments());
    ASSERT_TRUE(tuned) << tuned.error().text();
    EXPECT_EQ(tuned->cache, CacheUse::miss);
    EXPECT_EQ(call.difference(), "");
    for (const Trial& trial : tuned->trials)
      EXPECT_EQ(trial.failure, "") << to_string(trial.config);
    call.refill();
    const auto hit = bound->call(call.arguments());
    ASSERT_TRUE(hit) << hit.error().text();
    EXPECT_EQ(hit->cache, CacheUse::hit);
    EXPECT_EQ(call.difference(), "");
  }
}

TEST_F(TunerOnGpu, another_tuner_finds_the_winner_on_disk_and_compiles_nothing) {
  DeviceCall call(backend(), own_kernel("fused_add_rmsnorm"), "smoke");
  std::string winner;
  {
    Tuner tuner(backend(), options());
    const auto report = tuner.bind(call.request()).value().call(call.arguments());
    ASSERT_TRUE(report) << report.error().text();
    winner = to_string(*report->winner);
  }
  call.refill();
  Tuner tuner(backend(), options());
  const auto report = tuner.bind(call.request()).value().call(call.arguments());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->cache, CacheUse::hit);
  EXPECT_EQ(report->compiles, 0);
  EXPECT_EQ(to_string(*report->winner), winner);
  EXPECT_EQ(call.difference(), "");
}

TEST_F(TunerOnGpu, code_for_an_older_arch_is_ptx_and_has_a_key_of_its_own) {
  if (backend().kind() == DeviceKind::hip) GTEST_SKIP() << "only CUDA's driver translates";
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  Tuner tuner(backend(), options());
  TuneRequest request = call.request();
  ASSERT_TRUE(tuner.bind(request).value().call(call.arguments()));
  request.arch = "compute_80";
  call.refill();
  const auto report = tuner.bind(request).value().call(call.arguments());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->cache, CacheUse::miss);
  EXPECT_EQ(report->missed_axes, std::vector<std::string>{"arch"});
  EXPECT_EQ(call.difference(), "");
}

TEST_F(TunerOnGpu, code_with_the_features_of_the_very_arch_has_a_key_of_its_own) {
  if (backend().resolve_arch("").value() != "sm_90") GTEST_SKIP() << "no sm_90";
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  Tuner tuner(backend(), options());
  TuneRequest request = call.request();
  ASSERT_TRUE(tuner.bind(request).value().call(call.arguments()));
  request.kernel.gpu->arch_features = true;
  call.refill();
  const auto report = tuner.bind(request).value().call(call.arguments());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->missed_axes, std::vector<std::string>{"arch"});
  EXPECT_EQ(call.difference(), "");
}

TEST_F(TunerOnGpu, an_arch_that_this_device_is_not_is_refused) {
  const auto arch = backend().resolve_arch("sm_70");
  ASSERT_FALSE(arch);
  EXPECT_NE(arch.error().text().find("does not run on this device"), std::string::npos);
}

TEST_F(TunerOnGpu, trials_are_measured_with_cold_caches) {
  // Both tensors fit into the L2 cache many times over: hot, a launch is faster.
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "smoke");
  Tuner tuner(backend(), options());
  const auto report = tuner.bind(call.request()).value().call(call.arguments());
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_GT(report->flush_share, 0.2);
  EXPECT_LT(report->flush_share, 1.0);
}

TEST_F(TunerOnGpu, what_a_tuning_took_of_the_devices_memory_is_reported_and_given_back) {
  DeviceCall call(backend(), own_kernel("axpy_inplace"), "full");
  const auto free_bytes = [&] {
    std::size_t free = 0;
    std::size_t all = 0;
    EXPECT_EQ(device().functions().memory_info(&free, &all), 0);
    return free;
  };
  std::size_t before = 0;
  TunerOptions kept = options();
  Tuner tuner(backend(), kept);
  auto bound = tuner.bind(call.request()).value();
  {
    const auto first = bound.call(call.arguments());
    ASSERT_TRUE(first) << first.error().text();
    const std::size_t tensors = 2 * (std::size_t{1} << 24) * sizeof(float);
    EXPECT_GE(first->snapshot_bytes, 2 * tensors);  // the snapshot, and what trials run on
    EXPECT_LT(first->snapshot_bytes, 2 * tensors + (std::size_t{1} << 20));
    before = free_bytes();
  }
  // The same again under another key: nothing of it stays.
  TuneRequest request = call.request();
  request.compile_options = {"-DANOTHER=1"};
  const auto second = tuner.bind(request).value().call(call.arguments());
  ASSERT_TRUE(second) << second.error().text();
  constexpr std::size_t some = std::size_t{16} << 20;
  EXPECT_GE(free_bytes() + some, before);
}

}  // namespace
}  // namespace tunecheck
