// Sessions as lines of a file: written, read back, cut and damaged.
#include "gate/rule/real_session.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "played_sessions.hpp"

namespace tunecheck::test {
namespace {

using namespace gate;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string lines_of(const std::vector<RealSession>& sessions) {
  std::string text;
  for (const RealSession& session : sessions)
    text += to_line(session);
  return text;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what << " in " << text;
  return text.replace(at, what.size(), with);
}

std::string error_of(const std::string& text) {
  const auto parsed = parse_sessions(text, "rates.jsonl");
  return parsed ? std::string() : parsed.error().text();
}

TEST(RealSession, is_read_as_it_was_written) {
  RealSession session = played_session();
  session.kind.head = 0.05;
  session.kind.is_loaded = session.kind.is_whole = true;
  session.kind.at_once = 3;
  session.answer = Answer::invalid;
  session.reason = "the canary says \"no\"\nand\tmore";
  session.slower = 1;
  const std::string line = to_line(session);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const SessionFile file = parse_sessions(line, "file").value();
  ASSERT_EQ(file.sessions.size(), 1U);
  const RealSession& read = file.sessions[0];
  EXPECT_TRUE(read.kind == session.kind);
  EXPECT_EQ(read.number, 1U);
  EXPECT_EQ(read.seed, 2U);
  EXPECT_EQ(read.started, session.started);
  EXPECT_EQ(read.answer, Answer::invalid);
  EXPECT_EQ(read.reason, session.reason);
  EXPECT_EQ(read.other_work, 0.02);
  EXPECT_EQ(read.elsewhere, 1.5);
  EXPECT_EQ(read.benchmarks, 1U);
  EXPECT_EQ(read.slower, 1U);
  EXPECT_EQ(read.pairs, 10U);
  EXPECT_EQ(read.seconds, 1.25);
  EXPECT_EQ(read.would_find, 0.031);
  EXPECT_EQ(read.change, 0.001);
  EXPECT_EQ(to_line(read), line);
}

TEST(RealSession, may_have_no_estimate_and_nothing_that_it_would_find) {
  RealSession session = played_session();
  session.would_find = std::numeric_limits<double>::infinity();
  session.change = std::numeric_limits<double>::quiet_NaN();
  const SessionFile file = parse_sessions(to_line(session), "file").value();
  EXPECT_TRUE(std::isinf(file.sessions.at(0).would_find));
  EXPECT_TRUE(std::isnan(file.sessions.at(0).change));
}

TEST(RealSession, of_a_line_that_was_cut_is_left_out) {
  const std::string two = lines_of(played_sessions(played_session(), 2));
  const std::size_t first = two.find('\n') + 1;
  for (const std::size_t length : {first, first + 1, two.size() - 1}) {
    const SessionFile file = parse_sessions(two.substr(0, length), "file").value();
    EXPECT_EQ(file.sessions.size(), 1U) << length;
    EXPECT_EQ(file.complete, first) << length;
  }
  EXPECT_EQ(parse_sessions(two, "file")->sessions.size(), 2U);
}

TEST(RealSession, of_a_damaged_line_is_an_error_that_names_the_line) {
  const std::string line = to_line(played_session());
  EXPECT_THAT(error_of(line + "nonsense\n"),
              StartsWith("rates.jsonl:2: expected a session of tunecheck gate calibrate: "));
  EXPECT_EQ(error_of("{}\n"), "rates.jsonl:1: head: expected a number, found nothing");
  EXPECT_EQ(error_of("[]\n"), "rates.jsonl:1: expected an object");
  EXPECT_THAT(error_of("\n" + line), StartsWith("rates.jsonl:1: "));
  EXPECT_EQ(error_of(replaced(line, "\"pass\"", "\"maybe\"")),
            "rates.jsonl:1: answer: expected pass, improved, inconclusive, regression or invalid, "
            "found \"maybe\"");
  EXPECT_EQ(error_of(replaced(line, "\"idle\"", "\"calm\"")),
            "rates.jsonl:1: load: expected idle or busy, found \"calm\"");
  EXPECT_EQ(error_of(replaced(line, "\"number\":1", "\"number\":0")),
            "rates.jsonl:1: number: expected at least 1");
  EXPECT_EQ(error_of(replaced(line, "\"elsewhere\":1.5", "\"elsewhere\":-1")),
            "rates.jsonl:1: elsewhere: expected at least 0");
  EXPECT_EQ(parse_sessions(replaced(line, "\"elsewhere\":1.5,", ""), "file")->sessions[0].elsewhere,
            0)
      << "as in files from before it was counted";
  for (const char* const pairs : {"-10", "10.5", "99999999999999999999"}) {
    SCOPED_TRACE(pairs);
    EXPECT_THAT(error_of(replaced(line, "\"pairs\":", fmt::format("\"pairs\":{},\"was\":", pairs))),
                StartsWith("rates.jsonl:1: pairs: expected a whole number of at least 0, found "));
  }
  EXPECT_EQ(error_of(replaced(line, "\"size\":\"smoke\"", "\"size\":5")),
            "rates.jsonl:1: size: expected a text, found 5");
  EXPECT_EQ(error_of(replaced(line, "\"whole\":false", "\"whole\":0")),
            "rates.jsonl:1: whole: expected true or false, found 0");
  EXPECT_EQ(error_of(replaced(line, "\"seconds\":", "\"seconds\":1e308,\"was\":")),
            "rates.jsonl:1: seconds: expected a number from 0 to 10000000");
  EXPECT_EQ(error_of(replaced(line, "\"would_find\":", "\"would_find\":-3,\"was\":")),
            "rates.jsonl:1: would_find: expected at least 0, or null");
  EXPECT_EQ(error_of(replaced(line, "\"slower\":0", "\"slower\":2")),
            "rates.jsonl:1: benchmarks: expected at least as many as slower, faster and undecided "
            "together");
  EXPECT_EQ(error_of(replaced(line, "\"at_once\":1", "\"at_once\":0")),
            "rates.jsonl:1: at_once: expected at least 1");
  EXPECT_EQ(error_of(replaced(line, "\"head\":0.0", "\"head\":-0.1")),
            "rates.jsonl:1: head: expected at least 0");
}

TEST(RealSession, is_in_a_file_once) {
  const std::string line = to_line(played_session());
  EXPECT_EQ(error_of(line + line),
            "rates.jsonl:2: expected each session once, found number 1 a second time");
  RealSession other = played_session();
  other.kind.head = 0.05;
  EXPECT_EQ(error_of(line + to_line(other)), "");
}

TEST(RealSession, of_an_empty_file_is_missed) {
  const TemporaryFolder folder = TemporaryFolder::create("sessions").value();
  ASSERT_TRUE(write_file(folder.path() / "empty", ""));
  EXPECT_THAT(read_sessions(folder.path() / "empty").error().text(),
              EndsWith("empty: expected sessions of tunecheck gate calibrate"));
  EXPECT_FALSE(read_sessions(folder.path() / "missing"));
}

TEST(RealSession, can_be_appended_to_sessions_of_the_same_question_alone) {
  const std::string text = lines_of(played_sessions(played_session(), 2));
  const SessionFile file = parse_sessions(text, "f").value();
  SessionKind kind = played_session().kind;
  kind.head = 0.1;
  kind.is_loaded = true;
  kind.at_once = 5;
  EXPECT_TRUE(check_appendable(file, kind, "f"));
  const auto error_with = [&](auto change) {
    SessionKind other = kind;
    change(other);
    const auto checked = check_appendable(file, other, "f");
    return checked ? std::string() : checked.error().text();
  };
  EXPECT_EQ(error_with([](SessionKind& other) { other.build = "ba9876543210"; }),
            "f:1: build: expected sessions of \"ba9876543210\", as asked for now, found "
            "\"0123456789ab\"; give another --out");
  EXPECT_THAT(error_with([](SessionKind& other) { other.machine = "x"; }), HasSubstr("machine: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.kernels = "x"; }), HasSubstr("kernels: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.size = "x"; }), HasSubstr("size: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.metrics = "x"; }), HasSubstr("metrics: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.backend = "x"; }), HasSubstr("backend: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.is_whole = true; }), HasSubstr("whole: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.delta = 0.01; }), HasSubstr("delta: "));
  EXPECT_THAT(error_with([](SessionKind& other) { other.tolerance = 0.1; }),
              HasSubstr("tolerance: "));
}

TEST(RealSession, takes_what_the_session_found) {
  GateResult result;
  result.answer = Answer::regression;
  result.reason = "why";
  const auto add = [&](Role role, Answer answer, double change, std::size_t pairs) {
    BenchmarkResult benchmark;
    benchmark.role = role;
    benchmark.finding.answer = answer;
    benchmark.finding.change = change;
    benchmark.finding.detectable = 0.04 + change;
    benchmark.pairs.resize(pairs);
    result.benchmarks.push_back(benchmark);
  };
  add(Role::measured, Answer::regression, 0.07, 50);
  add(Role::measured, Answer::improved, 0, 60);
  add(Role::measured, Answer::inconclusive, 0, 70);
  add(Role::measured, Answer::pass, 0, 10);
  add(Role::slowed, Answer::regression, 0.1, 40);
  RealSession session;
  take_findings(result, session);
  EXPECT_EQ(session.answer, Answer::regression);
  EXPECT_EQ(session.reason, "why");
  EXPECT_EQ(session.benchmarks, 4U);
  EXPECT_EQ(session.slower, 1U);
  EXPECT_EQ(session.faster, 1U);
  EXPECT_EQ(session.undecided, 1U);
  EXPECT_EQ(session.pairs, 50U + 60U + 70U + 10U + 40U);
  EXPECT_EQ(session.change, 0.07);
  EXPECT_EQ(session.would_find, 0.11);
}

}  // namespace
}  // namespace tunecheck::test
