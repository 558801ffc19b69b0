// Every check of the table in a situation that passes, one that fails, and one without evidence.
#include <set>

#include <gmock/gmock.h>

#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<CheckCase> all_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases : {restore_cases(), validity_cases(), reload_cases(), concurrency_cases(),
                            growth_cases(), quality_cases(), gpu_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

class Checks : public testing::TestWithParam<CheckCase> {};

TEST_P(Checks, answer_with_what_they_expected_and_observed) {
  const CheckCase& one = GetParam();
  HandMadeRecord record;
  one.arrange(record);
  const Answer answer = record.ask(one.check, one.process, one.parameter);
  EXPECT_EQ(name_of(answer.verdict), name_of(one.verdict)) << answer.observed;
  EXPECT_THAT(answer.expected, HasSubstr(one.expected));
  EXPECT_THAT(answer.observed, HasSubstr(one.observed));
  if (one.verdict == Verdict::error) {
    EXPECT_THAT(answer.observed, StartsWith("no evidence: "));
  }
}

std::string name_of_case(const testing::TestParamInfo<CheckCase>& info) {
  std::string name = info.param.check + "_" + info.param.situation;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Checks, testing::ValuesIn(all_cases()), name_of_case);

// Judges what the tuner says, which is there whenever there is an answer.
const std::set<std::string> without_missing_evidence = {"key.explained"};

TEST(ChecksTable, every_check_is_seen_to_pass_to_fail_and_to_miss_its_evidence) {
  std::set<std::pair<std::string, Verdict>> seen;
  for (const CheckCase& one : all_cases()) {
    EXPECT_NE(find_check(one.check), nullptr) << one.check;
    seen.emplace(one.check, one.verdict);
  }
  for (const Check& check : all_checks()) {
    if (check.judge == nullptr) continue;
    const std::string name(check.name);
    EXPECT_TRUE(seen.contains({name, Verdict::pass})) << name;
    EXPECT_TRUE(seen.contains({name, Verdict::fail})) << name;
    EXPECT_NE(seen.contains({name, Verdict::error}), without_missing_evidence.contains(name))
        << name;
  }
}

TEST(ChecksTable, only_the_session_judges_whether_the_adapter_answers) {
  for (const Check& check : all_checks())
    EXPECT_EQ(check.judge == nullptr, check.name == "adapter.answers") << check.name;
}

TEST(ChecksTable, names_are_different_and_say_nothing_twice) {
  std::set<std::string_view> names, summaries;
  for (const Check& check : all_checks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_TRUE(summaries.insert(check.summary).second) << check.name;
    EXPECT_EQ(find_check(check.name), &check);
  }
  EXPECT_EQ(find_check("output.referense"), nullptr);
}

}  // namespace
}  // namespace tunecheck::test
