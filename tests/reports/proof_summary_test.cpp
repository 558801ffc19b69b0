#include <gmock/gmock.h>

#include "reports/terminal/terminal.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TerminalOptions wide() {
  TerminalOptions options;
  options.width = 300;
  return options;
}

ProofResult proof() {
  ProofResult result;
  result.kernel = "axpy_inplace";
  result.size = "smoke";
  result.sizes = {"smoke"};
  result.variants = {""};
  result.excluded = "1 of 3 combinations excluded";
  result.configs = {{"cpu", "x86-64-v3", {{"block", 64}}, true, true, ""},
                    {"cpu", "x86-64-v3", {{"block", 128}}, true, true, ""}};
  result.rejections = {{"zeros", true, true, "y: 9 of 9 elements wrong"},
                       {"the unchanged input", false, false, "no argument is in place"}};
  result.also_asked = {"padded rows", "alpha = 0.625"};
  result.largest_errors = {{"f32", 6e-8, 1.2e-6, "cpu block=64, f32, size smoke"}};
  return result;
}

TEST(ProofSummary, lists_configs_and_wrong_results) {
  EXPECT_EQ("\n" + proof_summary(proof(), {}), R"(
axpy_inplace, size smoke
  space     1 of 3 combinations excluded
  also      padded rows; alpha = 0.625
  right cpu block=64
  right cpu block=128
  rejected zeros                            y: 9 of 9 elements wrong
  not applicable the unchanged input        no argument is in place
  largest error in f32                      6e-08, allowed 1.2e-06: 20 times as
                                            much (cpu block=64, f32, size smoke)
PROVED  axpy_inplace: 2 of 2 configs right on cpu x86-64-v3, 1 of 1 wrong result rejected
)");
}

TEST(ProofSummary, a_wrong_config_and_an_accepted_wrong_result_stand_out) {
  ProofResult result = proof();
  result.configs[1].right = false;
  result.configs[1].text = "y: 1 of 9 elements wrong";
  result.rejections[0].rejected = false;
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text, HasSubstr("  WRONG cpu block=128"));
  EXPECT_THAT(text, HasSubstr("y: 1 of 9 elements wrong"));
  EXPECT_THAT(text, HasSubstr("  ACCEPTED zeros"));
  EXPECT_THAT(text, HasSubstr("NOT PROVED"));
}

TEST(ProofSummary, a_wrong_result_that_nothing_could_make_was_not_accepted) {
  ProofResult result = proof();
  result.rejections.push_back({"a twice-applied kernel", true, false, "nothing was run", false});
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text, HasSubstr("\n  NOT RUN a twice-applied kernel            nothing was run\n"));
  EXPECT_THAT(text, Not(HasSubstr("ACCEPTED")));
  EXPECT_THAT(text, HasSubstr(", 1 of 1 wrong result rejected\n"));
  EXPECT_FALSE(result.proved());
}

TEST(ProofSummary, says_why_there_is_no_reference) {
  ProofResult result = proof();
  result.configs.clear();
  result.rejections.clear();
  result.error = "reference.cpp does not compile";
  EXPECT_THAT(proof_summary(result, {}), HasSubstr("reference.cpp does not compile"));
}

TEST(ProofSummary, tells_what_ran_from_what_was_only_compiled) {
  ProofResult result = proof();
  result.sizes = {"smoke", "odd"};
  result.variants = {"f32", "bf16"};
  result.configs.push_back({"cuda", "sm_90", {{"block", 64}}, true, false, ""});
  result.configs.push_back({"cuda", "sm_90", {{"block", 128}}, true, false, ""});
  result.skipped = {{"hip", "there is no HIPRTC"}};
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text, HasSubstr("axpy_inplace, sizes smoke, odd, dtypes f32, bf16\n"));
  EXPECT_THAT(text,
              HasSubstr("  compiled cuda sm_90                       2 of 2 configs, not run"));
  EXPECT_THAT(text, HasSubstr("  not compiled hip                          there is no HIPRTC"));
  EXPECT_THAT(text, HasSubstr("2 of 2 configs right on cpu x86-64-v3, compiled for cuda sm_90, 1 "
                              "of 1 wrong result rejected"));
}

TEST(ProofSummary, names_every_device_that_configs_ran_on) {
  ProofResult result = proof();
  result.configs.push_back({"cuda", "sm_90", {{"block", 64}}, true, true, ""});
  result.configs.push_back({"cuda", "sm_90", {{"block", 128}}, false, true, "y: wrong"});
  result.configs.push_back({"hip", "gfx90a", {{"block", 64}}, true, false, ""});
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text, HasSubstr("  right cuda block=64\n"));
  EXPECT_THAT(text, HasSubstr("  WRONG cuda block=128"));
  EXPECT_THAT(text, HasSubstr("NOT PROVED  axpy_inplace: 2 of 2 configs right on cpu x86-64-v3, 1 "
                              "of 2 configs right on cuda sm_90, compiled for hip gfx90a, 1 of"));
}

TEST(ProofSummary, what_could_be_run_nowhere_is_not_proved) {
  ProofResult result = proof();
  result.configs = {{"cuda", "sm_90", {{"block", 64}}, true, false, ""}};
  result.nothing_ran = "the kernel has no cpu source; there is no CUDA driver here";
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text, HasSubstr("  NOT RUN   the kernel has no cpu source; there is no CUDA driver"));
  EXPECT_THAT(text, HasSubstr("NOT PROVED  axpy_inplace: no config ran, compiled for cuda sm_90"));
}

TEST(ProofSummary, says_once_what_is_wrong_with_a_source_in_every_config) {
  ProofResult result = proof();
  for (const int block : {64, 128, 256})
    result.configs.push_back(
        {"hip", "gfx90a", {{"block", block}}, false, false, "does not compile: gpu.cu:3"});
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text,
              HasSubstr("  WRONG hip block=64                        does not compile: gpu.cu:3"));
  EXPECT_THAT(text, Not(HasSubstr("WRONG hip block=128")));
  EXPECT_THAT(text, HasSubstr("the same in 2 further configs"));
  EXPECT_THAT(text, HasSubstr("NOT PROVED"));
}

TEST(ProofSummary, a_tolerance_of_more_than_a_thousand_times_the_largest_error_is_a_warning) {
  ProofResult result = proof();
  result.largest_errors[0].allowed = 1000 * result.largest_errors[0].error;
  EXPECT_THAT(proof_summary(result, wide()), Not(HasSubstr("WARNING")));
  result.largest_errors[0].allowed *= 300;
  const std::string text = proof_summary(result, wide());
  EXPECT_THAT(text, HasSubstr("  WARNING largest error in f32              6e-08, allowed 0.018: "
                              "300,000 times as much (cpu"));
  EXPECT_THAT(text, HasSubstr("a wrong result may pass"));
  EXPECT_THAT(text, HasSubstr("\nPROVED  "));
}

TEST(ProofSummary, without_any_error_nobody_knows_how_wide_a_tolerance_is) {
  ProofResult result = proof();
  result.largest_errors[0].error = 0;
  const std::string text = proof_summary(result, wide());
  EXPECT_THAT(text, HasSubstr("  largest error in f32                      none, though at least "
                              "1.2e-06 is allowed: if the"));
  EXPECT_THAT(text, Not(HasSubstr("WARNING")));
}

TEST(ProofSummary, mistakes_and_notes_stand_out) {
  ProofResult result = proof();
  result.mistakes = {"the cpu source ignores its config"};
  result.notes = {"parameter \"vec\" changes no artifact"};
  const std::string text = proof_summary(result, {});
  EXPECT_THAT(text, HasSubstr("  MISTAKE   the cpu source ignores its config\n"));
  EXPECT_THAT(text, HasSubstr("  note      parameter \"vec\" changes no artifact\n"));
  EXPECT_THAT(text, HasSubstr("NOT PROVED"));
}

}  // namespace
}  // namespace tunecheck::test
