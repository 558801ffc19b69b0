// Proving kernels, with the real toolchain.
#include "proof/prove.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "backend/gpu/gpu_backend.hpp"
#include "core/device_kinds.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

ProofResult proof_of(const KernelText& text, const ProveOptions& options = {}) {
  const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-prove");
  const KernelDefinition kernel = write_kernel(folder.path() / "toy", text);
  auto proof = prove_kernel(kernel, options);
  if (!proof) throw std::runtime_error(proof.error().text());
  return *proof;
}

std::vector<std::string> accepted(const ProofResult& proof) {
  std::vector<std::string> names;
  for (const ProofResult::Rejection& rejection : proof.rejections)
    if (rejection.applicable && !rejection.rejected) names.push_back(rejection.wrong_result);
  return names;
}

constexpr const char* body = "y(i) += static_cast<Y_TYPE>(factor) * static_cast<Y_TYPE>(x(i));";

TEST(Prove, a_good_kernel_is_proved) {
  const ProofResult proof = proof_of(KernelText());
  EXPECT_TRUE(proof.proved());
  EXPECT_EQ(proof.kernel, "toy");
  EXPECT_EQ(proof.size, "smoke");
  EXPECT_EQ(proof.error, "");
  EXPECT_EQ(proof.excluded, "2 combinations, 0 excluded, 2 configs");
  ASSERT_EQ(proof.configs.size(), 2U);
  for (const ProofResult::ConfigProof& config : proof.configs) {
    EXPECT_TRUE(config.right) << config.text;
    EXPECT_EQ(config.text, "");
    EXPECT_EQ(config.backend, "cpu");
  }
  std::vector<std::string> names;
  for (const ProofResult::Rejection& rejection : proof.rejections) {
    EXPECT_TRUE(rejection.rejected) << rejection.wrong_result;
    EXPECT_THAT(rejection.text, HasSubstr("\"y\": "));
    names.push_back(rejection.wrong_result);
  }
  EXPECT_THAT(names, ElementsAre("zeros", "the unchanged input", "a twice-applied kernel", "NaN",
                                 "a half-written output", "one element off by ten tolerances",
                                 "a write past the end"));
}

// Each compiler that opens it would wait until it is killed.
TEST(Prove, a_header_that_is_a_pipe_ends_the_proof_with_its_name) {
  const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-prove");
  const auto toy = folder.path() / "toy";
  for (auto KernelText::*const file : {&KernelText::cpu, &KernelText::reference}) {
    KernelText text;
    text.*file = "#include \"pipe.h\"\n" + text.*file;
    const KernelDefinition kernel = write_kernel(toy, text);
    (void)::mkfifo((toy / "pipe.h").c_str(), 0600);
    const auto proof = prove_kernel(kernel, {});
    ASSERT_TRUE(proof);
    EXPECT_EQ(proof->error, (toy / "pipe.h").string() + ": expected a header, and it is a pipe");
    EXPECT_FALSE(proof->proved());
  }
}

TEST(Prove, a_tolerance_that_is_far_too_loose_is_not_proved_and_says_what_it_accepts) {
  KernelText text;
  text.info = with(text.info, "relative 1e-6  absolute 1e-6", "relative 1e-6  absolute 100");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  for (const ProofResult::ConfigProof& config : proof.configs)
    EXPECT_TRUE(config.right);
  EXPECT_THAT(accepted(proof), ElementsAre("zeros", "the unchanged input", "a twice-applied kernel",
                                           "a half-written output"));
  EXPECT_EQ(proof.rejections.at(0).text, "accepted as \"y\"");
}

TEST(Prove, one_config_that_is_wrong_is_named_with_the_element) {
  KernelText text;
  text.cpu = with(text.cpu, body, std::string(body) + "\n  if (step == 2) y(5) += 1;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  ASSERT_EQ(proof.configs.size(), 2U);
  EXPECT_TRUE(proof.configs[0].right);
  EXPECT_FALSE(proof.configs[1].right);
  EXPECT_EQ(to_string(proof.configs[1].config), "step=2");
  EXPECT_THAT(proof.configs[1].text, MatchesRegex("f32, size smoke: \"y\": 1 of 64 elements wrong; "
                                                  "first at \\[5\\]: expected .* found .*"));
  EXPECT_THAT(accepted(proof), IsEmpty());
}

TEST(Prove, a_config_that_writes_elsewhere_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, body, std::string(body) + "\n  if (step == 2) y(y.size(0)) = 1;");
  EXPECT_EQ(proof_of(text).configs.at(1).text,
            "f32, size smoke: writes outside \"y\": byte 0 past the end of the tensor");
  text = KernelText();
  text.cpu = with(text.cpu, body, std::string(body) + "\n  if (step == 1) x(7) += 1;");
  EXPECT_THAT(proof_of(text).configs.at(0).text,
              HasSubstr("writes \"x\", which it may only read: byte "));
}

TEST(Prove, a_config_that_does_not_compile_crashes_or_refuses_is_told_so) {
  KernelText text;
  text.info = with(text.info, "step \"1 2\"", "step \"1 2 3 4\"");
  text.cpu = with(text.cpu, "void toy", "int toy");
  text.cpu = with(text.cpu, body,
                  std::string(body) +
                      "\n  static_assert(step != 2, \"two\");\n  if (step == 3) __builtin_abort();"
                      "\n  return step == 4 ? 701 : 0;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  ASSERT_EQ(proof.configs.size(), 4U);
  EXPECT_TRUE(proof.configs[0].right) << proof.configs[0].text;
  EXPECT_THAT(proof.configs[1].text, HasSubstr("does not compile: "));
  EXPECT_THAT(proof.configs[2].text, HasSubstr("signal 6"));
  EXPECT_EQ(proof.configs[3].text, "f32, size smoke: returned status 701: out of resources");
}

TEST(Prove, a_kernel_that_does_nothing_is_proved_in_no_config) {
  KernelText text;
  text.cpu = with(text.cpu, body, "(void)factor;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  for (const ProofResult::ConfigProof& config : proof.configs)
    EXPECT_FALSE(config.right);
  EXPECT_THAT(accepted(proof), ElementsAre("a twice-applied kernel"));
  EXPECT_EQ(proof.rejections.at(2).text, "no config works");
}

TEST(Prove, a_kernel_that_only_writes_has_no_second_application) {
  KernelText text;
  text.info = with(text.info, "access in_place  fill normal", "access write");
  text.info = with(text.info, "  restore_value  \"y\"\n", "");
  text.cpu = with(text.cpu, "y(i) +=", "y(i) =");
  text.reference = with(text.reference, "y(i) +=", "y(i) =");
  const ProofResult proof = proof_of(text);
  EXPECT_TRUE(proof.proved());
  EXPECT_FALSE(proof.rejections.at(2).applicable);
  EXPECT_THAT(proof.rejections.at(2).text, HasSubstr("twice is once"));
}

TEST(Prove, an_accumulating_kernel_starts_from_zeros) {
  KernelText text;
  text.info = with(text.info, "restore_value  \"y\"", "reset_to_zero  \"y\"");
  EXPECT_TRUE(proof_of(text).proved());
}

TEST(Prove, a_reference_that_does_not_compile_is_an_error_and_no_proof) {
  KernelText text;
  text.reference = with(text.reference, "factor * x(i)", "factor *");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.error, HasSubstr("the reference does not compile"));
  EXPECT_THAT(proof.configs, IsEmpty());
}

TEST(Prove, a_kernel_without_elements_to_write_rejects_nothing) {
  KernelText text;
  text.info = with(text.info, "smoke { n 64 }", "smoke { n 0 }");
  text.info = with(text.info, "  where \"step <= n\"", "");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(accepted(proof), testing::Contains("zeros"));
  EXPECT_EQ(proof.rejections.at(0).text, "not tried: no element is written");
}

// The texts of mistakes, one line each.
std::string mistakes(const ProofResult& proof) {
  std::string text;
  for (const std::string& mistake : proof.mistakes)
    text += mistake + '\n';
  return text;
}

TEST(Prove, finds_no_mistake_in_a_good_kernel) {
  const ProofResult proof = proof_of(KernelText());
  EXPECT_THAT(proof.mistakes, IsEmpty());
  EXPECT_THAT(proof.notes, IsEmpty());
}

TEST(Prove, runs_every_config_at_every_size_but_full_and_in_every_dtype) {
  KernelText text;
  text.info = with(text.info, "full { n 4096 }", "full { n 4096 } odd { n 7 } none { n 0 }");
  text.info = with(text.info, "  where \"step <= n\"", "");
  const ProofResult proof = proof_of(text);
  EXPECT_TRUE(proof.proved());
  EXPECT_THAT(proof.sizes, ElementsAre("smoke", "none", "odd"));
  EXPECT_THAT(proof.variants, ElementsAre("f32", "f64"));
  text.cpu = with(text.cpu, body, std::string(body) + "\n  if (y.size(0) == 7) y(6) = 1;");
  EXPECT_THAT(proof_of(text).configs.at(0).text,
              testing::StartsWith("f32, size odd: \"y\": 1 of 7 elements wrong; first at [6]"));
}

TEST(Prove, says_what_the_space_excludes) {
  KernelText text;
  text.info = with(text.info, "step \"1 2\"  where \"step <= n\"",
                   "step \"1 2 3 4\"  where \"step % 3 != 0 && step <= n\"");
  text.info = with(text.info, "full { n 4096 }", "full { n 4096 } two { n 2 }");
  EXPECT_EQ(
      proof_of(text).excluded,
      "4 combinations, 1 excluded, 3 configs; \"step % 3 != 0 && step <= n\" excludes step=3; "
      "2 at size two");
}

TEST(Prove, a_config_that_only_full_allows_is_a_mistake) {
  KernelText text;
  text.info = with(text.info, "step \"1 2\"", "step \"1 2 3000 4000\"");
  EXPECT_EQ(mistakes(proof_of(text)),
            "size full allows 4 configs, and 2 of them were run with one element at most, because "
            "no other size allows them (step=3000 and others): add a small size that does\n");
  text.info = with(text.info, "full { n 4096 }", "full { n 4096 } long { n 4001 }");
  EXPECT_TRUE(proof_of(text).proved());
}

TEST(Prove, a_config_that_is_wrong_in_one_dtype_alone_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, body, std::string(body) + "\n  if (sizeof(Y_TYPE) == 8) y(0) = 7;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.configs.at(0).text, testing::StartsWith("f64, size smoke: "));
}

TEST(Prove, a_tolerance_that_is_too_loose_in_one_dtype_alone_is_not_proved) {
  KernelText text;
  text.info = with(text.info, "reason \"one product and one sum\"",
                   "reason \"one product and one sum\"  f64 { relative 0  absolute 100 }");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_EQ(proof.rejections.at(0).text, "f64: accepted as \"y\"");
}

TEST(Prove, a_source_that_ignores_its_config_is_a_mistake) {
  KernelText text;
  text.cpu = with(text.cpu, "volatile int config = step;", "volatile int config = 1;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_EQ(mistakes(proof),
            "the cpu source ignores its config: the artifacts of all 2 configs are identical; use "
            "the macros STEP in it, or take parameters out of the space\n");
}

TEST(Prove, a_parameter_that_changes_nothing_is_noted) {
  KernelText text;
  text.info = with(text.info, "step \"1 2\"", "step \"1 2\"  width \"4 8\"");
  text.info = with(text.info, "default        { step 1 }", "default        { step 1 width 4 }");
  const ProofResult proof = proof_of(text);
  EXPECT_TRUE(proof.proved());
  EXPECT_THAT(proof.notes, ElementsAre("parameter \"width\" changes no artifact: the cpu source "
                                       "makes the same of every WIDTH"));
}

TEST(Prove, a_parameter_that_changes_nothing_is_noted_whatever_the_length_of_its_values) {
  KernelText text;
  text.info = with(text.info, "step \"1 2\"", "step \"1 2\"  width \"4 128\"");
  text.info = with(text.info, "default        { step 1 }", "default        { step 1 width 4 }");
  EXPECT_EQ(proof_of(text).notes.size(), 1U);
}

TEST(Prove, a_fast_path_that_does_not_look_at_the_strides_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, "y(i) += static_cast<Y_TYPE>(factor) * static_cast<Y_TYPE>(x(i));",
                  "y.data()[i] += static_cast<Y_TYPE>(factor) * static_cast<Y_TYPE>(x(i));");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.configs.at(0).text, testing::StartsWith("f32, size smoke, strided: "));
}

TEST(Prove, a_fast_path_for_aligned_arguments_that_is_wrong_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, body,
                  std::string(body) +
                      "\n  if (reinterpret_cast<unsigned long>(y.data()) % 64 == 0) "
                      "y(y.size(0) - 1) += 1;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.configs.at(0).text,
              testing::StartsWith("f32, size smoke, aligned to 64 bytes: "));
}

TEST(Prove, a_config_that_only_an_empty_size_allows_was_not_run) {
  KernelText text;
  text.info = with(text.info, "step \"1 2\"  where \"step <= n\"",
                   "step \"1 2 3\"  where \"step != 2 || n == 0 || n > 1000\"");
  text.info = with(text.info, "full { n 4096 }", "full { n 4096 } none { n 0 }");
  EXPECT_THAT(mistakes(proof_of(text)), HasSubstr("1 of them were run with one element at most"));
}

TEST(Prove, a_fast_path_that_looks_at_one_tensor_alone_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, body,
                  std::string(body) +
                      "\n  if (reinterpret_cast<unsigned long>(y.data()) % 64 == 0 && "
                      "reinterpret_cast<unsigned long>(x.data()) % 64 != 0) y(0) += 1;");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.configs.at(0).text, HasSubstr("all but \"x\" aligned to 64 bytes: "));
}

TEST(Prove, with_gaps_in_every_dtype) {
  KernelText text;
  text.cpu = with(text.cpu, body,
                  std::string(body) + "\n  if (y.stride(0) > 1 && sizeof(Y_TYPE) == 8) y(0) += 1;");
  EXPECT_THAT(proof_of(text).configs.at(0).text, testing::StartsWith("f64, size smoke, strided: "));
}

TEST(Prove, a_fast_path_for_aligned_arguments_that_ignores_a_scalar_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, body,
                  std::string(body) +
                      "\n  if (reinterpret_cast<unsigned long>(y.data()) % 64 == 0) "
                      "y(0) += (1.25F - factor) * static_cast<float>(x(0));");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.configs.at(0).text, HasSubstr("aligned to 64 bytes, factor = "));
}

TEST(Prove, an_argument_in_place_that_is_only_read_is_a_mistake) {
  KernelText text;
  text.info = with(text.info, "access read ", "access in_place ");
  text.info = with(text.info, "restore_value  \"y\"", "restore_value  \"x y\"");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_EQ(mistakes(proof),
            "\"x\" is declared in_place and no launch changes it: if it is only read, give it "
            "access read and take it out of restore_value\n");
}

TEST(Prove, an_output_that_is_added_to_is_a_mistake) {
  KernelText text;
  text.info = with(text.info, "access in_place  fill normal", "access write");
  text.info = with(text.info, "  restore_value  \"y\"\n", "");
  text.reference = with(text.reference, "y(i) +=", "y(i) =");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(mistakes(proof), HasSubstr("right only if \"y\" holds zeros before the launch"));
  EXPECT_THAT(mistakes(proof), HasSubstr("name it in reset_to_zero"));
}

// Adds what differs from process to process.
KernelText nondeterministic_kernel() {
  KernelText text;
  text.cpu = with(text.cpu, "#include \"step.h\"", "#include \"step.h\"\n#include <unistd.h>");
  text.cpu =
      with(text.cpu, body, std::string(body) + "\n  y(3) += 1e-8f * static_cast<float>(getpid());");
  text.info = with(text.info, "relative 1e-6  absolute 1e-6", "relative 1e-6  absolute 1");
  return text;
}

TEST(Prove, a_kernel_that_is_not_deterministic_is_told_by_how_much) {
  EXPECT_THAT(
      mistakes(proof_of(nondeterministic_kernel())),
      MatchesRegex("two launches of config step=1 on the same arguments differ: 1 of 64 "
                   "elements of \"y\", by up to .* \\([0-9]+ ulp\\); expected the same bits: "
                   ".* or say why it must be in nondeterministic\n"));
}

TEST(Prove, a_kernel_may_say_why_it_is_not_deterministic) {
  KernelText text = nondeterministic_kernel();
  text.info = with(text.info, "  reference      reference.cpp\n",
                   "  reference      reference.cpp\n  nondeterministic \"a test\"\n");
  const ProofResult proof = proof_of(text);
  EXPECT_THAT(proof.mistakes, IsEmpty());
  ASSERT_EQ(proof.notes.size(), 1U);
  EXPECT_THAT(proof.notes[0], testing::EndsWith(" (a test)"));
}

KernelText idempotent_kernel() {
  KernelText text;
  text.cpu = with(text.cpu, "y(i) += static_cast<Y_TYPE>(factor) *", "y(i) =");
  text.cpu = with(text.cpu, "(void)config;", "(void)config;\n  (void)factor;");
  text.reference = with(text.reference, "y(i) += factor * x(i)", "y(i) = x(i) + 0 * factor");
  return text;
}

TEST(Prove, a_kernel_whose_second_launch_changes_nothing_must_say_so) {
  KernelText text = idempotent_kernel();
  ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(accepted(proof), ElementsAre("a twice-applied kernel"));
  text.info = with(text.info, "  reference      reference.cpp\n",
                   "  reference      reference.cpp\n  twice_is_once \"x is copied\"\n");
  proof = proof_of(text);
  EXPECT_TRUE(proof.proved());
  EXPECT_EQ(proof.rejections.at(2).text, "x is copied");
}

TEST(Prove, saying_so_of_a_kernel_that_drifts_is_not_believed) {
  KernelText text;
  text.info = with(text.info, "  reference      reference.cpp\n",
                   "  reference      reference.cpp\n  twice_is_once \"no\"\n");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.rejections.at(2).text, testing::StartsWith("twice_is_once is not true: \"y\""));
}

TEST(Prove, what_a_launch_leaves_in_scratch_is_not_compared) {
  KernelText text;
  text.info =
      with(text.info, "    y {", "    s { dtype i32  shape \"n\"  access scratch }\n    y {");
  text.cpu = with(text.cpu, "tunecheck::Tensor<Y_TYPE> y, float",
                  "tunecheck::Tensor<S_TYPE> s, tunecheck::Tensor<Y_TYPE> y, float");
  text.cpu = with(text.cpu, body, std::string(body) + "\n  s(0) = step;");
  text.reference = with(text.reference, "tunecheck::Tensor<double> y",
                        "tunecheck::Tensor<double>, tunecheck::Tensor<double> y");
  EXPECT_TRUE(proof_of(text).proved());
  text.cpu = with(text.cpu, "s(0) = step;", "s(s.size(0)) = step;");
  EXPECT_THAT(proof_of(text).configs.at(0).text, HasSubstr("writes outside \"s\""));
}

TEST(Prove, memory_that_may_be_shared_is_shared_too) {
  KernelText text;
  text.info = with(text.info, "access in_place  fill normal", "access write  may_alias x");
  text.cpu = with(text.cpu, "y(i) += static_cast<Y_TYPE>(factor) *", "y(i) =");
  text.cpu = with(text.cpu, "(void)config;", "(void)config;\n  (void)factor;");
  text.reference = with(text.reference, "y(i) += factor * x(i)", "y(i) = x(i) + 0 * factor");
  EXPECT_TRUE(proof_of(text).proved());
  // Right as long as nothing is shared.
  text.cpu = with(text.cpu, "y(i) = static_cast<Y_TYPE>(x(i));",
                  "y(i) = 0;\n  for (int64_t i = 0; i < y.size(0); ++i) y(i) = x(i);");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.configs.at(0).text,
              testing::StartsWith("f32, size smoke, \"y\" is \"x\": \"y\": "));
}

TEST(Prove, of_one_size_runs_that_size_alone) {
  KernelText text;
  text.info = with(text.info, "full { n 4096 }", "full { n 4096 } odd { n 7 }");
  ProveOptions options;
  options.size = "smoke";
  EXPECT_THAT(proof_of(text, options).sizes, ElementsAre("smoke"));
  options.size = "odd";
  EXPECT_THAT(proof_of(text, options).sizes, ElementsAre("odd"));
}

TEST(Prove, of_a_kernel_for_gpus_alone_shows_nothing_where_no_gpu_is_asked_for) {
  KernelText text = KernelText().with_gpu();
  text.info = with(text.info, "  cpu            { source cpu.cpp }\n", "");
  ProveOptions options;
  options.backends = {DeviceKind::cpu};
  const ProofResult proof = proof_of(text, options);
  EXPECT_FALSE(proof.proved());
  EXPECT_EQ(proof.nothing_ran, "the kernel has no cpu source; no GPU is asked for");
  EXPECT_THAT(proof.configs, IsEmpty());
}

TEST(Prove, of_a_kernel_for_gpus_alone_says_what_is_missing_to_run_it) {
  const auto device = GpuBackend(DeviceKind::cuda).device_name();
  if (device) GTEST_SKIP() << "there is " << *device;
  KernelText text = KernelText().with_gpu();
  text.info = with(text.info, "  cpu            { source cpu.cpp }\n", "");
  const ProofResult proof = proof_of(text);
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof.nothing_ran, HasSubstr("the kernel has no cpu source; "));
  EXPECT_THAT(proof.nothing_ran, HasSubstr(device.error().text()));
  for (const ProofResult::ConfigProof& config : proof.configs)
    EXPECT_FALSE(config.ran);
}

TEST(Prove, on_a_backend_without_a_device_is_an_error) {
  for (const DeviceKind kind : gpu_kinds) {
    const auto device = GpuBackend(kind).device_name();
    if (device) continue;
    const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-prove");
    ProveOptions options;
    options.backends = {kind};
    const auto proof = prove_kernel(write_kernel(folder.path() / "toy"), options);
    ASSERT_FALSE(proof) << name_of(kind);
    EXPECT_EQ(proof.error().text(),
              fmt::format("nothing can be run on {}: {}", name_of(kind), device.error().text()));
  }
}

// A tool that complains where what it runs has said "bad".
class ProveUnderATool : public testing::Test {
 protected:
  ProofResult proof_of(const std::string& when) const {
    const auto tool = m_folder.path() / "tool";
    EXPECT_TRUE(write_file(tool, std::string_view("#!/bin/sh\n"
                                                  "\"$@\" 2>\"$0.$$\"; status=$?\n"
                                                  "grep -q bad \"$0.$$\" || exit $status\n"
                                                  "echo '=== it is bad'; exit 86\n")));
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    KernelText text;
    text.cpu = with(text.cpu, "#include \"step.h\"", "#include \"step.h\"\n#include <cstdio>");
    text.cpu = with(text.cpu, "(void)config;",
                    "(void)config;\n  if (" + when + ") std::fputs(\"bad\\n\", stderr);");
    ProveOptions options;
    options.backends = {DeviceKind::cpu};
    options.size = "smoke";
    options.under = {tool.string()};
    return test::proof_of(text, options);
  }
  // A file that is not there yet.
  std::string once() const { return (m_folder.path() / "once").string(); }

 private:
  const TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-tool").value();
};

TEST_F(ProveUnderATool, a_kernel_of_which_it_does_not_complain_is_proved) {
  EXPECT_TRUE(proof_of("step > 2").proved());
}

TEST_F(ProveUnderATool, the_config_of_which_it_complains_is_found_and_is_not_right) {
  const ProofResult proof = proof_of("step == 2");
  EXPECT_FALSE(proof.proved());
  EXPECT_TRUE(proof.configs.at(0).right) << proof.configs.at(0).text;
  EXPECT_FALSE(proof.configs.at(1).right);
  EXPECT_THAT(proof.configs.at(1).text, HasSubstr("tool: exit status 86: === it is bad"));
}

TEST_F(ProveUnderATool, what_it_says_once_and_of_no_config_alone_is_a_mistake) {
  const ProofResult proof =
      proof_of("step == 2 && std::fopen(\"" + once() + "\", \"wx\") != nullptr");
  EXPECT_FALSE(proof.proved());
  EXPECT_TRUE(proof.configs.at(1).right) << proof.configs.at(1).text;
  EXPECT_THAT(mistakes(proof), HasSubstr("tool: exit status 86: === it is bad"));
}

}  // namespace
}  // namespace tunecheck::test
