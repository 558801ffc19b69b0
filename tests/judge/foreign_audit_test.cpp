// Planted bugs of a tuner that is not tunecheck's own: a script whose tuner is the reference tuner,
// and whose planted bugs are some of its mutants.
#include "judge/run/foreign_audit.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "scenario_folder.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// What the script prints for --list.
constexpr std::string_view two_mutants = R"([
  {"name": "no_restore", "summary": "restores nothing", "caught_by": {"test.toy": "inputs.pristine"}},
  {"name": "key_with_process", "summary": "tunes again", "caught_by": {"test.toy": "key.must_hit"}}])";

class ForeignAuditCase : public testing::Test {
 protected:
  AdapterInfo adapter(std::string_view listed) {
    const std::string programs = program_folder().string();
    const auto script = folder.path() / "tuner";
    const std::string text =
        "#!/bin/sh\n"
        "case $1 in\n"
        "  --list) cat << 'END'\n" +
        std::string(listed) +
        "\nEND\n"
        "    ;;\n"
        "  --mutant) exec '" +
        programs + "/tunecheck-adapter-mutants' \"$@\" ;;\n  *) exec '" + programs +
        "/tunecheck-adapter-reference' ;;\nesac\n";
    EXPECT_TRUE(write_file(script, std::string_view(text)));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    EXPECT_TRUE(
        write_file(folder.path() / "adapter.info",
                   std::string_view("adapter\n{\n  name other\n  command ./tuner\n"
                                    "  cache_variable TUNECHECK_CACHE_DIR\n"
                                    "  compiler_variable TUNECHECK_CXX\n  backends cpu\n"
                                    "  capabilities \"cache in_place\"\n  mutants yes\n}\n")));
    return find_adapter((folder.path() / "adapter.info").string()).value();
  }

  Result<AuditResult> audit(const std::string& steps, std::string_view listed,
                            const KnownFailures& known = {}, const std::string& mutants = "*") {
    Catalogue catalogue;
    catalogue.kernels = folder.kernels();
    for (const Scenario& scenario : folder.scenarios(scenario_text(steps, head) + more))
      catalogue.scenarios.emplace(scenario.name, scenario);
    ForeignAuditOptions options;
    options.adapter = adapter(listed);
    options.argument = options.adapter.file.string();
    options.mutants = {mutants};
    options.known = known;
    options.left_out = left_out;
    options.tasks.out = folder.path() / "out";
    return run_foreign_audit(catalogue, options);
  }

  ScenarioFolder folder;
  std::string head;  ///< of the scenario
  std::string more;  ///< further scenarios
  std::set<std::string> left_out;
};

const std::string two_processes =
    "process cold { call { } } process warm { call { expect { cache hit } } }";

TEST_F(ForeignAuditCase, shows_which_check_catches_which_mutant) {
  const auto result = audit(two_processes, two_mutants);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->is_foreign());
  EXPECT_EQ(result->exit_status(), 0);
  EXPECT_EQ(result->reference.adapter, "other");
  ASSERT_EQ(result->reference.scenarios.size(), 1U);
  EXPECT_EQ(result->reference.scenarios[0].verdict, Verdict::pass);
  ASSERT_EQ(result->kills.size(), 2U);
  for (const AuditResult::Kill& kill : result->kills)
    EXPECT_THAT(kill.checks, Contains(kill.expects)) << kill.mutant;
}

TEST_F(ForeignAuditCase, a_mutant_that_fails_in_another_check_than_it_must_survives) {
  const auto result = audit(
      "process cold { call { } }",
      R"([{"name": "no_restore", "summary": "", "caught_by": {"test.toy": "key.must_hit"}}])");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->surviving_mutants(), ElementsAre("no_restore"));
  EXPECT_THAT(result->false_claims(), ElementsAre("no_restore in test.toy"));
  EXPECT_EQ(result->exit_status(), 1);
}

TEST_F(ForeignAuditCase, what_the_tuner_is_known_to_fail_shows_nothing) {
  KnownFailure mark;
  mark.scenario = "test.toy";
  mark.checks = {"key.must_hit"};
  mark.until = std::chrono::year_month_day(std::chrono::year(2099), std::chrono::month(1),
                                           std::chrono::day(1));
  mark.at_times = "yes";  // the reference tuner does not fail
  const auto result = audit(two_processes, two_mutants, {{"test.toy", mark}});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->surviving_mutants(), ElementsAre("key_with_process"));
}

TEST_F(ForeignAuditCase, runs_those_that_are_chosen) {
  const auto result = audit(two_processes, two_mutants, {}, "key_*");
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->mutants.size(), 1U);
  EXPECT_EQ(result->mutants[0].name, "key_with_process");
}

TEST_F(ForeignAuditCase, a_scenario_that_there_is_not_is_refused) {
  const auto result = audit(
      two_processes, R"([{"name": "a", "summary": "", "caught_by": {"no.such": "key.must_hit"}}])");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("the scenario \"no.such\", and there is none"));
}

TEST_F(ForeignAuditCase, a_check_that_there_is_not_is_refused) {
  const auto result = audit(
      two_processes, R"([{"name": "a", "summary": "", "caught_by": {"test.toy": "no.such"}}])");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("the check \"no.such\", and there is none"));
}

TEST_F(ForeignAuditCase, one_mutant_is_an_adapter_of_its_own) {
  const std::string file = adapter(two_mutants).file.string();
  const auto planted = find_adapter(file + ":no_restore");
  ASSERT_TRUE(planted) << planted.error().text();
  EXPECT_EQ(planted->name, "other:no_restore");
  EXPECT_THAT(planted->command, ElementsAre("./tuner", "--mutant", "no_restore"));
  const auto unknown = find_adapter(file + ":no_restor");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().text(),
              HasSubstr("unknown mutant \"no_restor\"; did you mean \"no_restore\"?"));
}

TEST_F(ForeignAuditCase, a_program_that_lists_nothing_that_can_be_read_is_named) {
  const auto result = audit(two_processes, "nothing");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(),
              HasSubstr("tuner --list did not print its mutants: expected JSON on stdout"));
  EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
}

constexpr std::string_view one_mutant =
    R"([{"name": "a", "summary": "", "caught_by": {"test.toy": "key.must_hit"}}])";

TEST_F(ForeignAuditCase, scenarios_for_another_kind_of_device_accuse_nobody) {
  folder.add_kernel("toy", KernelText().with_gpu());
  head = "backends cuda";
  const auto result = audit("process cold { call { } }", one_mutant);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(),
              HasSubstr("nothing could be run: \"test.toy\", which must catch \"a\", does not run "
                        "on cpu: it needs a GPU"));
  EXPECT_EQ(result.error().kind, ErrorKind::machine);
}

TEST_F(ForeignAuditCase, scenarios_that_the_adapter_cannot_run_accuse_nobody) {
  head = "needs threads";
  const auto result = audit("process cold { call { } }", one_mutant);
  ASSERT_FALSE(result);
  EXPECT_THAT(
      result.error().text(),
      HasSubstr("nothing could be run: \"test.toy\", which must catch \"a\", is unsupported: "
                "the adapter declares no capability \"threads\""));
  EXPECT_EQ(result.error().kind, ErrorKind::machine);
}

TEST_F(ForeignAuditCase, a_mutant_for_another_kind_of_device_is_left_out_of_an_audit_of_others) {
  const KernelText on_gpus = KernelText().with_gpu();
  folder.add_kernel("toy", on_gpus);
  more = scenario_text("process cold { call { } }", "backends cuda", "test.gpu");
  const auto result =
      audit(two_processes,
            R"([{"name": "no_restore", "summary": "", "caught_by": {"test.toy": "inputs.pristine"}},
          {"name": "a", "summary": "", "caught_by": {"test.gpu": "key.must_hit"}}])");
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->elsewhere, ElementsAre("a"));
  EXPECT_EQ(result->exit_status(), 0);
}

TEST_F(ForeignAuditCase, a_scenario_that_is_not_given_is_not_called_missing) {
  left_out = {"other.one"};
  constexpr std::string_view listed =
      R"([{"name": "no_restore", "summary": "", "caught_by": {"test.toy": "inputs.pristine"}},
          {"name": "a", "summary": "", "caught_by": {"other.one": "key.must_hit"}}])";
  const auto result = audit(two_processes, listed);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text(),
            "--scenarios: the mutant \"a\" must be caught by the scenario \"other.one\", which is "
            "not among these; expected its file here too, or --mutant for others");
  EXPECT_TRUE(audit(two_processes, listed, {}, "no_restore"));
}

}  // namespace
}  // namespace tunecheck::test
