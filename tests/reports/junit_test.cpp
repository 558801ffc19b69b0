#include "reports/ci/junit.hpp"

#include <sstream>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "hand_made_results.hpp"

namespace tunecheck::test {
namespace {

using boost::property_tree::ptree;
using testing::HasSubstr;
using testing::Not;

std::string to_junit(const RunResult& result) {
  return tunecheck::to_junit({&result, 1});
}

ptree parsed(const std::string& text) {
  std::istringstream stream(text);
  ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

const ptree& child_named(const ptree& parent, std::string_view name) {
  for (const auto& [tag, child] : parent)
    if (child.get("<xmlattr>.name", "") == name) return child;
  throw std::out_of_range("no element named " + std::string(name));
}

const ptree& test_case(const ptree& document, std::string_view family, std::string_view name) {
  return child_named(child_named(document.get_child("testsuites"), family), name);
}

TEST(Junit, has_a_suite_per_family_with_its_counts) {
  const ptree document = parsed(to_junit(mixed_result()));
  const ptree reload = child_named(document.get_child("testsuites"), "reload");
  EXPECT_EQ(reload.get<int>("<xmlattr>.tests"), 2);
  EXPECT_EQ(reload.get<int>("<xmlattr>.errors"), 1);
  EXPECT_EQ(reload.get<int>("<xmlattr>.skipped"), 1);
  EXPECT_EQ(reload.get<int>("<xmlattr>.failures"), 0);
  EXPECT_EQ(reload.get<std::string>("<xmlattr>.time"), "3.000");
  EXPECT_EQ(document.get<int>("testsuites.<xmlattr>.tests"), 5) << "the run itself is the fifth";
  EXPECT_EQ(document.get<int>("testsuites.<xmlattr>.failures"), 1);
}

TEST(Junit, a_test_case_of_what_passed_is_nothing_but_its_name_and_time) {
  const ptree document = parsed(to_junit(mixed_result()));
  const ptree fine = test_case(document, "restore", "restore.fine");
  EXPECT_EQ(fine.get<std::string>("<xmlattr>.classname"), "tunecheck.reference.cpu.restore");
  EXPECT_EQ(fine.get<std::string>("<xmlattr>.time"), "1.500");
  EXPECT_EQ(fine.size(), 1U) << "nothing beside the attributes";
}

TEST(Junit, a_failure_tells_expected_and_observed_of_each_failed_check) {
  const ptree document = parsed(to_junit(mixed_result()));
  const ptree failure = test_case(document, "restore", "restore.axpy").get_child("failure");
  EXPECT_EQ(failure.get<std::string>("<xmlattr>.message"),
            "inputs.pristine: expected every launch sees the caller's input; observed 83 of 84 "
            "launches saw another one");
  EXPECT_THAT(failure.data(),
              HasSubstr("scenario: scenarios/restore.info:3 (kernel axpy_inplace)"));
  EXPECT_THAT(failure.data(), HasSubstr("process cold, call 1)\n  expected: every launch"));
  EXPECT_THAT(failure.data(), HasSubstr("process cold, call 2)\n  expected: every launch"));
  EXPECT_THAT(failure.data(), HasSubstr("evidence: inputs.pristine/events.jsonl"));
  EXPECT_THAT(failure.data(), HasSubstr("tunecheck run 'restore.axpy' --adapter reference"));
  EXPECT_THAT(failure.data(), Not(HasSubstr("output.reference")));
}

TEST(Junit, an_error_is_no_failure_and_an_unsupported_scenario_is_skipped) {
  const ptree document = parsed(to_junit(mixed_result()));
  EXPECT_EQ(
      test_case(document, "reload", "reload.dead").get<std::string>("error.<xmlattr>.message"),
      "the adapter ended before it answered");
  EXPECT_EQ(
      test_case(document, "reload", "reload.other").get<std::string>("skipped.<xmlattr>.message"),
      "needs threads");
}

TEST(Junit, a_known_failure_is_skipped_with_its_reason_and_a_broken_mark_is_a_failure) {
  const ptree document = parsed(to_junit(result_with_marks()));
  EXPECT_EQ(
      test_case(document, "restore", "restore.axpy").get<std::string>("skipped.<xmlattr>.message"),
      "known failure until 2027-03-31: nothing is put back yet (https://example.org/issues/1)");
  EXPECT_EQ(child_named(document.get_child("testsuites"), "restore").get<int>("<xmlattr>.skipped"),
            1);
  EXPECT_EQ(test_case(document, "restore", "restore.mended")
                .get<std::string>("failure.<xmlattr>.message"),
            "it passes, but known.info:9 marks it as known to fail; remove the mark");
}

TEST(Junit, stays_well_formed_whatever_a_tuner_writes) {
  const std::string text = to_junit(hostile_result());
  const ptree document = parsed(text);
  EXPECT_EQ(document.get<int>("testsuites.<xmlattr>.tests"), 5) << "the run itself is the fifth";
  // The parser of these tests lets control characters pass; XML 1.0 does not.
  EXPECT_EQ(xml_text(text), text);
  EXPECT_THAT(text, HasSubstr("&lt;x y=&quot;&apos;&amp;]]&gt;"));
}

TEST(Junit, cuts_a_long_message_and_keeps_the_long_text) {
  RunResult result = mixed_result();
  result.scenarios[0].message = std::string(65536, 'm');
  const ptree document = parsed(to_junit(result));
  const ptree error = test_case(document, "reload", "reload.dead").get_child("error");
  EXPECT_EQ(error.get<std::string>("<xmlattr>.message").size(), 1000U);
  EXPECT_THAT(error.data(), HasSubstr(std::string(65536, 'm')));
}

TEST(Junit, a_run_that_is_not_to_be_trusted_is_an_error_with_what_was_not_run) {
  RunResult result = mixed_result();
  result.scenarios.erase(result.scenarios.begin());
  EXPECT_THAT(to_junit(result), Not(HasSubstr("to be trusted")));
  result.pending = {"restore.later", "restore.last"};
  const ptree error = test_case(parsed(to_junit(result)), "run", "the run is to be trusted");
  EXPECT_EQ(error.get<std::string>("error.<xmlattr>.message"),
            "the run was ended, 2 of 5 scenarios were not run");
  EXPECT_THAT(error.get<std::string>("error"), HasSubstr("\nnot run: restore.later\n"));
  EXPECT_EQ(parsed(to_junit(RunResult{})).get<int>("testsuites.<xmlattr>.errors"), 1);
}

TEST(Junit, suites_of_several_runs_name_the_tuner) {
  RunResult other = mixed_result();
  other.adapter = "other";
  const std::vector<RunResult> runs = {mixed_result(), other};
  const ptree document = parsed(tunecheck::to_junit(runs));
  EXPECT_EQ(document.get<int>("testsuites.<xmlattr>.tests"), 10);
  const ptree& suites = document.get_child("testsuites");
  EXPECT_EQ(child_named(suites, "other on cpu: restore").get<int>("<xmlattr>.failures"), 1);
  EXPECT_EQ(child_named(suites, "reference on cpu: restore").get<int>("<xmlattr>.failures"), 1);
}

TEST(Junit, a_class_name_is_the_same_whatever_the_version_and_however_many_runs) {
  RunResult newer = mixed_result(), other = mixed_result();
  newer.tuner = "tunecheck reference 9.0";
  other.adapter = "mutant:no.restore";
  const std::vector<RunResult> runs = {newer, other};
  const ptree document = parsed(tunecheck::to_junit(runs));
  const auto class_of = [&](std::string_view suite) {
    return test_case(document, suite, "restore.fine").get<std::string>("<xmlattr>.classname");
  };
  EXPECT_EQ(class_of("reference on cpu: restore"), "tunecheck.reference.cpu.restore");
  EXPECT_EQ(class_of("mutant:no.restore on cpu: restore"),
            "tunecheck.mutant:no_restore.cpu.restore");
}

TEST(Junit, a_suite_names_the_file_that_its_failures_are_shown_at) {
  RunResult run = mixed_result();
  run.adapter_file = "/checkout/tuner/adapter.info";
  for (ScenarioResult& scenario : run.scenarios)
    scenario.file = "/opt/tunecheck/" + scenario.file;
  const ptree document = parsed(tunecheck::to_junit({&run, 1}, {}, {}, "/checkout"));
  EXPECT_EQ(
      child_named(document.get_child("testsuites"), "restore").get<std::string>("<xmlattr>.file"),
      "tuner/adapter.info");
}

TEST(Junit, is_written_whole) {
  const auto folder = TemporaryFolder::create("tunecheck-reports").value();
  ASSERT_TRUE(write_junit(mixed_result(), folder.path() / "junit.xml"));
  EXPECT_EQ(read_text_file(folder.path() / "junit.xml").value(), to_junit(mixed_result()));
}

}  // namespace
}  // namespace tunecheck::test
