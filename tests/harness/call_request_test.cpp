// What a tuner is told in a call: all that an adapter needs of the kernel file.
#include "harness/process/call_request.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "backend/cpu/toolchain.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

KernelDefinition kernel_of(const std::string& name) {
  return read_kernel(find_resources().kernels / name).value();
}

// As a scenario asks it, but for the tensors' files.
protocol::CallRequest request_of(const KernelDefinition& kernel) {
  protocol::CallRequest request;
  request.kernel_folder = kernel.folder;
  request.kernel = kernel.name;
  for (const TensorParameter& tensor : kernel.tensors)
    request.tensors.push_back({tensor.name, {}, 0, tensor.dtypes.front(), {}});
  request.sizes = kernel.sizes.at("smoke");
  request.space = kernel.space;
  return request;
}

TEST(CallRequest, says_the_orders_and_the_roles_of_the_arguments) {
  const KernelDefinition kernel = kernel_of("relax_until_converged");
  protocol::CallRequest request = request_of(kernel);
  std::reverse(request.tensors.begin(), request.tensors.end());
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.tensors, ElementsAre("field", "source")) << "not the caller's order";
  EXPECT_THAT(request.facts.scalars, ElementsAre("conduction", "exchange", "residual"));
  EXPECT_THAT(request.facts.key_scalars, ElementsAre("residual"));
  EXPECT_THAT(request.facts.restore_value, ElementsAre("field"));
  EXPECT_THAT(request.facts.reset_to_zero, IsEmpty());
  EXPECT_EQ(request.facts.source, kernel.folder / "cpu.cpp");
}

TEST(CallRequest, lists_what_the_condition_keeps_in_order) {
  const KernelDefinition kernel = kernel_of("axpy_inplace");
  protocol::CallRequest request = request_of(kernel);
  request.space = {{{"block", {512, 128}}, {"unroll", {1, 4}}}, "block * unroll < 1024"};
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  std::vector<std::string> configs;
  for (const protocol::ListedConfig& config : request.facts.configs) {
    configs.push_back(to_string(config.values));
    EXPECT_FALSE(config.launch);
  }
  EXPECT_THAT(configs,
              ElementsAre("block=512,unroll=1", "block=128,unroll=1", "block=128,unroll=4"));
  EXPECT_THAT(request.facts.configs.front().options,
              ElementsAre("-DBLOCK=512", "-DUNROLL=1", "-DTUNECHECK_CONFIG=block=512,unroll=1"));
}

TEST(CallRequest, names_the_default_where_the_space_has_it) {
  const KernelDefinition kernel = kernel_of("axpy_inplace");
  protocol::CallRequest request = request_of(kernel);
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_EQ(to_string(request.facts.default_config), "block=512,unroll=16");
  request.space = {{{"block", {512, 128}}, {"unroll", {1, 4}}}, ""};
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.default_config, IsEmpty());
}

TEST(CallRequest, a_condition_that_no_config_meets_is_an_error) {
  const KernelDefinition kernel = kernel_of("axpy_inplace");
  protocol::CallRequest request = request_of(kernel);
  request.space.where = "block > 100000";
  EXPECT_FALSE(complete(request, kernel, DeviceKind::cpu));
}

TEST(CallRequest, its_options_are_all_that_a_compiler_needs) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-options").value();
  const KernelDefinition kernel = kernel_of("axpy_inplace");
  protocol::CallRequest request = request_of(kernel);
  request.tensors[0].dtype = DType::bf16;
  request.compile_options = {"-fno-inline"};
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.build_options, Contains("-DX_TYPE=tunecheck::bf16"));
  EXPECT_EQ(request.facts.build_options.back(), "-fno-inline") << "what a caller asks for wins";
  CommandOptions command;
  command.arguments = {Toolchain::find().value().compiler().string()};
  for (const auto& options :
       {request.facts.build_options,
        request.facts.configs.front().options,
        {request.facts.source.string(), "-o", (folder.path() / "kernel.so").string()}})
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  const auto run = run_command(command);
  ASSERT_TRUE(run && run->end.success()) << run->output;
}

TEST(CallRequest, an_arch_is_among_the_options_if_the_call_asks_for_one) {
  const KernelDefinition kernel = kernel_of("axpy_inplace");
  protocol::CallRequest request = request_of(kernel);
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.build_options, Not(Contains(HasSubstr("-march"))));
  request.arch = "native";
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.build_options, Contains(HasSubstr("-march=native")));
  // Whether it is refused is asked of the tuner.
  request.arch = "no-such-arch";
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.build_options, Contains("-march=no-such-arch"));
}

TEST(CallRequest, on_a_gpu_it_says_how_each_config_is_launched) {
  const KernelDefinition kernel = kernel_of("axpy_inplace");
  protocol::CallRequest request = request_of(kernel);
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cuda));
  EXPECT_EQ(request.facts.source, kernel.folder / "gpu.cu");
  EXPECT_THAT(request.facts.build_options, Contains(EndsWith("backend/gpu/include")));
  const protocol::ListedConfig& first = request.facts.configs.front();
  EXPECT_EQ(to_string(first.values), "block=128,unroll=1");
  EXPECT_THAT(first.options, Contains("-DTUNECHECK_CONFIG=\"block=128,unroll=1\""));
  ASSERT_TRUE(first.launch);
  EXPECT_THAT(first.launch->grid, ElementsAre(65536 / 128, 1, 1));
  EXPECT_THAT(first.launch->threads, ElementsAre(128, 1, 1));
}

TEST(CallRequest, the_simulated_device_has_configs_and_no_source) {
  const KernelDefinition kernel =
      read_kernel(find_resources().scenarios / "kernels" / "sim_smooth").value();
  protocol::CallRequest request = request_of(kernel);
  ASSERT_TRUE(complete(request, kernel, DeviceKind::sim));
  EXPECT_EQ(request.facts.source, "");
  EXPECT_THAT(request.facts.configs, Not(IsEmpty()));
  EXPECT_THAT(request.facts.configs.front().options, IsEmpty());
}

TEST(CallRequest, variables_that_the_kernel_file_names_are_said) {
  KernelDefinition kernel = kernel_of("axpy_inplace");
  kernel.environment = {"TOY_MODE"};
  protocol::CallRequest request = request_of(kernel);
  ASSERT_TRUE(complete(request, kernel, DeviceKind::cpu));
  EXPECT_THAT(request.facts.variables, ElementsAre("TOY_MODE"));
}

}  // namespace
}  // namespace tunecheck::test
