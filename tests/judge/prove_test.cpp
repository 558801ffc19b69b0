// Proving kernels, with the real toolchain.
#include "judge/prove.hpp"

#include <gmock/gmock.h>

#include "kernel_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

ProofResult proof_of(const KernelText& text) {
  const TemporaryFolder folder = *TemporaryFolder::create("tunecheck-test-prove");
  const KernelDefinition kernel = write_kernel(folder.path() / "toy", text);
  auto proof = prove_kernel(kernel, {});
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
  EXPECT_THAT(
      proof.configs[1].text,
      MatchesRegex("\"y\": 1 of 64 elements wrong; first at \\[5\\]: expected .* found .*"));
  EXPECT_THAT(accepted(proof), IsEmpty());
}

TEST(Prove, a_config_that_writes_elsewhere_is_wrong) {
  KernelText text;
  text.cpu = with(text.cpu, body, std::string(body) + "\n  if (step == 2) y(y.size(0)) = 1;");
  EXPECT_EQ(proof_of(text).configs.at(1).text,
            "writes outside \"y\": byte 0 past the end of the tensor");
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
  EXPECT_EQ(proof.configs[3].text, "returned status 701");
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

}  // namespace
}  // namespace tunecheck::test
