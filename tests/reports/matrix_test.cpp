// What a cell says, and which results belong together.
#include "reports/matrix/matrix.hpp"

#include <gmock/gmock.h>

#include "hand_made_results.hpp"
#include "matrix_results.hpp"
#include "reports/matrix/matrix_json.hpp"

namespace tunecheck::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

std::string cell(const RunResult& result, const std::string& check) {
  return text_of(cell_of(read_back(result), check));
}

CheckResult answer(const std::string& check, Verdict verdict) {
  CheckResult result;
  result.check = check;
  result.verdict = verdict;
  result.expected = "a";
  result.observed = "b";
  return result;
}

// One scenario, run at this time on a machine with this CPU.
RunResult run_of(const std::string& name, Verdict verdict,
                 const std::string& started = "2024-05-01T12:00:00Z") {
  RunResult result = mixed_result();
  result.scenarios.resize(1);
  ScenarioResult& scenario = result.scenarios[0];
  scenario.name = name;
  scenario.verdict = verdict;
  scenario.message = "";
  scenario.checks = {answer("output.reference", verdict)};
  result.started = started;
  result.environment["cpu"] = "Toy CPU";
  return result;
}

TEST(MatrixCell, counts_scenarios_by_the_worst_answer_of_the_check) {
  EXPECT_EQ(cell(mixed_result(), "output.reference"), "2 pass");
  EXPECT_EQ(cell(mixed_result(), "inputs.pristine"), "1 fail");
  RunResult result = mixed_result();
  result.scenarios[2].checks[0].verdict = Verdict::error;
  EXPECT_EQ(cell(result, "output.reference"), "1 pass, 1 error");
  result.scenarios[3].verdict = Verdict::fail;
  result.scenarios[3].checks.push_back(result.scenarios[2].checks[1]);
  result.scenarios[3].checks.push_back(result.scenarios[3].checks[0]);  // passes in a later call
  result.scenarios[3].checks.back().check = "inputs.pristine";
  EXPECT_EQ(cell(result, "inputs.pristine"), "2 fail");
  std::swap(result.scenarios[3].checks[1], result.scenarios[3].checks[2]);
  EXPECT_EQ(cell(result, "inputs.pristine"), "2 fail");
}

TEST(MatrixCell, failures_of_a_scenario_that_fails_as_known_are_known) {
  EXPECT_EQ(cell(result_with_marks(), "inputs.pristine"), "1 known");
}

KnownFailure mark_for(const std::vector<std::string>& checks) {
  KnownFailure mark;
  mark.checks = checks;
  mark.reason = "looked into";
  mark.link = "https://example.com";
  mark.until = std::chrono::year(2024) / 5 / 1;  // the day of run_of()
  return mark;
}

MatrixScenario marked(const RunResult& result, const KnownFailure& mark) {
  MatrixScenario scenario = read_back(result).scenarios.at("a.b");
  apply_mark(mark, scenario);
  return scenario;
}

TEST(MatrixMark, makes_a_failure_in_its_checks_known) {
  RunResult result = run_of("a.b", Verdict::fail);
  result.scenarios[0].checks.push_back(answer("guard.intact", Verdict::pass));
  result.scenarios[0].unanswered = {"key.must_hit"};
  for (const KnownFailure& mark : {mark_for({"output.reference"}), mark_for({})}) {
    const MatrixScenario scenario = marked(result, mark);
    EXPECT_EQ(scenario.verdict, Verdict::known);
    EXPECT_EQ(scenario.checks.at("output.reference"), Verdict::known);
    EXPECT_EQ(scenario.checks.at("guard.intact"), Verdict::pass);
    EXPECT_EQ(scenario.checks.at("key.must_hit"), Verdict::known);  // nobody could ask it
    ASSERT_TRUE(scenario.mark);
    EXPECT_EQ(scenario.mark->until, "2024-05-01");
  }
}

// A run in which a.b passes although its mark said that it always fails.
RunResult unexpected_pass() {
  RunResult result = run_of("a.b", Verdict::fail);
  result.scenarios[0].checks = {answer("output.reference", Verdict::pass)};
  result.scenarios[0].known = mark_for({});
  result.scenarios[0].known->file = "known.info";
  result.scenarios[0].known->line = 4;
  result.scenarios[0].message = "it passes, but known.info marks it as known to fail";
  return result;
}

TEST(MatrixMark, of_what_fails_at_times_takes_back_that_a_pass_was_not_expected) {
  RunResult result = unexpected_pass();
  EXPECT_EQ(marked(result, mark_for({})).verdict, Verdict::fail);
  KnownFailure at_times = mark_for({});
  at_times.at_times = "1 of 2";
  EXPECT_EQ(marked(result, at_times).verdict, Verdict::pass);
  EXPECT_EQ(marked(result, at_times).message, "");
  result.scenarios[0].unanswered = {"key.must_hit"};
  EXPECT_EQ(marked(result, at_times).checks.at("key.must_hit"), Verdict::error);
}

TEST(MatrixMark, takes_back_that_a_pass_was_not_expected_in_a_matrix_file_too) {
  RunResult result = unexpected_pass();
  const std::string file = to_json(matrix_of({result}));
  MatrixScenario scenario = read_text(file).value().at(0).scenarios.at("a.b");
  KnownFailure at_times = mark_for({});
  at_times.at_times = "yes";
  apply_mark(at_times, scenario);
  EXPECT_EQ(scenario.verdict, Verdict::pass);
  EXPECT_EQ(scenario.message, "");
}

TEST(MatrixMark, takes_back_what_the_run_said_of_an_older_mark) {
  RunResult result = run_of("a.b", Verdict::fail);
  result.scenarios[0].message = "process a never reached before_write_1";
  EXPECT_EQ(marked(result, mark_for({})).message, "process a never reached before_write_1");
  KnownFailure older = mark_for({"guard.intact"});
  older.file = "known.info";
  older.line = 4;
  result.scenarios[0].known = older;
  result.scenarios[0].message = "it fails in output.reference, which the mark does not name";
  EXPECT_EQ(marked(result, mark_for({})).message, "");
  EXPECT_EQ(marked(result, older).message, result.scenarios[0].message);
}

TEST(MatrixMark, leaves_everything_else_as_it_was_judged) {
  const KnownFailure mark = mark_for({"output.reference"});
  RunResult other = run_of("a.b", Verdict::fail);
  other.scenarios[0].checks.push_back(answer("guard.intact", Verdict::fail));
  RunResult needless = run_of("a.b", Verdict::fail);  // "it passes, but a mark says ..."
  needless.scenarios[0].checks = {answer("output.reference", Verdict::pass)};
  for (const RunResult& result :
       {other, needless, run_of("a.b", Verdict::fail, "2024-05-02T00:00:00Z")}) {
    EXPECT_EQ(marked(result, mark).verdict, Verdict::fail);
    EXPECT_FALSE(marked(result, mark).mark);
  }
  for (const Verdict verdict : {Verdict::pass, Verdict::error, Verdict::unsupported})
    EXPECT_EQ(marked(run_of("a.b", verdict), mark).verdict, verdict);
}

TEST(MatrixCell, what_an_adapter_lacks_is_unsupported_and_says_what_that_is) {
  RunResult result = mixed_result();
  result.scenarios[1].lacks = "capability threads";
  result.scenarios[1].unanswered = {"waiter.never_hangs", "output.reference"};
  EXPECT_EQ(cell(result, "waiter.never_hangs"), "unsupported: capability threads");
  EXPECT_EQ(cell(result, "output.reference"), "2 pass, 1 unsupported");
  result.scenarios[1].lacks = "";
  EXPECT_EQ(cell(result, "waiter.never_hangs"), "unsupported: needs threads");
}

TEST(MatrixCell, what_an_adapter_has_not_promised_is_unsupported_and_names_the_policy) {
  RunResult result = run_of("a.b", Verdict::pass);
  result.scenarios[0].checks = {answer("result.same_bits", Verdict::unsupported)};
  EXPECT_EQ(cell(result, "result.same_bits"), "unsupported: policy result bitwise");
}

TEST(MatrixCell, names_what_is_missing_most_often_first_and_not_all_of_it) {
  RunResult result = run_of("a.0", Verdict::unsupported);
  result.scenarios.resize(6, result.scenarios[0]);
  const std::vector<std::string> lacks = {"a", "b", "c", "c", "d", "e"};
  for (std::size_t i = 0; i < lacks.size(); ++i) {
    result.scenarios[i].name = "a." + std::to_string(i);
    result.scenarios[i].checks.clear();
    result.scenarios[i].unanswered = {"key.must_hit"};
    result.scenarios[i].lacks = lacks[i];
  }
  EXPECT_EQ(cell(result, "key.must_hit"), "unsupported: c, a, b, 2 more");
}

TEST(MatrixCell, a_check_that_nobody_could_ask_is_no_pass) {
  RunResult result = mixed_result();
  result.scenarios[0].unanswered = {"reload.no_compile"};  // an error
  result.scenarios[2].unanswered = {"key.must_hit"};       // a failure
  result.scenarios[3].unanswered = {"key.must_miss"};      // a pass, which cannot be
  EXPECT_EQ(cell(result, "reload.no_compile"), "1 error");
  EXPECT_EQ(cell(result, "key.must_hit"), "1 fail");
  EXPECT_EQ(cell(result, "key.must_miss"), "1 error");
}

TEST(MatrixCell, what_runs_on_other_devices_alone_says_so) {
  RunResult result = mixed_result();
  result.left_out = {{"gpu.captured", "it needs a GPU", {"capture.hit_replays"}}};
  EXPECT_EQ(cell(result, "capture.hit_replays"), "unsupported: it needs a GPU");
}

TEST(MatrixCell, a_check_that_no_scenario_names_was_not_asked) {
  const MatrixCell absent = cell_of(read_back(mixed_result()), "winner.regret");
  EXPECT_EQ(text_of(absent), "not asked");
  EXPECT_TRUE(absent.not_asked);
  EXPECT_FALSE(cell_of(read_back(mixed_result()), "inputs.pristine").not_asked);
}

TEST(MatrixCell, of_a_tuner_that_can_run_nothing_says_what_is_missing) {
  RunResult result = mixed_result();
  result.scenarios = {result.scenarios[1]};
  EXPECT_EQ(cell(result, "output.reference"), "unsupported: needs threads");
}

TEST(MatrixCell, of_a_run_that_was_ended_is_not_taken_for_a_check_that_nobody_asks) {
  RunResult result = mixed_result();
  result.pending = {"quality.regret"};
  EXPECT_EQ(cell(result, "winner.regret"), "not run: incomplete");
  EXPECT_EQ(cell(result, "output.reference"), "2 pass");
}

TEST(MatrixTuner, that_could_not_be_run_says_why_in_one_place) {
  const MatrixTuner absent = read_back(three_tuners()[2]);
  EXPECT_EQ(why_it_did_not_run(absent),
            "there is no adapter: the program \"absent\" cannot be found");
  EXPECT_EQ(text_of(cell_of(absent, "output.reference")), "did not run");
  EXPECT_EQ(text_of(scenarios_of(absent)), "none");
  EXPECT_EQ(name_of(absent), "absent");
}

TEST(MatrixTuner, of_which_no_process_answered_did_not_run) {
  RunResult result = run_of("a.one", Verdict::fail);
  result.tuner = "";
  result.scenarios[0].checks[0].observed = "exit status 1: no module named toy";
  const MatrixTuner dead = read_back(result);
  EXPECT_EQ(why_it_did_not_run(dead),
            "none of its processes ever answered: exit status 1: no module named toy");
  EXPECT_EQ(text_of(cell_of(dead, "output.reference")), "did not run");
  EXPECT_EQ(text_of(scenarios_of(dead)), "1 fail");
  EXPECT_EQ(why_it_did_not_run(read_back(run_of("a.one", Verdict::fail))), "");
}

TEST(MatrixTuner, that_was_ended_is_incomplete) {
  RunResult result = mixed_result();
  EXPECT_EQ(why_it_is_incomplete(read_back(result)), "");
  result.pending = {"a.one", "b.two"};
  EXPECT_EQ(why_it_is_incomplete(read_back(result)), "2 of 6 scenarios not run");
}

TEST(MatrixTuner, is_called_by_the_adapter_where_the_version_says_less) {
  MatrixTuner tuner;
  tuner.adapter = "reference";
  tuner.tuner = "reference 0.1.0";
  EXPECT_EQ(name_of(tuner), "reference 0.1.0");
  tuner.adapter = "mutant:no_restore";
  EXPECT_EQ(name_of(tuner), "mutant:no_restore");
}

TEST(Matrix, joins_the_parts_of_one_run) {
  const Matrix matrix = matrix_of({run_of("a.one", Verdict::pass), run_of("b.two", Verdict::fail)});
  ASSERT_THAT(matrix.tuners, SizeIs(1));
  EXPECT_EQ(text_of(scenarios_of(matrix.tuners[0])), "1 pass, 1 fail");
}

TEST(Matrix, of_two_results_of_a_scenario_takes_the_later_one_in_whatever_order) {
  const RunResult old = run_of("a.one", Verdict::fail, "2024-05-01T12:00:00Z");
  const RunResult young = run_of("a.one", Verdict::pass, "2024-05-03T12:00:00Z");
  for (const Matrix& matrix : {matrix_of({old, young}), matrix_of({young, old})}) {
    ASSERT_THAT(matrix.tuners, SizeIs(1));
    EXPECT_EQ(text_of(scenarios_of(matrix.tuners[0])), "1 pass");
    EXPECT_THAT(matrix.tuners[0].scenarios.at("a.one").troubles, IsEmpty());
    EXPECT_EQ(date_of(matrix.tuners[0]), "2024-05-01 to 2024-05-03");
  }
}

TEST(Matrix, of_two_results_of_the_same_second_takes_the_one_that_is_named_last) {
  const RunResult fails = run_of("a.one", Verdict::fail), passes = run_of("a.one", Verdict::pass);
  EXPECT_EQ(text_of(scenarios_of(matrix_of({fails, passes}).tuners[0])), "1 pass");
  EXPECT_EQ(text_of(scenarios_of(matrix_of({passes, fails}).tuners[0])), "1 fail");
  EXPECT_EQ(date_of(matrix_of({fails, passes}).tuners[0]), "2024-05-01");
}

TEST(Matrix, keeps_adapters_versions_backends_and_devices_apart) {
  const RunResult one = run_of("a.one", Verdict::pass);
  RunResult adapter = one, version = one, backend = one, device = one;
  adapter.adapter = "other";
  version.tuner = "tunecheck reference 0.2.0";
  backend.backend = "cuda";
  device.environment["cpu"] = "Other CPU";
  EXPECT_THAT(matrix_of({one, adapter, version, backend, device, one}).tuners, SizeIs(5));
}

TEST(Matrix, a_gpu_is_the_device_where_there_is_one) {
  RunResult result = run_of("a.one", Verdict::pass);
  EXPECT_EQ(read_back(result).device, "Toy CPU");
  result.environment["device"] = "Toy GPU";
  EXPECT_EQ(read_back(result).device, "Toy GPU");
}

TEST(Matrix, what_another_part_has_run_is_neither_pending_nor_left_out) {
  RunResult ended = run_of("a.one", Verdict::pass);
  ended.pending = {"b.two", "c.three"};
  ended.left_out = {{"d.four", "it needs a GPU", {}}, {"e.five", "it needs a GPU", {}}};
  RunResult rest = run_of("b.two", Verdict::pass);
  rest.scenarios.push_back(rest.scenarios[0]);
  rest.scenarios[1].name = "d.four";
  for (const Matrix& matrix : {matrix_of({ended, rest}), matrix_of({rest, ended})}) {
    const MatrixTuner& tuner = matrix.tuners.at(0);
    EXPECT_THAT(tuner.pending, ElementsAre("c.three"));
    EXPECT_THAT(tuner.left_out, ElementsAre(Key("e.five")));
    EXPECT_EQ(why_it_is_incomplete(tuner), "1 of 4 scenarios not run");
  }
}

TEST(Matrix, counts_each_scenario_of_parts_that_are_not_given) {
  RunResult first = run_of("a.one", Verdict::pass), second = run_of("b.two", Verdict::pass);
  first.pending = {"a.later"};
  first.shard = ShardOf{1, 3, 7, "selection"};
  second.shard = ShardOf{2, 3, 7, "selection"};
  // Given twice, a part is one.
  for (const Matrix& matrix : {matrix_of({first, second}), matrix_of({second, first, second})}) {
    EXPECT_EQ(why_it_is_incomplete(matrix.tuners.at(0)), "5 of 7 scenarios not run");
    EXPECT_EQ(text_of(cell_of(matrix.tuners.at(0), "winner.regret")), "not run: incomplete");
  }
  RunResult whole = run_of("a.one", Verdict::pass);
  whole.shard = ShardOf{1, 1, 1, "another selection"};
  EXPECT_EQ(why_it_is_incomplete(read_back(whole)), "");
}

TEST(MatrixTable, has_the_checks_that_were_asked_in_the_order_of_the_table_of_checks) {
  RunResult result = mixed_result();
  result.scenarios[3].checks.push_back(answer("new.check", Verdict::pass));
  const MatrixTable table = table_of(matrix_of({result, three_tuners()[2]}));
  std::vector<std::string> rows;
  for (const MatrixRow& row : table.rows) {
    rows.push_back(row.family + " " + row.check);
    EXPECT_THAT(row.cells, SizeIs(2));
    for (const MatrixCell& cell : row.cells)
      EXPECT_NE(text_of(cell), "");
  }
  EXPECT_THAT(
      rows, ElementsAre("restore output.reference", "restore inputs.pristine", "other new.check"));
  EXPECT_THAT(table.not_asked, Contains("winner.regret"));
  EXPECT_THAT(table.not_asked, Not(Contains("inputs.pristine")));
}

}  // namespace
}  // namespace tunecheck::test
