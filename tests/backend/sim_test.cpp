// The simulated device: repeatable from its seed, and as its kernel file says.
#include <algorithm>
#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include "backend/sim/sim_backend.hpp"
#include "core/kernel.hpp"
#include "core/resources.hpp"
#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

using testing::Each;
using testing::HasSubstr;

KernelDefinition kernel_named(const std::string& name) {
  return value_of(read_kernel(find_resources().scenarios / "kernels" / name));
}

// One config at smoke size; what disturbs the device is 0 but for `changes`.
class Request {
 public:
  explicit Request(Sizes changes = {}, const std::string& kernel = "sim_smooth",
                   Config config = {{"block", 64}, {"unroll", 8}, {"vec", 2}})
      : m_kernel(kernel_named(kernel)) {
    m_request.kernel = &m_kernel;
    m_request.dtypes = {DType::f32, DType::f32};
    m_request.config = std::move(config);
    m_request.arch = "sim";
    m_request.sizes = m_kernel.sizes.at("smoke");
    m_request.sizes["noise"] = 0;
    for (const auto& [name, value] : changes)
      m_request.sizes[name] = value;
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  [[nodiscard]] const CompileRequest& get() const { return m_request; }

 private:
  KernelDefinition m_kernel;
  CompileRequest m_request;
};

// x and y of 16 elements; y begins as -1.
class Tensors {
 public:
  Tensors() {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i);
    y.fill(-1);
    const Layout layout = Layout::contiguous(std::vector<std::int64_t>{16});
    for (auto* const values : {&x, &y})
      m_views.push_back({reinterpret_cast<std::byte*>(values->data()), DType::f32, layout});
  }
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;
  [[nodiscard]] LaunchArguments get() const { return {m_views, {}}; }

  std::array<float, 16> x{}, y{};

 private:
  std::vector<TensorView> m_views;
};

std::unique_ptr<Module> load(const SimBackend& device, const Request& request) {
  return value_of(device.load(value_of(device.compile(request.get()))));
}

// The times of so many launches of one load.
std::vector<std::int64_t> times(const SimBackend& device, const Request& request, int launches) {
  const Tensors tensors;
  const auto module = load(device, request);
  std::vector<std::int64_t> found;
  for (int i = 0; i < launches; ++i)
    found.push_back(module->timed_launch(tensors.get()).elapsed_ns);
  return found;
}

TEST(SimDevice, undisturbed_takes_what_the_kernel_file_says) {
  const Request request;
  const SimBackend device;
  EXPECT_EQ(value_of(device.true_cost_ns(request.get())), 200'000);
  EXPECT_THAT(times(device, request, 5), Each(200'000));
}

TEST(SimDevice, is_the_same_again_from_the_same_seed_and_no_other) {
  const Request request({{"noise", 10}});
  const auto first = times(SimBackend({7, 1}), request, 50);
  EXPECT_EQ(times(SimBackend({7, 1}), request, 50), first);
  EXPECT_NE(times(SimBackend({8, 1}), request, 50), first);
  EXPECT_NE(times(SimBackend({7, 2}), request, 50), first);
}

TEST(SimDevice, noise_has_the_deviation_that_was_asked_for) {
  const auto found = times(SimBackend({3, 0}), Request({{"noise", 10}}), 4000);
  double sum = 0;
  double squares = 0;
  for (const std::int64_t time : found) {
    const double relative = static_cast<double>(time) / 200'000 - 1;
    sum += relative;
    squares += relative * relative;
  }
  EXPECT_NEAR(sum / 4000, 0, 0.01);
  EXPECT_NEAR(std::sqrt(squares / 4000), 0.10, 0.01);
}

TEST(SimDevice, the_first_launch_of_each_load_takes_longer) {
  const SimBackend device;
  const Request request({{"cold", 1000}});
  for (int load = 0; load < 3; ++load) {
    const auto found = times(device, request, 3);
    EXPECT_GE(found[0], 200'000 + 500'000);
    EXPECT_LE(found[0], 200'000 + 1'500'000);
    EXPECT_EQ(found[1], 200'000);
    EXPECT_EQ(found[2], 200'000);
  }
}

TEST(SimDevice, drift_makes_it_slower_by_its_own_clock) {
  const SimBackend device;
  const Request request({{"drift", 100}});
  const auto module = load(device, request);
  const Tensors tensors;
  EXPECT_EQ(module->timed_launch(tensors.get()).elapsed_ns, 200'000);
  while (module->now() < std::chrono::seconds(1))
    (void)module->launch(tensors.get());
  const auto later = static_cast<double>(module->timed_launch(tensors.get()).elapsed_ns);
  EXPECT_NEAR(later / 200'000, 2, 0.01);
}

TEST(SimDevice, its_clock_moves_with_launches_alone) {
  const SimBackend device;
  const Request request;
  const auto module = load(device, request);
  const auto began = module->now();
  EXPECT_EQ(load(device, request)->now(), began);
  const Tensors tensors;
  (void)module->launch(tensors.get());
  EXPECT_GE(module->now() - began, std::chrono::nanoseconds(200'000));
}

TEST(SimDevice, bursts_slow_every_config_for_their_share_of_the_time) {
  const SimBackend device({5, 0});
  const Request request({{"bursts", 20}}, "sim_busy", {{"step", 11}});
  const auto found = times(device, request, 40'000);
  const auto usual = *std::min_element(found.begin(), found.end());
  std::int64_t slow_ns = 0;
  std::int64_t all_ns = 0;
  int begins = 0;
  for (std::size_t i = 1; i < found.size(); ++i) {
    const double factor = static_cast<double>(found[i]) / static_cast<double>(usual);
    EXPECT_TRUE(factor == 1 || (factor >= 1.29 && factor <= 2)) << factor;
    all_ns += found[i];
    if (factor > 1) slow_ns += found[i];
    if (factor > 1 && found[i - 1] == usual) ++begins;
  }
  EXPECT_NEAR(static_cast<double>(slow_ns) / static_cast<double>(all_ns), 0.2, 0.02);
  EXPECT_NEAR(static_cast<double>(slow_ns) / begins, 10e6, 1e6);
}

TEST(SimDevice, tells_which_launches_were_interrupted) {
  const SimBackend device({5, 0});
  const Request request({{"stolen", 60}}, "sim_busy", {{"step", 11}});
  const auto module = load(device, request);
  const Tensors tensors;
  int interrupted = 0;
  for (int i = 0; i < 1000; ++i) {
    const TimedLaunch launch = module->timed_launch(tensors.get());
    EXPECT_EQ(launch.elapsed_ns > 100'000, launch.interrupted);
    EXPECT_LE(launch.elapsed_ns, 400'000);
    interrupted += launch.interrupted ? 1 : 0;
  }
  EXPECT_NEAR(interrupted, 600, 60);
}

TEST(SimDevice, outliers_come_as_often_as_they_should) {
  const auto launches = times(SimBackend({5, 0}), Request({{"stray", 20}}), 4000);
  const auto count = [&](double factor) {
    return std::count(launches.begin(), launches.end(), std::llround(200'000 * factor));
  };
  EXPECT_NEAR(static_cast<double>(count(1)), 3200, 100);
  EXPECT_NEAR(static_cast<double>(count(0.2)), 400, 80);
  EXPECT_NEAR(static_cast<double>(count(5)), 400, 80);
}

TEST(SimDevice, a_lucky_load_is_lucky_for_all_its_launches) {
  const SimBackend device({5, 0});
  const Request request({{"lucky", 50}});
  int lucky = 0;
  for (int load = 0; load < 400; ++load) {
    const auto found = times(device, request, 3);
    EXPECT_THAT(found, Each(found[0]));
    lucky += found[0] < 200'000 ? 1 : 0;
  }
  EXPECT_NEAR(lucky, 100, 40);  // of 400 a half, and the other factor of that half is 1
}

TEST(SimDevice, a_config_has_its_own_speed_in_each_process) {
  const Request request({{"process", 10}});
  const auto one = times(SimBackend({5, 1}), request, 3);
  const auto two = times(SimBackend({5, 2}), request, 3);
  EXPECT_THAT(one, Each(one[0]));
  EXPECT_NE(one[0], two[0]);
  const SimBackend device({5, 1});
  EXPECT_EQ(value_of(device.true_cost_ns(request.get())), 200'000);
}

TEST(SimDevice, launches_write_what_the_kernel_computes) {
  const SimBackend device;
  const Tensors tensors;
  EXPECT_EQ(load(device, Request())->launch(tensors.get()), 0);
  for (std::size_t i = 0; i < tensors.y.size(); ++i)
    EXPECT_EQ(tensors.y[i], tensors.x[i] + 1);
}

TEST(SimDevice, bad_configs_compute_wrongly_or_are_refused) {
  const SimBackend device;
  const Request wrong({}, "sim_rugged", {{"block", 64}, {"unroll", 16}, {"vec", 8}});
  const Request refused({}, "sim_rugged", {{"block", 1024}, {"unroll", 1}, {"vec", 8}});
  const Tensors tensors;
  EXPECT_EQ(load(device, refused)->launch(tensors.get()), 701);
  EXPECT_THAT(tensors.y, Each(-1));
  EXPECT_EQ(load(device, wrong)->launch(tensors.get()), 0);
  EXPECT_NE(tensors.y[3], tensors.x[3] + 1);
  EXPECT_FALSE(device.true_cost_ns(wrong.get()));
  EXPECT_FALSE(device.true_cost_ns(refused.get()));
}

TEST(SimDevice, a_rugged_landscape_belongs_to_the_seed_and_not_to_the_process) {
  const auto cost = [](std::uint64_t seed, std::uint64_t process, std::int64_t block) {
    const Request request({}, "sim_rugged", {{"block", block}, {"unroll", 4}, {"vec", 2}});
    return value_of(SimBackend({seed, process}).true_cost_ns(request.get()));
  };
  EXPECT_EQ(cost(1, 1, 64), cost(1, 2, 64));
  EXPECT_NE(cost(1, 1, 64), cost(2, 1, 64));
  EXPECT_GE(cost(1, 1, 64), 200'000);
  EXPECT_LE(cost(1, 1, 64), 500'000);
}

TEST(SimDevice, a_changed_artifact_is_refused_whatever_byte_was_changed) {
  const SimBackend device;
  const Artifact good = value_of(device.compile(Request().get()));
  ASSERT_TRUE(device.load(good));
  for (std::size_t at = 0; at < good.bytes.size(); ++at) {
    Artifact changed = good;
    changed.bytes[at] ^= std::byte{1};
    EXPECT_FALSE(device.load(changed)) << "byte " << at;
    changed = good;
    changed.bytes.resize(at);
    EXPECT_FALSE(device.load(changed)) << "cut at " << at;
  }
}

TEST(SimDevice, refuses_kernels_without_a_model_and_any_other_arch) {
  const SimBackend device;
  const KernelDefinition kernel = value_of(read_kernel(find_resources().kernels / "rmsnorm"));
  CompileRequest request;
  request.kernel = &kernel;
  EXPECT_THAT(device.compile(request).error().text(), HasSubstr("has no section sim"));
  EXPECT_THAT(device.resolve_arch("sm_90").error().text(), HasSubstr("expected sim"));
  EXPECT_EQ(value_of(device.resolve_arch("")), "sim");
}

}  // namespace
}  // namespace tunecheck
