// What is concluded from evidence that is made up: the cases that no program shows by itself.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up_runs.hpp"

namespace tunecheck::watch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<CodeLaunches> tried = {code("b", 5, 4, 2), code("a", 4, 4)};
const std::vector<CodeLaunches> not_measured = {code("a", 1, 0), code("b", 1, 0)};

TEST(Rules, a_result_that_a_tuning_changed_is_wrong) {
  const auto cold = Process(1).burst(tried, "b", Replay::differs).run();
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  const auto findings = find_findings({cold, warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("WRONG"));
  EXPECT_EQ(findings.at(0).place.file, "train.py");
  EXPECT_EQ(findings.at(0).place.line, 9);
  EXPECT_EQ(findings.at(0).place.function, "step");
}

TEST(Rules, trials_on_copies_change_nothing) {
  Process cold(1);
  cold.burst(tried, "b", Replay::differs);
  cold.bursts.back().was_on_copies = true;
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  EXPECT_THAT(words({cold.run(), warm}), IsEmpty());
}

// Two codes on purpose, no clock between them, in each start alike.
TEST(Rules, codes_that_every_start_launches_alike_are_no_tuning) {
  std::vector<ProgramRun> runs;
  for (int i = 1; i <= 3; ++i)
    runs.push_back(Process(i).burst(not_measured, "b", Replay::differs).run());
  EXPECT_THAT(words(runs), IsEmpty());
}

TEST(Rules, without_a_warm_start_and_a_clock_nothing_is_certain) {
  EXPECT_THAT(words({Process(1).burst(not_measured, "b", Replay::differs).run()}),
              ElementsAre("unclear WRONG"));
}

TEST(Rules, one_run_is_enough_where_launches_were_measured_and_the_program_came_back) {
  EXPECT_THAT(words({Process(1).burst(tried, "b", Replay::differs).run(3)}), ElementsAre("WRONG"));
}

CodeLaunches from(CodeLaunches code, std::vector<std::uint64_t> paths) {
  code.paths = std::move(paths);
  return code;
}

Process settled_at(int pid, std::vector<CodeLaunches> codes, const std::string& winner) {
  Process process(pid);
  process.burst(std::move(codes), winner, Replay::differs);
  process.bursts.back().last_path = 9;
  return process;
}

ProgramRun with_last_path(const Process& process) {
  ProgramRun run = process.run(3);
  for (TotalEvent& total : run.told.totals)
    total.last_path = process.bursts.back().last_path;
  return run;
}

// A program that looks for the fastest code while it works: a start without trials launches as
// often.
TEST(Rules, trials_that_are_steps_of_the_work_are_no_tuning_for_certain) {
  const auto cold =
      Process(1)
          .burst({code("b", 9, 4, 2), code("a", 4, 4), code("c", 4, 4)}, "b", Replay::differs)
          .run(9);
  const auto warm = [](std::int64_t launches) {
    return Process(2).burst({code("b", launches, 0)}, "b", Replay::none).run(launches);
  };
  EXPECT_THAT(words({cold, warm(17)}), ElementsAre("unclear WRONG"));
  EXPECT_THAT(words({cold, warm(9)}), ElementsAre("WRONG"));
}

// The config that was tried last has won: the trials came from one loop, and what follows does not.
TEST(Rules, a_winner_that_was_tried_last_is_known_by_where_it_is_launched) {
  const auto codes = [](std::vector<std::uint64_t> of_a, std::vector<std::uint64_t> of_b) {
    return std::vector{from(code("a", 9, 8), of_a), from(code("b", 9, 9), of_b)};
  };
  EXPECT_THAT(words({with_last_path(settled_at(1, codes({5, 6}, {5, 9}), "b"))}),
              ElementsAre("WRONG"));
  // One loop launches all; each has a line of its own; the loser is launched there as well.
  for (const auto& other : {codes({9}, {9}), codes({5}, {6, 9}), codes({5, 9}, {5, 9})})
    EXPECT_THAT(words({with_last_path(settled_at(1, other, "b"))}), ElementsAre("unclear WRONG"));
  auto unknown = codes({5}, {5, 9});
  unknown[0].has_all_paths = false;
  EXPECT_THAT(words({with_last_path(settled_at(1, unknown, "b"))}), ElementsAre("unclear WRONG"));
}

TEST(Rules, trials_in_rounds_are_a_tuning_where_another_start_chooses_otherwise) {
  const std::vector a_wins{from(code("a", 9, 8, 3), {5, 9}), from(code("b", 9, 9, 3), {5})};
  const std::vector b_wins{from(code("a", 9, 8, 3), {5}), from(code("b", 9, 9, 4), {5, 9})};
  const auto cold = with_last_path(settled_at(1, b_wins, "b"));
  EXPECT_THAT(words({cold, with_last_path(settled_at(2, a_wins, "a"))}),
              testing::IsSupersetOf({"WRONG", "AGAIN"}));
  EXPECT_THAT(words({cold, with_last_path(settled_at(2, b_wins, "b"))}),
              testing::Not(testing::Contains("WRONG")));
}

// A first step with a code of its own, in a loop that logs its time; a benchmark of three codes.
TEST(Rules, launches_that_are_measured_are_no_tuning_by_that_alone) {
  EXPECT_THAT(
      words({Process(1).burst({code("a", 1, 0), code("b", 9, 9)}, "b", Replay::differs).run(9)}),
      ElementsAre("unclear WRONG"));
  EXPECT_THAT(
      words({Process(1)
                 .burst({code("a", 9, 8), code("b", 9, 9), code("c", 9, 9)}, "c", Replay::differs)
                 .run(9)}),
      ElementsAre("unclear WRONG"));
  // Phases that take turns.
  EXPECT_THAT(words({Process(1)
                         .burst({code("b", 9, 8, 3), code("a", 9, 9, 3)}, "b", Replay::differs)
                         .run(3)}),
              ElementsAre("unclear WRONG"));
}

// What the cold start alone launches, without a clock: a checkpoint's beginning, and no tuning.
TEST(Rules, a_code_of_the_first_start_alone_is_no_trial_without_a_clock) {
  const auto cold =
      Process(1).burst({code("init", 1, 0), code("b", 5, 0)}, "b", Replay::differs).run(5);
  const auto warm = Process(2).burst({code("b", 6, 0)}, "b", Replay::none).run(6);
  EXPECT_THAT(words({cold, warm}), testing::Not(testing::Contains("WRONG")));
}

TEST(Rules, what_the_winner_does_not_write_may_hold_anything) {
  Process cold(1);
  cold.burst(tried, "b", Replay::differs);
  cold.bursts.back().arguments.back().written = 0;
  const auto findings = find_findings({cold.run(3)}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear WRONG"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("workspace"));
}

TEST(Rules, results_of_which_one_could_not_be_kept_are_unclear) {
  Process cold(1);
  cold.burst(tried, "b", Replay::differs);
  for (ArgumentSeen& argument : cold.bursts.back().arguments)
    argument.differing = argument.written = 0;
  cold.bursts.back().why_not = "there was no room";
  const auto findings = find_findings({cold.run(3)}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear WRONG"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("there was no room"));
}

TEST(Rules, a_tuning_that_the_end_of_the_process_cut_off_is_unclear) {
  Process cold(1);
  cold.burst({code("a", 4, 4), code("b", 5, 4)}, "b", Replay::differs);
  cold.bursts.back().is_over = false;
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  EXPECT_THAT(words({cold.run(1), warm}), ElementsAre("unclear WRONG"));
  // Also where the warm start shows that it was a tuning.
  Process three(1);
  three.burst({code("a", 4, 4), code("c", 4, 4), code("b", 5, 4)}, "b", Replay::differs);
  three.bursts.back().is_over = false;
  const auto findings = find_findings({three.run(1), warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear WRONG"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("nobody knows whether it was over"));
  // But one that had come back to its winner was over.
  Process done(1);
  done.burst(tried, "b", Replay::differs);
  done.bursts.back().is_over = false;
  EXPECT_THAT(words({done.run(1)}), ElementsAre("WRONG"));
}

TEST(Rules, a_shape_that_no_start_met_before_was_not_tuned_before) {
  const auto cold = Process(1).burst({code("b", 1, 0)}, "b", Replay::none).run();
  ProgramRun warm = Process(2).burst(tried, "b", Replay::same).run(3);
  EXPECT_THAT(words({cold, warm}), testing::Contains("AGAIN"));
  for (BurstEvent& burst : warm.told.bursts)
    burst.shapes = "new";
  warm.told.totals.at(0).shapes = "new";
  EXPECT_THAT(words({cold, warm}), IsEmpty());
}

TEST(Rules, tensors_of_one_shape_may_have_winners_of_their_own) {
  Process warm(2);
  for (int step = 0; step < 3; ++step)
    warm.burst({code("a", 1, 0)}, "a", Replay::none, "p")
        .burst({code("b", 1, 0)}, "b", Replay::none, "q");
  EXPECT_THAT(words({warm.run(), warm.run()}), IsEmpty());
}

TEST(Rules, threads_on_the_same_arguments_make_it_unclear) {
  Process cold(1);
  cold.burst(tried, "b", Replay::differs);
  cold.bursts.back().concurrent = true;
  EXPECT_THAT(words({cold.run(3)}), ElementsAre("unclear WRONG"));
}

TEST(Rules, a_kernel_that_is_not_steady_is_unclear) {
  const auto findings =
      find_findings({Process(1).burst(tried, "b", Replay::not_steady).run(3)}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear WRONG"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("atomics"));
}

TEST(Rules, a_tuning_that_could_not_be_replayed_says_why) {
  Process cold(1);
  cold.burst(tried, "b", Replay::none);
  cold.bursts.back().why_not = "a tensor map is among its arguments";
  const auto findings = find_findings({cold.run(3)}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear WRONG"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("tensor map"));
}

TEST(Rules, a_code_that_is_launched_elsewhere_has_not_lost) {
  Process warm(2);
  warm.burst(tried, "b", Replay::same).burst({code("a", 3, 3)}, "a", Replay::none, "j");
  warm.burst({code("b", 3, 3)}, "b", Replay::none, "l");
  const auto cold = warm.run(1);
  const auto found = words({cold, warm.run(1)});
  EXPECT_THAT(found, testing::Not(testing::Contains("WRONG")));
}

TEST(Rules, a_warm_start_that_settles_on_other_code_has_changed) {
  const auto cold = Process(1).burst({code("a", 1, 0)}, "a", Replay::none).run();
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none, "i", "other").run();
  const auto findings = find_findings({cold, warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear CHANGED"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("other bits"));
  const auto same = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  EXPECT_THAT(find_findings({cold, same}, false).at(0).text, HasSubstr("same bits"));
}

// A canary that gets its code from a table is no choice of a tuner's.
TEST(Rules, it_is_certain_where_some_start_chose_between_the_two) {
  const auto cold = Process(1).burst(tried, "b", Replay::same).run(2);
  const auto warm = Process(2).burst({code("a", 3, 0)}, "a", Replay::none).run(3);
  EXPECT_THAT(words({cold, warm}), testing::Contains("CHANGED"));
}

// The totals of a process that was killed are older than its bursts.
TEST(Rules, a_burst_says_more_than_totals_that_are_older) {
  ProgramRun cold = Process(1).burst(tried, "b", Replay::same).run(2);
  cold.told.totals.at(0).last_code = "a";
  cold.told.totals.at(0).codes.at(0).launches = 2;
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  EXPECT_THAT(words({cold, warm}), IsEmpty());
}

TEST(Rules, of_a_program_that_does_other_work_warm_nothing_is_said) {
  const auto cold = Process(1).burst(tried, "b", Replay::same, "i").run(3);
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none, "x").run();
  const auto again = Process(3).burst({code("b", 1, 0)}, "b", Replay::none, "y").run();
  EXPECT_THAT(words({cold, warm, again}), IsEmpty());
}

TEST(Rules, what_two_warm_starts_find_and_the_cold_one_never_did_is_the_second_witness) {
  const auto cold = Process(1).burst(tried, "b", Replay::same, "i").run(3);
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none, "x").run();
  const auto findings = find_findings({cold, warm, warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("WRONG"));
  EXPECT_THAT(findings.at(0).details, ElementsAre("argument 0 (64 bytes) is another"));
  EXPECT_THAT(words({cold, warm}), IsEmpty());  // one warm start is no witness
  // Nor is a start whose input was used up, or one that goes on from what another has left.
  ProgramRun fed = cold;
  fed.input_is_used_up = true;
  EXPECT_THAT(words({fed, warm, warm}), IsEmpty());
  ProgramRun saved = cold;
  saved.may_keep_state = {"/home/me/model"};
  EXPECT_THAT(words({saved, warm, warm}), ElementsAre("unclear WRONG"));
}

// Memory for results comes from an allocator and may hold anything.
TEST(Rules, what_a_kernel_writes_is_no_second_witness) {
  for (const bool by_cold : {true, false}) {
    Process cold(1);
    cold.burst(tried, "b", Replay::same, "i");
    Process warm(2);
    warm.burst({code("b", 1, 0)}, "b", Replay::none, "x");
    (by_cold ? cold : warm).bursts.back().arguments.at(0).is_written = true;
    EXPECT_THAT(words({cold.run(3), warm.run(), warm.run()}), IsEmpty());
    cold.bursts.back().replay = Replay::none;  // whether it reads that is not known
    EXPECT_THAT(words({cold.run(3), warm.run(), warm.run()}),
                testing::AllOf(testing::Contains("unclear WRONG"),
                               testing::Not(testing::Contains("WRONG"))));
  }
}

// Each rank has tried both codes.
ProgramRun ranks_that_differ() {
  ProgramRun run = Process(1).burst(tried, "b", Replay::same).run(3, "0");
  Process(2).burst({code("a", 7, 4, 2), code("b", 4, 4)}, "a", Replay::same).add_to(run, 3, "1");
  return run;
}

TEST(Rules, ranks_that_settle_on_different_codes) {
  const auto findings = find_findings({ranks_that_differ()}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("RANKS"));
  EXPECT_THAT(findings.at(0).details, ElementsAre("rank 0: b", "rank 1: a"));
  ProgramRun no_ranks = ranks_that_differ();
  for (TotalEvent& total : no_ranks.told.totals)
    total.rank.clear();
  for (ProcessEvent& process : no_ranks.told.processes)
    process.rank.clear();
  EXPECT_THAT(words({no_ranks}), IsEmpty());
}

// Stages of a pipeline, whose kernels have one name.
TEST(Rules, ranks_of_which_nobody_saw_that_they_tuned_are_unclear) {
  ProgramRun start = Process(1).burst({code("a", 2, 0)}, "a", Replay::none).run(2, "0");
  Process(2).burst({code("b", 2, 0)}, "b", Replay::none).add_to(start, 2, "1");
  const auto findings = find_findings({start}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear RANKS"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("kernels of one name"));
  // They are known to be alternatives where an earlier start has tuned them.
  EXPECT_THAT(words({ranks_that_differ(), start}), ElementsAre("RANKS"));
}

// That rank 0 and rank 1 differ is no change from one start to the next.
TEST(Rules, ranks_that_differ_have_not_changed) {
  ProgramRun start = Process(1).burst({code("a", 2, 0)}, "a", Replay::none).run(2, "0");
  Process(2).burst({code("b", 2, 0)}, "b", Replay::none).add_to(start, 2, "1");
  ProgramRun warm = Process(2).burst({code("b", 2, 0)}, "b", Replay::none).run(2, "1");
  Process(1).burst({code("a", 2, 0)}, "a", Replay::none).add_to(warm, 2, "0");
  EXPECT_THAT(words({start, warm}), ElementsAre("unclear RANKS"));
}

TEST(Rules, a_rank_may_be_told_late) {
  ProgramRun start = ranks_that_differ();
  for (ProcessEvent& process : start.told.processes)
    process.rank.clear();
  start.told.totals.at(0).rank = "0";
  start.told.totals.at(1).rank = "1";
  EXPECT_THAT(words({start}), ElementsAre("RANKS"));
}

TEST(Rules, codes_that_both_starts_use_are_no_change) {
  const auto start = [](int pid, const std::string& last, const std::string& before) {
    return Process(pid)
        .burst({code(before, 3, 0)}, before, Replay::none, "i")
        .burst({code(last, 3, 0)}, last, Replay::none, "j")
        .run();
  };
  EXPECT_THAT(words({start(1, "a", "b"), start(2, "b", "a")}), IsEmpty());
  EXPECT_THAT(words({start(1, "a", "b"), start(2, "c", "b")}), ElementsAre("unclear CHANGED"));
}

// Five launches of each, and five more of the first one: has the machine drifted?
TEST(Rules, a_benchmark_with_a_control_is_no_tuning) {
  const std::vector<CodeLaunches> all = {code("a", 10, 9, 2), code("b", 5, 5), code("c", 5, 5)};
  Process benchmark(1);
  benchmark.burst(all, "a", Replay::differs);
  benchmark.bursts.back().after_trials = 5;
  EXPECT_THAT(words({benchmark.run(5), benchmark.run(5)}),
              ElementsAre("unclear WRONG", "unclear AGAIN"));
  benchmark.bursts.back().after_trials = 1;
  EXPECT_THAT(words({benchmark.run(1)}), ElementsAre("WRONG"));
}

// Layers of one name, each on what the one before has left.
TEST(Rules, what_is_launched_once_was_not_tried) {
  EXPECT_THAT(
      words({Process(1).burst({code("a", 3, 2, 2), code("b", 1, 1)}, "a", Replay::differs).run(1)}),
      ElementsAre("unclear WRONG"));
}

TEST(Rules, one_other_code_at_the_beginning_of_the_first_start_is_unclear) {
  const auto warm = Process(2).burst({code("b", 4, 0)}, "b", Replay::none).run(4);
  const auto cold = [](std::vector<CodeLaunches> codes) {
    return Process(1).burst(std::move(codes), "b", Replay::differs).run(4);
  };
  EXPECT_THAT(words({cold({code("a", 2, 2), code("b", 4, 1)}), warm}),
              ElementsAre("unclear WRONG"));
  EXPECT_THAT(words({cold({code("a", 2, 2), code("c", 2, 2), code("b", 4, 3)}), warm}),
              ElementsAre("WRONG"));
}

TEST(Rules, numbers_that_the_first_start_never_had_may_be_tuned) {
  const auto cold = Process(1).burst(tried, "b", Replay::same).run(3);
  ProgramRun warm = Process(2).burst(tried, "b", Replay::same).run(3);
  EXPECT_THAT(words({cold, warm}), ElementsAre("AGAIN"));
  for (BurstEvent& burst : warm.told.bursts)
    burst.scalars = "17";
  const auto findings = find_findings({cold, warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear AGAIN"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("for numbers"));
}

TEST(Rules, numbers_that_come_again_may_each_be_tuned_for) {
  Process steps(1);
  for (const char* const number : {"1", "2", "3"}) {
    steps.burst(tried, "b", Replay::same, number);
    steps.bursts.back().scalars = number;
  }
  EXPECT_THAT(words({steps.run(1)}), ElementsAre("EVERY_STEP"));
  steps.burst({code("b", 2, 0)}, "b", Replay::none, "1");
  steps.bursts.back().scalars = "1";
  EXPECT_THAT(words({steps.run(1)}), ElementsAre("unclear EVERY_STEP"));
}

// Two kernels of one name on data of their own are no trials; on the same data they are.
TEST(Rules, codes_on_other_content_were_not_tried) {
  const auto start = [](int pid, const std::string& second) {
    return Process(pid)
        .burst({code("a", 3, 3)}, "a", Replay::none, "i")
        .burst({code("b", 2, 2)}, "b", Replay::none, second)
        .burst({code("a", 1, 1)}, "a", Replay::none, "k");
  };
  ProgramRun apart = start(1, "j").run(1);
  ProgramRun alike = start(1, "i").run(1);
  for (ProgramRun* const run : {&apart, &alike})
    run->told.totals.at(0).codes.at(0).runs = 2;
  EXPECT_EQ(count_kernels({apart}, false).at(0).trials.at(0), 0);
  EXPECT_EQ(count_kernels({alike}, false).at(0).trials.at(0), 2);
}

ProgramCompile inside(const std::string& kernels, const std::string& source,
                      const std::string& place) {
  ProgramCompile compile;
  compile.tool = "nvrtc";
  compile.kernels = kernels;
  compile.source = source;
  compile.place = place;
  return compile;
}

TEST(Rules, a_compile_inside_the_process_has_a_place_and_a_kernel) {
  ProgramRun cold = Process(1).burst({code("a", 1, 0)}, "a", Replay::none).run();
  ProgramRun warm = cold;
  cold.compiles = {inside("axpy", "1", "train.py:9 (step)")};
  warm.compiles = {inside("axpy", "2", "train.py:9 (step)"),
                   inside("axpy", "1", "train.py:7 (warm_up)"), inside("axpy", "", "")};
  auto findings = find_findings({cold, warm, warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("COMPILED"));
  EXPECT_EQ(findings.at(0).kernel, "axpy");
  EXPECT_EQ(findings.at(0).place.line, 7);
  EXPECT_EQ(findings.at(0).details.at(1),
            "no earlier start has compiled what 1 of these 2 compiles compiled: something in the "
            "source or the options differs from start to start");
  warm.compiles.pop_back();
  warm.compiles.at(0) = inside("dot", "1", "");
  findings = find_findings({cold, warm}, false);
  EXPECT_EQ(findings.at(0).kernel, "") << "two kernels";
  EXPECT_EQ(findings.at(0).details.at(1),
            "an earlier start has compiled the same sources with the same options as these 2 "
            "compiles");
  EXPECT_EQ(find_findings({warm, warm}, true).at(0).details.size(), 1U) << "nothing was before";
}

TEST(Rules, a_compiler_in_a_warm_start_is_named) {
  ProgramRun cold = Process(1).burst({code("a", 1, 0)}, "a", Replay::none).run();
  ProgramRun warm = cold;
  ProgramCompile compile;
  compile.tool = "/usr/bin/ptxas";
  compile.arguments = {"k.ptx"};
  cold.compiles = {compile};
  EXPECT_THAT(words({cold, warm}), IsEmpty());
  warm.compiles = {compile, compile};
  const auto findings = find_findings({cold, warm}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("COMPILED"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("/usr/bin/ptxas 2 times"));
  EXPECT_THAT(words_of(find_findings({cold}, true)), ElementsAre("COMPILED"));
}

TEST(Rules, trials_inside_a_capture_are_late) {
  ProgramRun cold = Process(1).burst(tried, "b", Replay::same).run(3);
  EXPECT_THAT(words({cold}), IsEmpty());
  cold.told.totals.at(0).codes.at(1).captured = 2;
  EXPECT_THAT(words({cold}), ElementsAre("LATE"));
  // The winner belongs into a graph.
  ProgramRun captured = Process(1).burst(tried, "b", Replay::same).run(3);
  captured.told.totals.at(0).codes.at(0).captured = 2;
  EXPECT_THAT(words({captured}), IsEmpty());
}

TEST(Rules, places) {
  const auto place = place_in("/a/b c.py:12 (f)");
  EXPECT_EQ(place.file, "/a/b c.py");
  EXPECT_EQ(place.line, 12);
  EXPECT_EQ(place.function, "f");
  EXPECT_EQ(place_in("/bin/x+0x12").file, "/bin/x+0x12");
  EXPECT_EQ(place_in("").line, 0);
  EXPECT_EQ(place_in("a:b").file, "a:b");
}

}  // namespace
}  // namespace tunecheck::watch
