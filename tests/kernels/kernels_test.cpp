// What every kernel of the repository brings along. Whether it is right, `kernels prove` shows.
#include <algorithm>
#include <numeric>
#include <set>

#include <gmock/gmock.h>

#include "backend/gpu/gpu_compiler.hpp"
#include "core/device_kinds.hpp"
#include "core/info.hpp"
#include "core/kernel.hpp"
#include "core/resources.hpp"
#include "judge/run/session.hpp"

namespace tunecheck::test {
namespace {

const Catalogue& catalogue() {
  static const Catalogue all = read_catalogue({}).value();
  return all;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : catalogue().kernels)
    names.push_back(name);
  return names;
}

class EveryKernel : public testing::TestWithParam<std::string> {
 protected:
  const KernelDefinition& kernel() const { return catalogue().kernels.at(GetParam()); }
  const Sizes& sizes(const std::string& name) const { return kernel().sizes.at(name); }
  std::int64_t elements(const std::string& size) const {
    std::int64_t count = 0;
    for (const TensorParameter& tensor : kernel().tensors) {
      std::int64_t product = 1;
      const std::vector<std::int64_t> shape = kernel().shape_of(tensor, sizes(size)).value();
      for (const std::int64_t dimension : shape)
        product *= dimension;
      count += product;
    }
    return count;
  }
};

TEST_P(EveryKernel, has_a_naive_loop_and_a_source_for_gpus) {
  ASSERT_TRUE(kernel().cpu);
  EXPECT_FALSE(kernel().cpu->naive.empty());
  EXPECT_TRUE(kernel().gpu);
}

TEST_P(EveryKernel, is_proved_where_kernels_go_wrong) {
  for (const char* const size : {"odd", "one", "empty"})
    ASSERT_TRUE(kernel().sizes.contains(size)) << size;
  const auto any = [&](const char* size, std::int64_t value) {
    return std::any_of(sizes(size).begin(), sizes(size).end(),
                       [&](const auto& each) { return each.second == value; });
  };
  EXPECT_TRUE(any("one", 1));
  EXPECT_TRUE(any("empty", 0));
  EXPECT_LT(elements("empty"), elements("smoke"));
}

TEST_P(EveryKernel, leaves_something_to_choose_at_every_size_that_is_tuned) {
  for (const char* const size : {"smoke", "full"})
    EXPECT_GE(kernel().space.enumerate(to_variables(sizes(size))).value().size(), 6U) << size;
}

TEST_P(EveryKernel, has_a_default_that_depends_on_the_sizes) {
  const bool depends = std::any_of(
      kernel().default_config.begin(), kernel().default_config.end(), [&](const auto& parameter) {
        return std::any_of(sizes("smoke").begin(), sizes("smoke").end(), [&](const auto& size) {
          return parameter.second.find(size.first) != std::string::npos;
        });
      });
  EXPECT_TRUE(depends);
}

TEST_P(EveryKernel, says_what_it_moves_and_computes) {
  EXPECT_NE(kernel().bytes, "");
  EXPECT_NE(kernel().flops, "");
}

TEST_P(EveryKernel, says_where_its_tolerance_comes_from) {
  const InfoNode file = read_info_file(kernel().folder / "kernel.info").value();
  const InfoNode* const tolerance = file.child("kernel")->child("tolerance");
  ASSERT_NE(tolerance, nullptr);
  EXPECT_NE(tolerance->child("reason"), nullptr);
}

// Mutants that break what the kernel relies on.
std::set<std::string> mutants_for(const KernelDefinition& kernel) {
  std::set<std::string> names;
  if (!kernel.restore_value.empty()) names.insert("no_restore");
  if (!kernel.reset_to_zero.empty())
    names.insert({"reset_only_first_trial", "reset_not_on_final_call", "reset_not_on_hit"});
  return names;
}

TEST_P(EveryKernel, that_must_be_put_back_has_a_scenario_that_notices_when_it_is_not) {
  const std::set<std::string> mutants = mutants_for(kernel());
  if (mutants.empty()) return;  // nothing to put back
  const bool noticed = std::any_of(
      catalogue().scenarios.begin(), catalogue().scenarios.end(), [&](const auto& each) {
        const Scenario& scenario = each.second;
        return scenario.family == "restore" && scenario.kernel == kernel().name &&
               std::any_of(scenario.catches.begin(), scenario.catches.end(),
                           [&](const auto& name) { return mutants.contains(name); });
      });
  EXPECT_TRUE(noticed);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::ValuesIn(kernel_names()),
                         [](const auto& tested) { return tested.param; });

// Kernels for tests only are not proved: that their GPU sources compile, but for the config that
// must not, is shown here.
class TestKernelsOnGpus : public testing::TestWithParam<std::pair<DeviceKind, const char*>> {};

TEST_P(TestKernelsOnGpus, compile_in_every_config) {
  const auto& [backend, arch] = GetParam();
  const GpuCompilerState state = examine_gpu_compiler(backend);
  if (!state.missing.empty()) GTEST_SKIP() << state.missing;
  std::size_t compiled = 0;
  for (const auto& [name, kernel] : catalogue().test_kernels) {
    if (!kernel.gpu) continue;
    SpaceDefinition space = kernel.space;
    for (auto& parameter : space.parameters)
      if (parameter.name == "defect") {
        const std::int64_t last = name == "faulty_pair" ? 6 : 12;
        parameter.values.resize(static_cast<std::size_t>(last) + 1);
        std::iota(parameter.values.begin(), parameter.values.end(), 0);
      }
    std::vector<CompileRequest> requests;
    auto configs = space.enumerate(to_variables(kernel.sizes.at("smoke"))).value();
    // What a config must not do depends on "defect"; the others differ in numbers alone.
    if (space.parameters.empty() || configs.front().count("defect") == 0)
      configs.resize(std::min<std::size_t>(configs.size(), 2));
    for (const Config& config : configs) {
      CompileRequest& request = requests.emplace_back();
      request.kernel = &kernel;
      request.dtypes = kernel.variant(0);
      request.config = config;
      request.arch = arch;
      request.sizes = kernel.sizes.at("smoke");
    }
    const auto artifacts = compile_gpu_all(backend, requests, 2);
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      const auto defect = requests[i].config.find("defect");
      const bool must_fail =
          name == "faulty_scale" && defect != requests[i].config.end() && defect->second == 6;
      EXPECT_EQ(artifacts[i].has_value(), !must_fail)
          << name << " " << to_string(requests[i].config) << ": "
          << (artifacts[i] ? "compiled" : artifacts[i].error().text());
      ++compiled;
    }
  }
  EXPECT_GT(compiled, 40U);
}

INSTANTIATE_TEST_SUITE_P(Archs, TestKernelsOnGpus,
                         testing::Values(std::pair(DeviceKind::cuda, "sm_90"),
                                         std::pair(DeviceKind::hip, "gfx90a")),
                         [](const auto& tested) {
                           return std::string(name_of(tested.param.first));
                         });

TEST(Kernels, for_tests_run_on_gpus_as_well_unless_their_device_is_simulated) {
  // A kernel on a GPU cannot refuse its own launch, and what is odd about the other are the headers
  // that a C++ compiler finds.
  const std::set<std::string> of_cpus = {"refused_launch", "written_oddly"};
  for (const auto& [name, kernel] : catalogue().test_kernels)
    EXPECT_EQ(kernel.sim || kernel.gpu, !of_cpus.contains(name)) << name;
}

TEST(Kernels, that_people_really_tune_are_all_here) {
  EXPECT_THAT(kernel_names(), testing::IsSupersetOf({"adamw_step",
                                                     "amax_history",
                                                     "axpy_inplace",
                                                     "batchnorm_running_stats",
                                                     "dft",
                                                     "embedding_grad",
                                                     "fused_add_rmsnorm",
                                                     "gemm_beta",
                                                     "gemm_splitk",
                                                     "histogram_accumulate",
                                                     "kv_cache_append",
                                                     "layernorm_backward",
                                                     "moe_scatter_add",
                                                     "relax_until_converged",
                                                     "rmsnorm",
                                                     "rope_inplace",
                                                     "scan_lookback",
                                                     "softmax_inplace",
                                                     "sort_inplace",
                                                     "stencil_pingpong",
                                                     "transpose_strided"}));
}

}  // namespace
}  // namespace tunecheck::test
