#include <gmock/gmock.h>

#include "reports/terminal.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

ProofResult proof() {
  ProofResult result;
  result.kernel = "axpy_inplace";
  result.size = "smoke";
  result.arch = "x86-64-v3";
  result.excluded = "1 of 3 combinations excluded";
  result.configs = {{"cpu", {{"block", 64}}, true, ""}, {"cpu", {{"block", 128}}, true, ""}};
  result.rejections = {{"zeros", true, true, "y: 9 of 9 elements wrong"},
                       {"the unchanged input", false, false, "no argument is in place"}};
  return result;
}

TEST(ProofSummary, lists_configs_and_wrong_results) {
  EXPECT_EQ("\n" + proof_summary(proof(), {}), R"(
axpy_inplace, size smoke, arch x86-64-v3
  space     1 of 3 combinations excluded
  right cpu block=64
  right cpu block=128
  rejected zeros                            y: 9 of 9 elements wrong
  not applicable the unchanged input        no argument is in place
PROVED  axpy_inplace: 2 of 2 configs right, 1 of 1 wrong result rejected
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

TEST(ProofSummary, says_why_there_is_no_reference) {
  ProofResult result = proof();
  result.configs.clear();
  result.rejections.clear();
  result.error = "reference.cpp does not compile";
  EXPECT_THAT(proof_summary(result, {}), HasSubstr("reference.cpp does not compile"));
}

}  // namespace
}  // namespace tunecheck::test
