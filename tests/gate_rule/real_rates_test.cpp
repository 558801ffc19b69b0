// Rates of real sessions: which sessions are counted together, and when a goal is reached.
#include "gate/rule/real_rates.hpp"

#include <gmock/gmock.h>

#include "played_sessions.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;
using testing::HasSubstr;
using testing::StartsWith;

RealSession planted(double head, Answer answer) {
  RealSession session = played_session();
  session.kind.head = head;
  session.answer = answer;
  session.slower = answer == Answer::regression ? 1 : 0;
  return session;
}

RealSession with_answer(Answer answer) {
  return planted(0, answer);
}

// "kept|...": the goal whose text has these words; "" where there is none.
std::string goal(const std::vector<RealSession>& sessions, const std::string& words) {
  for (const Goal& goal : real_goals(sessions))
    if (goal.text.find(words) != goal.text.npos)
      return (goal.state == GoalState::kept     ? "kept|"
              : goal.state == GoalState::broken ? "broken|"
                                                : "open|") +
             goal.text;
  return "";
}

TEST(RealRates, counts_sessions_of_one_kind_together) {
  std::vector<RealSession> sessions = played_sessions(played_session(), 3);
  sessions[1].answer = Answer::inconclusive;
  sessions[1].pairs = 70;
  sessions[1].would_find = 0.2;
  sessions[2].would_find = 0.05;
  const std::vector<RealRow> rows =
      real_rows(both(sessions, played_sessions(planted(0.05, Answer::regression), 2)));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].sessions, 3U);
  EXPECT_EQ(rows[0].of(Answer::pass), 2U);
  EXPECT_EQ(rows[0].of(Answer::inconclusive), 1U);
  EXPECT_EQ(rows[0].pairs, 30);
  EXPECT_EQ(rows[0].would_find, 0.05) << "the median, which one bad session does not move";
  EXPECT_EQ(rows[1].kind.head, 0.05);
  EXPECT_EQ(rows[1].slower, 2U);
}

TEST(RealRates, tells_the_surroundings_by_what_was_measured) {
  RealSession session = played_session();
  EXPECT_EQ(describe_surroundings(session), "idle");
  session.other_work = 1.2;
  EXPECT_EQ(describe_surroundings(session), "other work");
  session.kind.is_loaded = true;
  EXPECT_EQ(describe_surroundings(session), "every core busy");
  session.kind.at_once = 3;
  EXPECT_EQ(describe_surroundings(session), "3 sessions at once, every core busy");
  session.kind.is_loaded = false;
  EXPECT_EQ(describe_surroundings(session), "3 sessions at once");
}

TEST(RealRates, do_not_depend_on_the_order_of_files) {
  const auto same = played_sessions(played_session(), 2);
  const auto slow = played_sessions(planted(0.05, Answer::regression), 2);
  EXPECT_EQ(real_rows(both(same, slow)).front().kind.head, 0);
  EXPECT_EQ(real_rows(both(slow, same)).front().kind.head, 0);
}

TEST(RealRates, allow_one_false_alarm_in_all) {
  const std::string words = "false alarm";
  const auto good = played_sessions(played_session(), 399);
  const auto alarm = played_sessions(with_answer(Answer::regression), 1);
  EXPECT_THAT(goal(good, words), StartsWith("kept|"));
  EXPECT_THAT(goal(both(good, alarm), words), StartsWith("kept|"));
  EXPECT_THAT(goal(both(good, alarm), words), HasSubstr("; 1 of 400"));
  EXPECT_THAT(goal(both(both(good, alarm), alarm), words), StartsWith("broken|"));
  const auto faster = played_sessions(with_answer(Answer::improved), 1);
  EXPECT_THAT(goal(both(both(good, alarm), faster), words), StartsWith("broken|"))
      << "a false improvement is a false alarm as well";
  EXPECT_THAT(goal(both(played_sessions(played_session(), 198), alarm), words),
              StartsWith("open|"));
  EXPECT_THAT(goal(both(alarm, alarm), words), StartsWith("broken|"))
      << "more sessions would not make it one alarm";
  EXPECT_THAT(goal(played_sessions(played_session(), 199), words), StartsWith("open|"));
  EXPECT_EQ(goal(played_sessions(planted(0.05, Answer::regression), 10), words), "");
}

TEST(RealRates, a_slowdown_that_is_found_is_no_false_alarm) {
  EXPECT_THAT(goal(both(played_sessions(played_session(), 200),
                        played_sessions(planted(0.05, Answer::regression), 300)),
                   "false alarm"),
              HasSubstr("; 0 of 200"));
}

TEST(RealRates, ask_of_sessions_that_call_themselves_trustworthy_that_they_find_it) {
  const std::string words = "+5 % found in at least 99 % of the sessions that call themselves";
  const auto found = played_sessions(planted(0.05, Answer::regression), 198);
  RealSession missed = planted(0.05, Answer::pass);
  EXPECT_THAT(goal(both(found, played_sessions(missed, 2)), words), StartsWith("kept|"));
  EXPECT_THAT(goal(both(found, played_sessions(missed, 3)), words), StartsWith("broken|"));
  RealSession unsure = missed;
  unsure.would_find = 0.08;
  EXPECT_THAT(goal(both(found, played_sessions(unsure, 50)), words), HasSubstr("; 198 of 198"))
      << "a session that would only find 8 % does not claim to find 5 %";
  EXPECT_THAT(goal(both(found, played_sessions(planted(0.05, Answer::invalid), 50)), words),
              HasSubstr("; 198 of 198"))
      << "an invalid session claims nothing";
  EXPECT_THAT(goal(played_sessions(planted(0.05, Answer::regression), 99), words),
              StartsWith("open|"));
  EXPECT_EQ(goal(played_sessions(planted(0.03, Answer::pass), 200), "+3 %"), "")
      << "less than the tolerance need not be found";
}

TEST(RealRates, ask_more_of_an_idle_machine) {
  const std::string words = "on an idle machine; ";
  RealSession unsure = planted(0.05, Answer::inconclusive);
  unsure.would_find = 0.08;
  const auto found = played_sessions(planted(0.05, Answer::regression), 100);
  EXPECT_THAT(goal(both(found, played_sessions(unsure, 2)),
                   "+5 % found in at least 99 % of the "
                   "sessions on an idle machine"),
              StartsWith("broken|"));
  const auto undecided = [](std::size_t count, double other_work) {
    RealSession session = with_answer(Answer::inconclusive);
    session.other_work = other_work;
    RealSession good = played_session();
    good.other_work = other_work;
    return both(played_sessions(session, count), played_sessions(good, 100 - count));
  };
  EXPECT_THAT(goal(undecided(4, 0), "inconclusive or invalid"), StartsWith("kept|"));
  EXPECT_THAT(goal(undecided(5, 0), "inconclusive or invalid"), StartsWith("broken|"));
  EXPECT_THAT(goal(undecided(24, 1), "inconclusive or invalid"), StartsWith("kept|"));
  EXPECT_THAT(goal(undecided(25, 1), "inconclusive or invalid"), StartsWith("broken|"));
  EXPECT_THAT(goal(undecided(25, 1), "inconclusive or invalid"), HasSubstr("on a busy machine"));
  EXPECT_EQ(goal(undecided(25, 1), words), "");
}

TEST(RealRates, let_a_head_that_is_slower_by_less_than_the_tolerance_be_undecided) {
  EXPECT_EQ(goal(played_sessions(planted(0.02, Answer::inconclusive), 200), "inconclusive"), "");
}

}  // namespace
}  // namespace tunecheck::test
