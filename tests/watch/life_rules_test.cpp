// What is concluded of readiness and of edits, from evidence that is made up.
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

CodeLaunches built(const std::string& name, const std::string& as, std::int64_t launches = 3) {
  CodeLaunches made = code(name, launches, launches);
  made.built = as;
  return made;
}

ProgramRun start(Start kind, int pid, std::vector<CodeLaunches> codes, const std::string& winner,
                 const std::string& result = "r") {
  ProgramRun run = Process(pid).burst(std::move(codes), winner, Replay::same, "i", result).run(2);
  run.start = kind;
  return run;
}

// Cold, warm, edited, fresh, fresh. Each has three codes where it tunes, the last of which wins.
struct Edited {
  std::string before, launched, fresh, fresh_again;
  std::vector<ProgramRun> runs() const {
    const auto tuned = [](const std::string& as) {
      return std::vector{built("a", as + "a"), built("c", as + "c"), built("b", as + "b")};
    };
    return {start(Start::usual, 1, tuned(before), "b"),
            start(Start::usual, 2, {built("b", before + "b")}, "b"),
            start(Start::edited, 3, {built("b", launched + "b")}, "b"),
            start(Start::fresh, 4, tuned(fresh), "b", "s"),
            start(Start::fresh, 5, tuned(fresh_again), "b", "s")};
  }
};

TEST(Stale, code_of_before_the_edit) {
  const auto findings = find_findings(Edited{"old", "old", "new", "new"}.runs(), false);
  EXPECT_THAT(words_of(findings), ElementsAre("STALE"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("made before the edit"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("other bits"));
}

TEST(Stale, an_edit_that_changes_no_code) {
  EXPECT_THAT(words(Edited{"old", "old", "old", "old"}.runs()), IsEmpty());
}

TEST(Stale, a_start_that_compiles_anew_and_keeps_the_winner_is_unclear) {
  const auto findings = find_findings(Edited{"old", "new", "new", "new"}.runs(), false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear STALE"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("not chosen again"));
  // Nobody chooses where a start in empty folders does not either.
  auto runs = Edited{"old", "new", "new", "new"}.runs();
  for (const std::size_t fresh : {3U, 4U})
    runs[fresh] = start(Start::fresh, static_cast<int>(fresh) + 1, {built("b", "newb")}, "b");
  EXPECT_THAT(words(runs), IsEmpty());
}

TEST(Stale, fresh_starts_that_differ_from_each_other_decide_nothing) {
  const auto findings = find_findings(Edited{"old", "old", "new", "newer"}.runs(), false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear STALE"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("do not launch the same codes either"));
}

// Code may be made for a number: what these launch it with is another one.
TEST(Stale, other_numbers_decide_nothing) {
  auto runs = Edited{"old", "old", "new", "new"}.runs();
  for (const std::size_t fresh : {3U, 4U})
    for (BurstEvent& burst : runs[fresh].told.bursts)
      burst.scalars = "17";
  const auto findings = find_findings(runs, false);
  EXPECT_THAT(words_of(findings), ElementsAre("unclear STALE"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("other numbers"));
}

// Codes of a GPU are known by their digests alone, and one of them has left the list.
TEST(Stale, a_config_that_the_edit_removed_is_unclear_where_others_stay) {
  const std::vector all = {built("1", "1"), built("2", "2"), built("3", "3")};
  const std::vector fewer = {built("1", "1"), built("2", "2"), built("4", "4")};
  const std::vector others = {built("5", "5"), built("6", "6"), built("4", "4")};
  const auto runs = [&](const std::vector<CodeLaunches>& fresh) {
    return std::vector{start(Start::usual, 1, all, "3"),
                       start(Start::usual, 2, {built("3", "3")}, "3"),
                       start(Start::edited, 3, {built("3", "3")}, "3"),
                       start(Start::fresh, 4, fresh, "4"), start(Start::fresh, 5, fresh, "4")};
  };
  EXPECT_THAT(words(runs(fewer)), ElementsAre("unclear STALE"));
  EXPECT_THAT(words(runs(others)), ElementsAre("STALE"));
}

TEST(Stale, other_work_decides_nothing) {
  auto runs = Edited{"old", "old", "new", "new"}.runs();
  for (const std::size_t fresh : {3U, 4U}) {
    runs[fresh].told.totals.at(0).shapes = "t";
    runs[fresh].told.bursts.at(0).shapes = "t";
  }
  EXPECT_THAT(words(runs), IsEmpty());
}

// Edited and fresh starts tune and compile because they have to.
TEST(Stale, fresh_starts_are_not_warm) {
  auto runs = Edited{"old", "new", "new", "new"}.runs();
  runs[2] =
      start(Start::edited, 3, {built("a", "newa"), built("c", "newc"), built("b", "newb")}, "b");
  ProgramCompile compile;
  compile.tool = "c++";
  for (const std::size_t each : {2U, 3U, 4U})
    runs[each].compiles = {compile};
  EXPECT_THAT(words(runs), IsEmpty());
}

ProgramRun ready_at(std::int64_t time_ns) {
  ProgramRun run =
      Process(1)
          .burst({code("a", 3, 2), code("c", 3, 3), code("b", 1, 1)}, "b", Replay::same)
          .run(1);
  for (CodeLaunches& each : run.told.totals.at(0).codes)
    each.first_ns = 100;
  run.told.bursts.at(0).first_ns = 100;
  run.ready_ns = time_ns;
  return run;
}

TEST(Late, tuned_behind_the_moment_at_which_the_program_was_ready) {
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  EXPECT_THAT(words({ready_at(100), warm}), ElementsAre("LATE"));
  EXPECT_THAT(words({ready_at(101), warm}), IsEmpty());
  ProgramRun never = ready_at(100);
  never.ready_ns.reset();
  EXPECT_THAT(words({never, warm}), IsEmpty());
  // Several codes that nobody measured are no tuning.
  ProgramRun on_purpose = ready_at(100);
  for (auto* const codes :
       {&on_purpose.told.totals.at(0).codes, &on_purpose.told.bursts.at(0).codes})
    for (CodeLaunches& each : *codes)
      each.measured = 0;
  EXPECT_THAT(words({on_purpose, warm}), IsEmpty());
}

// Each trial has arguments of its own, of the same content.
TEST(Late, trials_on_arguments_of_their_own) {
  const auto cold = [](std::int64_t ready_ns) {
    ProgramRun run = Process(1)
                         .burst({code("a", 3, 2)}, "a", Replay::none)
                         .burst({code("c", 3, 3)}, "c", Replay::none)
                         .burst({code("b", 4, 3)}, "b", Replay::none)
                         .run(1);
    for (CodeLaunches& each : run.told.totals.at(0).codes)
      each.first_ns = each.code == "a" ? 50 : 100;
    run.ready_ns = ready_ns;
    return run;
  };
  const auto warm = Process(2).burst({code("b", 1, 0)}, "b", Replay::none).run();
  EXPECT_THAT(words({cold(40), warm}), ElementsAre("LATE"));
  EXPECT_THAT(words({cold(70), warm}), ElementsAre("LATE"));  // one of them
  EXPECT_THAT(words({cold(101), warm}), IsEmpty());
}

TEST(Late, compiled_behind_it) {
  ProgramRun run = Process(1).burst({code("b", 1, 0)}, "b", Replay::none).run();
  ProgramCompile compile;
  compile.tool = "ptxas";
  compile.time_ns = 10;
  run.compiles = {compile};
  run.ready_ns = 11;
  EXPECT_THAT(words({run}), IsEmpty());
  run.ready_ns = 10;
  const auto findings = find_findings({run}, false);
  EXPECT_THAT(words_of(findings), ElementsAre("LATE"));
  EXPECT_THAT(findings.at(0).text, HasSubstr("ptxas 1 time"));
}

}  // namespace
}  // namespace tunecheck::watch
