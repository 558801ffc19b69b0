// Proving and measuring kernels on a GPU. Every test is skipped, with the reason, where there is
// none.
#include <gmock/gmock.h>

#include "backend/gpu/gpu_backend.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "judge/run/own_measurement.hpp"
#include "proof/prove.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr const char* gpu_body = "y(i) += static_cast<Y_TYPE>(factor) * static_cast<Y_TYPE>(x(i));";

class GpuProve : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto device = GpuBackend(DeviceKind::cuda).device_name(); !device)
      GTEST_SKIP() << device.error().text();
    if (const auto compiler = examine_gpu_compiler(DeviceKind::cuda); !compiler.missing.empty())
      GTEST_SKIP() << compiler.missing;
  }

  // Config 2 does `statement` after the sum.
  static KernelText with_in_step_2(const std::string& statement) {
    KernelText text = KernelText().with_gpu();
    text.gpu = with(text.gpu, gpu_body,
                    std::string(gpu_body) + "\n    if (STEP == 2) { " + statement + " }");
    return text;
  }

  ProofResult proof_of(const KernelText& text, ProveOptions options = {}) const {
    const KernelDefinition kernel = write_kernel(m_folder.path() / "toy", text);
    auto proof = prove_kernel(kernel, options);
    if (!proof) throw std::runtime_error(proof.error().text());
    return *proof;
  }

  // Those that ran on the GPU.
  static std::vector<ProofResult::ConfigProof> on_gpu(const ProofResult& proof) {
    std::vector<ProofResult::ConfigProof> found;
    for (const ProofResult::ConfigProof& config : proof.configs)
      if (config.backend == "cuda" && config.ran) found.push_back(config);
    return found;
  }

  std::filesystem::path folder() const { return m_folder.path(); }

 private:
  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-prove").value();
};

TEST_F(GpuProve, a_right_kernel_is_proved) {
  KernelText text = KernelText().with_gpu();
  text.info = with(text.info, "full { n 4096 }", "full { n 4096 } odd { n 77 } none { n 0 }");
  text.info = with(text.info, "  where \"step <= n\"", "");
  const ProofResult proof = proof_of(text);
  EXPECT_TRUE(proof.proved());
  EXPECT_THAT(proof.mistakes, IsEmpty());
  EXPECT_EQ(proof.nothing_ran, "");
  ASSERT_EQ(on_gpu(proof).size(), 2U);
  for (const auto& config : on_gpu(proof))
    EXPECT_TRUE(config.right) << config.text;
}

TEST_F(GpuProve, one_config_that_is_wrong_is_named_with_the_element) {
  const auto configs = on_gpu(proof_of(with_in_step_2("if (i == 5) y(i) += 1;")));
  ASSERT_EQ(configs.size(), 2U);
  EXPECT_TRUE(configs[0].right) << configs[0].text;
  EXPECT_FALSE(configs[1].right);
  EXPECT_THAT(configs[1].text,
              StartsWith("f32, size smoke: \"y\": 1 of 64 elements wrong; first at [5]"));
}

TEST_F(GpuProve, a_config_that_writes_elsewhere_is_wrong) {
  auto configs = on_gpu(proof_of(with_in_step_2("if (i == 0) y(y.size(0)) = 1;")));
  EXPECT_EQ(configs.at(1).text,
            "f32, size smoke: writes outside \"y\": byte 0 past the end of the tensor");
  configs = on_gpu(proof_of(with_in_step_2("x(i) = 0;")));
  EXPECT_THAT(configs.at(1).text, HasSubstr("writes \"x\", which it may only read"));
}

TEST_F(GpuProve, a_fast_path_that_does_not_look_at_the_strides_is_wrong) {
  KernelText text = KernelText().with_gpu();
  text.gpu = with(text.gpu, "y(i) +=", "y.data()[i] +=");
  EXPECT_THAT(on_gpu(proof_of(text)).at(0).text, StartsWith("f32, size smoke, strided: "));
}

TEST_F(GpuProve, a_config_that_takes_its_context_along_costs_its_own_runs) {
  const ProofResult proof = proof_of(with_in_step_2("*reinterpret_cast<float*>(64) = 1;"));
  const auto configs = on_gpu(proof);
  EXPECT_TRUE(configs.at(0).right) << configs.at(0).text;
  EXPECT_THAT(configs.at(1).text, HasSubstr("illegal memory access"));
  EXPECT_THAT(proof.mistakes, IsEmpty());
}

TEST_F(GpuProve, a_launch_that_is_refused_is_told_with_its_status) {
  const auto configs = on_gpu(proof_of([] {
    KernelText text = KernelText().with_gpu();
    text.info = with(text.info, "threads 32 }", "threads 32  shared \"step == 2 ? 1000000 : 0\" }");
    return text;
  }()));
  EXPECT_TRUE(configs.at(0).right) << configs.at(0).text;
  EXPECT_THAT(configs.at(1).text, HasSubstr("invalid argument"));
}

TEST_F(GpuProve, two_launches_that_differ_are_a_mistake_unless_the_gpu_section_says_why) {
  KernelText text = KernelText().with_gpu();
  text.info = with(text.info, "relative 1e-6  absolute 1e-6", "relative 1e-6  absolute 1");
  text.gpu = with(text.gpu, gpu_body,
                  std::string(gpu_body) + "\n    if (i == 3) y(i) += 1e-4f * (clock64() % 997);");
  const ProofResult proof = proof_of(text);
  ASSERT_EQ(proof.mistakes.size(), 1U);
  EXPECT_THAT(proof.mistakes[0], HasSubstr("on the same arguments differ on cuda: 1 of 64"));
  text.info = with(text.info, "threads 32 }", "threads 32  nondeterministic \"a clock\" }");
  const ProofResult said = proof_of(text);
  EXPECT_THAT(said.mistakes, IsEmpty());
  EXPECT_THAT(said.notes, ElementsAre(testing::EndsWith(" (a clock)")));
}

TEST_F(GpuProve, a_kernel_for_gpus_alone_is_proved) {
  KernelText text = KernelText().with_gpu();
  text.info = with(text.info, "  cpu            { source cpu.cpp }\n", "");
  const ProofResult proof = proof_of(text);
  EXPECT_TRUE(proof.proved());
  EXPECT_EQ(on_gpu(proof).size(), 2U);
}

TEST_F(GpuProve, only_the_backends_that_are_asked_for_run) {
  ProveOptions options;
  options.backends = {DeviceKind::cuda};
  const ProofResult proof = proof_of(KernelText().with_gpu(), options);
  EXPECT_TRUE(proof.proved());
  for (const auto& config : proof.configs)
    EXPECT_EQ(config.backend, "cuda");
}

TEST_F(GpuProve, a_sanitizer_sees_a_read_past_the_end) {
  std::filesystem::path tool = find_program("compute-sanitizer");
  if (tool.empty()) tool = find_program("/usr/local/cuda/bin/compute-sanitizer");
  if (tool.empty()) GTEST_SKIP() << "there is no compute-sanitizer here";
  ProveOptions options;
  options.backends = {DeviceKind::cuda};
  options.size = "smoke";
  options.under = {tool.string(), "--tool",           "memcheck", "--padding",
                   "64",          "--error-exitcode", "86"};
  const ProofResult right = proof_of(KernelText().with_gpu(), options);
  EXPECT_TRUE(right.proved());
  // Nothing comes of what is read, so that no result is wrong.
  const auto configs = on_gpu(proof_of(
      with_in_step_2("volatile X_TYPE past = x(i + (i + 1 == y.size(0) ? 1 : 0)); (void)past;"),
      options));
  EXPECT_TRUE(configs.at(0).right) << configs.at(0).text;
  EXPECT_FALSE(configs.at(1).right);
  EXPECT_THAT(configs.at(1).text, HasSubstr("Invalid __global__ read"));
}

TEST_F(GpuProve, every_config_is_measured_on_the_device) {
  KernelText text =
      with_in_step_2("for (const long long end = clock64() + 100000; clock64() < end;) {}");
  const KernelDefinition kernel = write_kernel(folder() / "toy", text);
  protocol::CallRequest request;
  request.kernel = kernel.name;
  request.sizes = kernel.sizes.at("smoke");
  request.space = kernel.space;
  request.scalars = {{"factor", 1.25}};
  std::vector<TensorFile> files;
  for (const TensorParameter& tensor : kernel.tensors)
    files.emplace_back(folder() / (tensor.name + ".bin"), DType::f32,
                       Layout::contiguous(std::vector<std::int64_t>{64}), 0, Fill(), 1,
                       tensor.name);
  const OwnMeasurement found = measure_all_configs(DeviceKind::cuda, kernel, request, files);
  ASSERT_EQ(found.trouble, "");
  EXPECT_THAT(found.median_ns, UnorderedElementsAre(Pair("step=1", Gt(0)), Key("step=2")));
  EXPECT_GT(found.median_ns.at("step=2"), 2 * found.median_ns.at("step=1"));
}

}  // namespace
}  // namespace tunecheck::test
