// The page of real sessions, as docs/gate-measurements.md has it.
#include "reports/terminal/real_rates_page.hpp"

#include <limits>

#include <gmock/gmock.h>

namespace tunecheck::test {
namespace {

using namespace gate;
using testing::HasSubstr;
using testing::Not;

RealSession real_session(std::size_t number, double head, Answer answer) {
  RealSession session;
  session.kind = {"CPU, 2 cores", "b",  "rmsnorm", "smoke", "winner_time", "cpu",
                  false,          0.02, 0.05,      head,    false,         1};
  session.number = number;
  session.started = "2026-11-25T20:00:00Z";
  session.answer = answer;
  session.benchmarks = 1;
  session.pairs = 10;
  session.seconds = 1.5;
  session.would_find = 0.031;
  return session;
}

TEST(RealRatesPage, is_a_table_with_its_goals) {
  std::vector<RealSession> sessions = {real_session(1, 0, Answer::pass),
                                       real_session(2, 0, Answer::inconclusive),
                                       real_session(1, 0.05, Answer::regression)};
  sessions[1].would_find = std::numeric_limits<double>::infinity();
  sessions[2].started = "2026-11-26T00:00:00Z";
  EXPECT_EQ(real_rates_page(sessions),
            "3 sessions, 2026-11-25 to 2026-11-26\n"
            "\n"
            "### CPU, 2 cores: winner_time of rmsnorm at smoke\n"
            "\n"
            "| machine | head | sessions | regression | inconclusive | pass | improved | invalid | "
            "pairs | seconds | other work | would find |\n"
            "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            "| idle | same | 2 | 0 | 1 | 1 | 0 | 0 | 10.0 | 1.5 | 0.0 | |\n"
            "| idle | +5 % | 1 | 1 | 0 | 0 | 0 | 0 | 10.0 | 1.5 | 0.0 | 3.1 % |\n"
            "\n"
            "```\n"
            "open    at most one false alarm in all sessions of equal builds; 0 of 2\n"
            "open    +5 % found in at least 99 % of the sessions that call themselves trustworthy; "
            "1 of 1\n"
            "open    +5 % found in at least 99 % of the sessions on an idle machine; 1 of 1\n"
            "open    inconclusive or invalid in less than 5 % of the sessions on an idle machine; "
            "1 of 3\n"
            "```\n");
}

TEST(RealRatesPage, has_a_table_for_each_question) {
  RealSession whole = real_session(1, 0, Answer::pass);
  whole.kind.is_whole = true;
  RealSession fine = real_session(1, 0, Answer::pass);
  fine.kind.delta = 0.005;
  fine.kind.tolerance = 0.02;
  RealSession elsewhere = real_session(1, 0, Answer::pass);
  elsewhere.kind.machine = "Another";
  elsewhere.kind.backend = "cuda";
  const std::string page =
      real_rates_page({real_session(1, 0, Answer::pass), whole, fine, elsewhere}, 4);
  EXPECT_THAT(page, HasSubstr("\n#### CPU, 2 cores: winner_time of rmsnorm at smoke\n"));
  EXPECT_THAT(page, HasSubstr("winner_time of rmsnorm at smoke, whole sessions\n"));
  EXPECT_THAT(page, HasSubstr("at smoke, delta 0.5 % and tolerance 2 %\n"));
  EXPECT_THAT(page, HasSubstr("Another: winner_time of rmsnorm at smoke on cuda\n"));
  EXPECT_THAT(page, Not(HasSubstr("benchmarks")));
}

TEST(RealRatesPage, counts_benchmarks_where_sessions_have_several) {
  RealSession many = real_session(1, 0, Answer::regression);
  many.benchmarks = 50;
  many.slower = 1;
  many.kind.kernels = "a, b, c, d";
  many.kind.metrics = "winner_time, warm_start";
  EXPECT_THAT(real_rates_page({many}),
              HasSubstr("### CPU, 2 cores: winner_time, warm_start of 4 kernels at smoke\n"));
  EXPECT_THAT(real_rates_page({many}), HasSubstr("| benchmarks | of these slower | faster |"));
  EXPECT_THAT(real_rates_page({many}), HasSubstr(" 50 | 1 | 0 |"));
}

TEST(RealRatesPage, says_what_cpus_did_that_sessions_could_not_use) {
  RealSession confined = real_session(1, 0, Answer::pass);
  confined.elsewhere = 12.3;
  const std::string page = real_rates_page({confined, real_session(1, 0.05, Answer::regression)});
  EXPECT_THAT(page, HasSubstr("| other work | elsewhere | would find |\n"));
  EXPECT_THAT(page, HasSubstr("| 0.0 | 12.3 | 3.1 % |\n"));
  EXPECT_THAT(page, HasSubstr("| 0.0 | 0.0 | 3.1 % |\n"));
  EXPECT_THAT(real_rates_page({real_session(1, 0, Answer::pass)}), Not(HasSubstr("elsewhere")));
}

TEST(RealRatesPage, is_the_same_in_whatever_order_sessions_come) {
  std::vector<RealSession> sessions;
  for (std::size_t i = 1; i <= 30; ++i) {
    sessions.push_back(real_session(i, i % 3 == 0 ? 0.05 : 0, Answer::pass));
    sessions.back().seconds = 0.01 * static_cast<double>(i * i);
  }
  const std::string page = real_rates_page(sessions);
  std::reverse(sessions.begin(), sessions.end());
  EXPECT_EQ(real_rates_page(sessions), page);
}

}  // namespace
}  // namespace tunecheck::test
