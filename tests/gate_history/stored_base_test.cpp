// A session whose base is a stored run, with a head that is made by hand.
#include "gate/history/stored_base.hpp"

#include <limits>

#include <gmock/gmock.h>

#include "gate/history/gate_run.hpp"
#include "stored_runs.hpp"

namespace tunecheck::test {
namespace {

using namespace history;
using gate::Answer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* prefix = "axpy/smoke/cpu/";

gate::Subject subject(const std::string& metric, const std::string& unit) {
  return {prefix + metric, metric, "axpy", "smoke", "cpu", unit};
}

// Two times and a count of a head, of 20 processes.
gate::GateResult stored_session() {
  gate::GateResult session;
  session.kind = "stored";
  session.adapter = "reference";
  session.backend = "cpu";
  session.environment = {{"cpu", "Toy CPU"}, {"host", "here"}};
  session.head.environment = {{"kernel axpy", "12ab"}};
  for (const char* const metric : {"warm_start", "winner_time"}) {
    gate::BenchmarkResult& benchmark = session.benchmarks.emplace_back();
    benchmark.subject = subject(metric, "ns");
    for (int i = 0; i < 20; ++i)
      benchmark.pairs.push_back({gate::Side::head, {{}, {{100 + 0.1 * (i % 7)}, ""}}});
  }
  session.counts = {{subject("trials", "configs"), {}, {}, {6, 6}}};
  return session;
}

// What a session of the same build would have stored.
StoredBase base() {
  StoredBase base;
  base.given = "run 7 of h.sqlite";
  base.facts.suite = "reference on cpu";
  base.sets = sample_sets_of(stored_session(), gate::Side::head);
  return base;
}

std::string ask_again(const gate::Subject& subject) {
  return "`measuring " + subject.metric + "`";
}

gate::GateResult judged(const StoredBase& base, gate::GateResult head = stored_session()) {
  EXPECT_EQ(mistake_in(check_base(base, head)), "");
  EXPECT_EQ(mistake_in(judge_by_base(base, ask_again, head)), "");
  return head;
}

TEST(StoredBase, the_same_build_passes_and_all_samples_are_kept) {
  const gate::GateResult result = judged(base());
  EXPECT_EQ(result.answer, Answer::pass);
  EXPECT_TRUE(result.is_complete);
  EXPECT_EQ(result.exit_status(), 0);
  const gate::BenchmarkResult& start = result.benchmarks.at(0);
  EXPECT_TRUE(start.is_settled);
  ASSERT_EQ(start.pairs.size(), 40U);
  EXPECT_THAT(start.pairs[0].pair.base.samples, ElementsAre(100));
  EXPECT_THAT(start.pairs[0].pair.head.samples, IsEmpty());
  EXPECT_THAT(result.counts.at(0).base, ElementsAre(6, 6));
  EXPECT_THAT(result.added, IsEmpty());
  EXPECT_THAT(result.removed, IsEmpty());
}

TEST(StoredBase, a_slower_time_is_no_regression_and_names_what_would_tell) {
  StoredBase slower = base();
  for (double& time : slower.sets.at(0).processes)
    time /= 2;
  const gate::GateResult result = judged(slower);
  EXPECT_EQ(result.answer, Answer::inconclusive);
  EXPECT_THAT(result.benchmarks[0].finding.reason, HasSubstr("`measuring warm_start` would tell"));
  EXPECT_EQ(result.benchmarks[1].finding.answer, Answer::pass);
}

TEST(StoredBase, one_count_more_is_a_regression_and_one_less_is_improved) {
  StoredBase other = base();
  other.sets.at(2).processes = {5, 5};
  EXPECT_EQ(judged(other).answer, Answer::regression);
  other.sets.at(2).processes = {7, 7};
  EXPECT_EQ(judged(other).counts.at(0).finding.answer, Answer::improved);
}

TEST(StoredBase, a_head_that_fails_is_a_regression_and_loses_nothing) {
  gate::GateResult head = stored_session();
  head.benchmarks[0].pairs.resize(17);
  head.benchmarks[0].pairs[16].pair.head = {{}, "signal 11"};
  const gate::GateResult result = judged(base(), head);
  EXPECT_EQ(result.answer, Answer::regression);
  EXPECT_EQ(result.benchmarks[0].finding.reason,
            "the head failed in process 17, the base in none: signal 11");
  EXPECT_EQ(result.benchmarks[0].pairs.size(), 37U);
}

TEST(StoredBase, a_head_that_cannot_tune_has_not_removed_what_is_counted) {
  gate::GateResult head = stored_session();
  head.counts.clear();
  for (gate::BenchmarkResult& benchmark : head.benchmarks)
    benchmark.pairs = {{gate::Side::head, {{}, {{}, "no adapter"}}}};
  const gate::GateResult result = judged(base(), head);
  EXPECT_EQ(result.answer, Answer::regression);
  EXPECT_THAT(result.removed, IsEmpty());
}

TEST(StoredBase, a_sample_that_is_no_time_is_invalid) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    gate::GateResult head = stored_session();
    head.benchmarks[1].pairs[4].pair.head.samples = {bad};
    const gate::GateResult result = judged(base(), head);
    EXPECT_EQ(result.answer, Answer::invalid) << bad;
    EXPECT_EQ(result.exit_status(), 4);
    EXPECT_THAT(result.benchmarks[1].finding.reason, HasSubstr("process 5: sample 1 of 1"));
  }
}

TEST(StoredBase, what_one_side_alone_has_is_listed) {
  StoredBase other = base();
  other.sets.at(1).benchmark = "axpy/smoke/cpu/dispatch";
  const gate::GateResult result = judged(other);
  EXPECT_THAT(result.removed, ElementsAre("axpy/smoke/cpu/dispatch"));
  EXPECT_THAT(result.added, ElementsAre("axpy/smoke/cpu/winner_time"));
  EXPECT_EQ(result.benchmarks.size(), 1U) << "what cannot be compared has no answer";
  other.sets = {other.sets.at(1)};
  EXPECT_EQ(judged(other).exit_status(), 4) << "nothing in common";
}

TEST(StoredBase, that_cannot_be_used_is_refused_with_what_differs) {
  const auto mistake = [](void (*change)(StoredBase&)) {
    StoredBase changed = base();
    change(changed);
    return mistake_in(check_base(changed, stored_session()));
  };
  EXPECT_EQ(mistake([](StoredBase&) {}), "");
  EXPECT_EQ(mistake([](StoredBase& b) { b.facts.suite = "sort"; }),
            "run 7 of h.sqlite: expected a run of \"reference on cpu\", found one of \"sort\"");
  EXPECT_EQ(mistake([](StoredBase& b) { b.sets.clear(); }),
            "run 7 of h.sqlite: it has none of the benchmarks to measure");
  EXPECT_THAT(mistake([](StoredBase& b) { b.sets[0].fingerprint["cpu"] = "Other CPU"; }),
              HasSubstr("cpu: \"Other CPU\" in the baseline, \"Toy CPU\" now"));
  EXPECT_THAT(mistake([](StoredBase& b) { b.sets[0].fingerprint["kernel_sources"] = "34cd"; }),
              HasSubstr("kernel_sources: \"34cd\" in the baseline, \"12ab\" now"));
  EXPECT_THAT(mistake([](StoredBase& b) { b.sets[0].processes = {100}; }),
              HasSubstr("expected at least 2 processes, found 1"));
  EXPECT_THAT(mistake([](StoredBase& b) {
                b.sets[0].processes[3] = std::numeric_limits<double>::quiet_NaN();
              }),
              HasSubstr("expected a positive time, found nan"));
  EXPECT_THAT(mistake([](StoredBase& b) { b.sets[2].processes[0] = 1.5; }),
              HasSubstr("expected a count, found 1.5"));
}

TEST(StoredBase, of_a_session_is_not_what_the_session_measured) {
  gate::GateResult result = judged(base());
  result.started = "2024-05-01T12:00:00Z";
  EXPECT_EQ(mistake_in(run_of(result, gate::Side::base)),
            "expected measurements: the base of this session is a stored run");
  const MeasuredRun head = run_of(result, gate::Side::head).value();
  EXPECT_EQ(head.suite, "reference on cpu");
  EXPECT_EQ(head.sets.at(0).processes.size(), 20U);
}

}  // namespace
}  // namespace tunecheck::test
