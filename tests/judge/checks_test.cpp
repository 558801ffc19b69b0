// Every check of the table in a situation that passes, one that fails, and one without evidence.
#include <algorithm>
#include <set>
#include <utility>

#include <gmock/gmock.h>

#include "hand_made_record.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<CheckCase> all_cases() {
  std::vector<CheckCase> all;
  for (const auto& cases :
       {restore_cases(), validity_cases(), reload_cases(), compile_cases(), process_cases(),
        concurrency_cases(), growth_cases(), quality_cases(), gpu_cases(), agreement_cases(),
        remote_cases(), exchange_cases(), pending_cases()})
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

TEST(ChecksTable, only_the_run_judges_whether_the_adapter_answers) {
  for (const Check& check : all_checks()) {
    EXPECT_EQ(check.judge == nullptr, check.name == adapter_answers) << check.name;
    EXPECT_EQ(check.judge == nullptr, check.always == Always::every_process) << check.name;
  }
}

// Takes away what is gathered only where a check needs it.
void forget(HandMadeRecord& record, ExtraEvidence evidence) {
  for (ProcessRecord& process : record.record.processes)
    for (CallRecord& call : process.calls) {
      if (evidence == ExtraEvidence::own_measurement) call.measurement.reset();
      if (evidence == ExtraEvidence::device_memory) call.device_memory.reset();
      if (evidence == ExtraEvidence::process_state) call.process_states.reset();
      if (evidence == ExtraEvidence::listed_files) call.files.clear();
      if (evidence == ExtraEvidence::listed_cache)
        for (LaunchEvent& launch : call.launches)
          launch.stored.clear();
    }
}

// What a row does not say it needs is not gathered in a run, whatever a test puts into a record.
TEST(ChecksTable, a_check_passes_by_no_other_evidence_than_its_row_says) {
  for (const CheckCase& one : all_cases()) {
    if (one.verdict != Verdict::pass) continue;
    for (const ExtraEvidence evidence :
         {ExtraEvidence::own_measurement, ExtraEvidence::device_memory, ExtraEvidence::listed_cache,
          ExtraEvidence::listed_files, ExtraEvidence::process_state}) {
      HandMadeRecord record;
      one.arrange(record);
      forget(record, evidence);
      const EvidenceNeed& need = find_check(one.check)->needs;
      const bool is_needed = need.evidence == evidence && includes(need.on, record.record.backend);
      EXPECT_EQ(name_of(record.ask(one.check, one.process, one.parameter).verdict),
                name_of(is_needed ? Verdict::error : Verdict::pass))
          << one.check << " " << one.situation << " without " << static_cast<int>(evidence);
    }
  }
}

TEST(ChecksTable, names_capabilities_that_adapters_may_declare) {
  for (const Check& check : all_checks())
    EXPECT_TRUE(
        check.capability.empty() ||
        std::count(known_capabilities().begin(), known_capabilities().end(), check.capability) == 1)
        << check.name << ": " << check.capability;
}

TEST(ChecksTable, a_short_form_stands_for_one_check) {
  std::set<std::pair<std::string_view, std::string_view>> forms;
  std::set<std::string_view> open, closed;
  for (const Check& check : all_checks()) {
    const auto& [word, value] = check.short_form;
    if (word.empty()) continue;
    EXPECT_TRUE(forms.emplace(word, value).second) << check.name;
    EXPECT_EQ(find_check(word), nullptr) << check.name;
    (value.empty() ? open : closed).insert(word);
    // The value stands where the parameter would.
    EXPECT_TRUE(value.empty() || check.parameter == CheckParameter::none) << check.name;
  }
  for (const std::string_view word : open)
    EXPECT_FALSE(closed.contains(word)) << word;
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

// Otherwise no failing check would be the cause.
TEST(ChecksTable, no_check_explains_itself_and_each_that_explains_one_is_there) {
  for (const Check& check : all_checks()) {
    EXPECT_FALSE(is_explained_by(check.name, check.name)) << check.name;
    std::string_view rest = check.explained_by;
    std::set<std::string_view> named;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      EXPECT_NE(find_check(name), nullptr) << check.name << ": " << name;
      EXPECT_TRUE(named.insert(name).second) << check.name << ": " << name;
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
  }
}

TEST(ChecksTable, a_check_explains_what_it_explains_by_way_of_others) {
  EXPECT_TRUE(is_explained_by("output.reference", "inputs.pristine"));
  EXPECT_TRUE(is_explained_by("result.same_bits", "inputs.pristine"));
  EXPECT_FALSE(is_explained_by("inputs.pristine", "output.reference"));
  EXPECT_FALSE(is_explained_by("no.such_check", "inputs.pristine"));
}

}  // namespace
}  // namespace tunecheck::test
