#include "reports/terminal/gate_page.hpp"

#include <gmock/gmock.h>

#include "hand_made_gate.hpp"

namespace tunecheck::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using namespace gate;

TEST(GatePage, says_how_many_passed_by_cpu_time) {
  GateResult result = mixed_gate();
  EXPECT_THAT(gate_page(result, {}), Not(HasSubstr("CPU time")));
  for (BenchmarkResult& benchmark : result.benchmarks)
    benchmark.finding.decided_by = TimeKind::cpu;
  const auto passed = std::count_if(
      result.benchmarks.begin(), result.benchmarks.end(), [](const BenchmarkResult& benchmark) {
        return benchmark.role == Role::measured && benchmark.finding.answer == Answer::pass;
      });
  ASSERT_GT(passed, 0);
  EXPECT_THAT(gate_page(result, {}), HasSubstr(fmt::format(", {} of them by CPU time\n", passed)));
}

TEST(GatePage, has_the_worst_first_and_one_verdict_last) {
  GateResult result = mixed_gate();
  result.benchmarks.pop_back();
  EXPECT_EQ(
      gate_page(result, {}),
      "base          out/base\n"
      "head          HEAD, commit 0123abc\n"
      "\n"
      "regression    axpy_inplace/smoke/cpu/winner_time: 9.8 % slower in 30 fresh pairs\n"
      "regression    axpy_inplace/smoke/cpu/warm_compiles: base 0, head 1 (compiles)\n"
      "inconclusive  axpy_inplace/smoke/cpu/dispatch: too much scatter to tell\n"
      "improved      axpy_inplace/smoke/cpu/tuning_time: 7.0 % faster in 30 fresh pairs\n"
      "pass          2 of 6\n"
      "added         rope_inplace/smoke/cpu/warm_start\n"
      "removed       rope/smoke/cpu/warm_start\n"
      "renamed?      rope/smoke/cpu/warm_start to rope_inplace/smoke/cpu/warm_start\n"
      "not measured  axpy_inplace/smoke/cpu/dispatch: y is changed in place\n"
      "\n"
      "12.30 s; delta 2 %, tolerance 5 %; seed 7; processes were pinned to CPU 1\n"
      "REGRESSION: 2 worse, 1 inconclusive, 1 better of 4 benchmarks and 2 counts; a slowdown "
      "of 3.5 % would have been found 95 times in 100\n");
}

TEST(GatePage, a_commit_that_was_asked_for_by_its_name_is_told_once) {
  GateResult result = mixed_gate();
  result.head.given = result.head.commit;
  EXPECT_THAT(gate_page(result, {}), HasSubstr("\nhead          0123abc\n"));
}

TEST(GatePage, of_a_stored_base_promises_nothing_about_times) {
  GateResult result = mixed_gate();
  result.kind = "stored";
  EXPECT_THAT(gate_page(result, {}),
              EndsWith("; a stored run cannot show a regression of a time, see docs/gate.md\n"));
}

TEST(GatePage, says_which_config_took_the_place_of_which) {
  TerminalOptions wide;
  wide.width = 200;
  EXPECT_THAT(gate_page(mixed_gate(), wide),
              HasSubstr("winner_change, block=128 instead of block=64: "));
}

TEST(GatePage, an_invalid_session_says_what_to_do) {
  GateResult result = mixed_gate();
  result.answer = Answer::invalid;
  result.reason = "the canary \"canary/same\" got the answer regression; run the session again";
  EXPECT_THAT(gate_page(result, {}), EndsWith("INVALID: " + result.reason + "\n"));
  result.reason = "";
  EXPECT_THAT(gate_page(result, {}), HasSubstr("INVALID: not all of 5 benchmarks"));
}

TEST(GatePage, a_session_that_was_ended_is_no_verdict) {
  GateResult result = mixed_gate();
  result.is_complete = false;
  EXPECT_THAT(gate_page(result, {}), EndsWith("INVALID: the session was not finished\n"));
}

TEST(GatePage, what_is_not_known_is_no_number) {
  const std::string page = gate_page(mixed_gate(), {});
  EXPECT_THAT(page, HasSubstr("it is not known what slowdown would have been found"));
  EXPECT_THAT(page, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace tunecheck::test
