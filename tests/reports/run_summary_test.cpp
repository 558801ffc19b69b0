#include <sstream>

#include <gmock/gmock.h>

#include "core/plain_text.hpp"
#include "hand_made_results.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TerminalOptions plain_page() {
  return {.out = "out"};
}

TEST(RunSummary, reads_like_this) {
  RunResult result = mixed_result();
  result.scenarios[0].processes[0].end = {.exit_status = 3};  // a signal's name is the C library's
  result.seed = 1;
  EXPECT_EQ("\n" + run_summary(result, plain_page()), R"(
tunecheck 0.1.0 judged tunecheck reference 0.1.0 (adapter reference) on cpu,
seed 1, 2 jobs

2 causes of 2 failures, and in how many it is:
     1  no check says why           the adapter ended before it answered
     1  inputs.pristine             every launch sees the caller's content in
                                    restored tensors and zeros in reset tensors

ERROR  reload.dead
  in        scenarios/reload.info:3 (kernel axpy_inplace)
  because   a kernel ran on its own output
  message   the adapter ended before it answered

  process   "cold" ended with exit status 3
  log       out/reload.dead/cold.log
  repeat    tunecheck run 'reload.dead' --adapter reference

FAIL   restore.axpy
  in        scenarios/restore.info:3 (kernel axpy_inplace)
  because   a kernel ran on its own output

  check     inputs.pristine, in call 1 of process "cold", line 9; also in 1
            later call
  expected  every launch sees the caller's input
  observed  83 of 84 launches saw another one
  evidence  out/inputs.pristine/events.jsonl

  files     out/restore.axpy
  repeat    tunecheck run 'restore.axpy' --adapter reference

Not run, because the adapter says it cannot:
  reload.other                              needs threads

family                      pass    fail   error   known   unsupported      time
reload                         0       0       1       0             1    3.00 s
restore                        1       1       0       0             0    3.00 s

NOT TRUSTED: 1 error, 1 failed of 4; 12.34 s, judge 10.0 %; out/result.json
)");
}

TEST(RunSummary, the_worst_comes_first) {
  const std::string text = run_summary(mixed_result(), plain_page());
  EXPECT_LT(text.find("ERROR  reload.dead"), text.find("FAIL   restore.axpy"));
}

TEST(RunSummary, of_a_cause_the_scenario_with_more_failed_checks_is_in_full) {
  RunResult result = mixed_result();
  ScenarioResult less = result.scenarios[2];
  less.name = "restore.aaa";
  less.checks.pop_back();
  result.scenarios.insert(result.scenarios.begin(), less);
  const std::string text = run_summary(result, plain_page());
  EXPECT_LT(text.find("FAIL   restore.axpy"), text.find("1 further failure"));
  EXPECT_LT(text.find("1 further failure"), text.find("\n  restore.aaa\n"));
}

TEST(RunSummary, has_escape_codes_only_where_colour_is_asked_for) {
  EXPECT_THAT(run_summary(hostile_result(), plain_page()), Not(HasSubstr("\x1b")));
  TerminalOptions coloured = plain_page();
  coloured.colour = true;
  EXPECT_THAT(run_summary(mixed_result(), coloured), HasSubstr("\x1b[1;31mERROR\x1b[0m"));
}

TEST(RunSummary, cuts_a_long_message_and_says_so) {
  RunResult result = mixed_result();
  result.scenarios[0].message = std::string(65536, 'm');
  const std::string text = run_summary(result, plain_page());
  EXPECT_LT(text.size(), 8000U);
  EXPECT_THAT(text, HasSubstr("(shortened)"));
}

TEST(RunSummary, of_a_text_of_many_lines_shows_the_first_eight) {
  RunResult result = mixed_result();
  result.scenarios[0].message = std::string(20 * 68, '!');  // 20 lines of the width that is left
  std::string text = run_summary(result, plain_page());
  text = text.substr(text.find("  message"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '!'), 8 * 68);
}

TEST(RunSummary, the_verdict_is_green_only_where_all_held) {
  TerminalOptions coloured = plain_page();
  coloured.colour = true;
  RunResult result = mixed_result();
  EXPECT_THAT(run_summary(result, coloured), HasSubstr("\x1b[1;31mNOT TRUSTED"));
  result.scenarios = {result.scenarios[3]};
  EXPECT_THAT(run_summary(result, coloured), HasSubstr("\x1b[32mPASS"));
}

TEST(RunSummary, keeps_within_the_width_but_for_paths_and_commands) {
  RunResult result = mixed_result();
  result.scenarios[2].because =
      std::string(40, 'w') + ' ' + std::string(40, 'v') + ' ' + hostile_text();
  result.scenarios[2].checks[1].observed = std::string(300, 'o');
  std::istringstream lines(run_summary(result, plain_page()));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(width_of(line), 80U) << line;
}

TEST(RunSummary, of_marks_tells_which_hold_and_which_must_go) {
  RunResult result = result_with_marks();
  EXPECT_THAT(run_summary(result, plain_page()),
              HasSubstr("FAIL   restore.mended\n"
                        "  in        scenarios/restore.info:3 (kernel axpy_inplace)\n"
                        "  because   a kernel ran on its own output\n"
                        "  message   it passes, but known.info:9 marks it as known to fail; remove "
                        "the\n            mark\n"));
  EXPECT_THAT(run_summary(result, plain_page()),
              HasSubstr("\nFAIL: 1 of 2 scenarios failed; 1 known failure;"));
  result.scenarios.pop_back();
  const std::string text = run_summary(result, plain_page());
  EXPECT_THAT(text,
              HasSubstr("Failed as a mark says they do:\n"
                        "  restore.axpy                              nothing is put back yet; "
                        "until\n                                            2027-03-31\n"
                        "                                            "
                        "https://example.org/issues/1\n"));
  EXPECT_THAT(text, HasSubstr("\nNO NEW FAILURE: 0 of 1 scenario held; 1 known failure;"));
  EXPECT_THAT(text, Not(HasSubstr("Checks that failed")));
}

TEST(RunSummary, two_scenarios_whose_mark_must_go_are_both_named) {
  RunResult result = result_with_marks();
  result.scenarios[0] = result.scenarios[1];
  result.scenarios[0].name = "restore.also";
  const std::string text = run_summary(result, plain_page());
  EXPECT_THAT(text, HasSubstr("FAIL   restore.also"));
  EXPECT_THAT(text, HasSubstr("1 further failure for the same cause, no check says why:\n"
                              "  restore.mended\n"));
}

TEST(RunSummary, a_command_is_never_broken) {
  RunResult result = mixed_result();
  result.scenarios[2].repro = "tunecheck run restore.axpy --kernels " + std::string(200, 'k');
  EXPECT_THAT(run_summary(result, plain_page()),
              HasSubstr("  repeat    " + result.scenarios[2].repro + "\n"));
}

TEST(RunSummary, ends_with_pass_where_all_held) {
  RunResult result = mixed_result();
  result.scenarios = {result.scenarios[3], result.scenarios[1]};
  const std::string text = run_summary(result, plain_page());
  EXPECT_THAT(
      text,
      HasSubstr(
          "PASS: 1 of 1 scenario; 1 not testable here; 12.34 s, judge 10.0 %; out/result.json\n"));
  EXPECT_THAT(text, Not(HasSubstr("FAIL")));
}

TEST(RunSummary, a_failure_is_the_verdict_where_there_is_no_error) {
  RunResult result = mixed_result();
  result.scenarios.erase(result.scenarios.begin());
  EXPECT_THAT(run_summary(result, plain_page()),
              HasSubstr("\nFAIL: 1 of 2 scenarios failed; 1 held; 1 not testable here;"));
}

TEST(RunSummary, a_run_of_nothing_is_not_to_be_trusted) {
  RunResult result = mixed_result();
  result.scenarios = {result.scenarios[1]};
  EXPECT_THAT(run_summary(result, plain_page()), HasSubstr("\nNOT TRUSTED: all scenarios are"));
  result.scenarios.clear();
  EXPECT_THAT(run_summary(result, plain_page()), HasSubstr("\nNOT TRUSTED: nothing was run;"));
}

TEST(RunSummary, says_what_was_left_out_and_why) {
  RunResult result;
  result.backend = "cuda";
  result.left_out = {
      {"a.one", "CPATH is for C++"}, {"a.two", "it is flat"}, {"b.one", "it is flat"}};
  EXPECT_THAT(run_summary(result, plain_page()), HasSubstr("Left out on cuda: 3 scenarios\n"
                                                           "    1  CPATH is for C++\n"
                                                           "    2  it is flat\n"));
  result.left_out.clear();
  EXPECT_THAT(run_summary(result, plain_page()), Not(HasSubstr("Left out")));
}

}  // namespace
}  // namespace tunecheck::test
