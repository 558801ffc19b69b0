// What annotations, Markdown and SARIF promise beyond their approved pages.
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "hand_made_gate.hpp"
#include "hand_made_results.hpp"
#include "json_schema.hpp"
#include "reports/ci/annotations.hpp"
#include "reports/ci/junit.hpp"
#include "reports/ci/sarif.hpp"
#include "reports/markdown/markdown.hpp"
#include "reports/markdown/markdown_text.hpp"
#include "reports/summary/gate_findings.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<RunResult> only(RunResult run) {
  return {std::move(run)};
}

RunResult with_failures(std::size_t count) {
  RunResult result = mixed_result();
  const ScenarioResult failed = result.scenarios[2];
  result.scenarios.assign(count, failed);
  for (std::size_t i = 0; i < count; ++i)
    result.scenarios[i].name = "restore.number_" + std::to_string(i);
  return result;
}

TEST(Markdown, of_hostile_text_mentions_nobody_and_has_no_markup_of_it) {
  EXPECT_EQ(markdown_text("@all #1 | `a` <b>&"),
            "&#64;\u200ball &#35;\u200b1 &#124; &#96;a&#96; &#60;b&#62;&#38;");
  EXPECT_EQ(markdown_code("a_b _c_ @x"), "<code>a_b &#95;c&#95; &#64;x</code>");
  const std::string page = to_markdown(only(hostile_result()), {});
  EXPECT_THAT(page, Not(HasSubstr("<x y=")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

TEST(Markdown, stays_below_its_limit_and_says_what_it_left_out) {
  const std::vector<RunResult> runs = only(with_failures(1000));
  for (const std::size_t most : {1000U, 5000U, 65536U}) {
    const std::string page = to_markdown(runs, {}, most);
    EXPECT_LE(page.size(), most);
    EXPECT_THAT(page, HasSubstr("FAIL: 1000 of 1000 scenarios failed"));
    EXPECT_THAT(page, HasSubstr("**Cut:** "));
    EXPECT_THAT(page, HasSubstr("tunecheck report terminal"));
  }
  EXPECT_THAT(to_markdown(runs, {}, 1048576), Not(HasSubstr("**Cut:**")));
  EXPECT_LE(to_markdown(only(hostile_result()), {}).size(), longest_comment);
}

TEST(Markdown, of_a_session_with_many_benchmarks_keeps_the_worst) {
  gate::GateResult session = mixed_gate();
  const gate::BenchmarkResult regression = session.benchmarks[0], passed = session.benchmarks[2];
  session.benchmarks.assign(500, passed);
  session.benchmarks.insert(session.benchmarks.end(), 300, regression);
  const std::vector<GateSource> gates = {{"gate.json", session}};
  for (const std::size_t most : {1000U, 3000U, 65536U}) {
    const std::string page = to_markdown({}, {}, most, gates);
    EXPECT_LE(page.size(), most);
    EXPECT_THAT(page, HasSubstr("REGRESSION: 800 benchmarks"));
    EXPECT_THAT(page, HasSubstr("smoke/cpu/winner_time</code> | +9.8 %")) << "the worst";
  }
  EXPECT_THAT(to_markdown({}, {}, 65536, gates), HasSubstr("\nand 251 more\n"));
  EXPECT_THAT(to_markdown({}, {}, 3000, gates), HasSubstr("**Cut:** "));
}

TEST(GateFindings, say_where_an_interval_lies) {
  gate::BenchmarkResult benchmark = mixed_gate().benchmarks[0];
  const auto place = [&](double at_least, double at_most) {
    benchmark.finding.at_least = at_least;
    benchmark.finding.at_most = at_most;
    return place_of_interval(benchmark, {});
  };
  EXPECT_EQ(place(0.021, 0.09), "above delta");
  EXPECT_EQ(place(0.02, 0.09), "beyond the tolerance");
  EXPECT_EQ(place(-0.01, 0.049), "within the tolerance");
  EXPECT_EQ(place(-0.09, -0.019), "within the tolerance") << "1 / 1.02 is 2 % faster";
  EXPECT_EQ(place(-0.09, -0.02), "below delta");
  benchmark.is_settled = false;
  EXPECT_EQ(place(0.021, 0.09), "");
}

TEST(Junit, of_an_inconclusive_session_fails_only_where_that_was_asked) {
  gate::GateResult session = mixed_gate();
  EXPECT_THAT(to_junit({}, std::vector<GateSource>{{"", session}}),
              HasSubstr("<skipped message=\"inconclusive: too much scatter to tell\"/>"));
  session.fails_on_inconclusive = true;
  EXPECT_THAT(to_junit({}, std::vector<GateSource>{{"", session}}),
              HasSubstr("<failure message=\"too much scatter to tell\" type=\"inconclusive\">"));
}

TEST(Junit, of_a_session_of_nothing_is_no_pass) {
  gate::GateResult session;
  session.is_complete = true;
  EXPECT_THAT(to_junit({}, std::vector<GateSource>{{"", session}}),
              HasSubstr("<error message=\"nothing was measured\""));
}

TEST(Markdown, unfolds_what_fails_now_and_folds_what_failed_before) {
  const std::vector<RunResult> runs = only(mixed_result());
  EXPECT_THAT(to_markdown(runs, {}), HasSubstr("<details open><summary>fail"));
  const std::string compared = to_markdown(runs, runs);
  EXPECT_THAT(compared, Not(HasSubstr("<details open>")));
  EXPECT_THAT(compared, HasSubstr("No verdict changed."));
}

TEST(Annotations, are_a_line_each_whatever_a_tuner_writes) {
  const std::string text = to_annotations(only(hostile_result()), "/");
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_THAT(line, StartsWith("::error "));
  EXPECT_EQ(count, 3) << "the run, and two scenarios";
}

TEST(Annotations, escape_what_has_a_meaning_for_github) {
  RunResult result = mixed_result();
  result.scenarios[2].file = "/root/a,b:c%d.info";
  result.scenarios[2].checks[1].observed = "50 %\nlost";
  const std::string text = to_annotations(only(result), "/root");
  EXPECT_THAT(text, HasSubstr("file=a%2Cb%3Ac%25d.info,line=9,title=restore.axpy fails "
                              "inputs.pristine::"));
  EXPECT_THAT(text, HasSubstr("observed 50 %25 lost"));
}

TEST(Annotations, leave_a_file_elsewhere_as_it_is) {
  EXPECT_EQ(below_root("/a/b/c", "/a"), "b/c");
  EXPECT_EQ(below_root("/elsewhere/c", "/a"), "/elsewhere/c");
  EXPECT_EQ(below_root("b/c", "/a"), "b/c");
}

std::vector<json> results_of(const RunResult& run) {
  return json::parse(to_sarif(only(run), "/"))["runs"][0]["results"].get<std::vector<json>>();
}

TEST(Sarif, keeps_to_the_standard_whatever_a_tuner_writes) {
  EXPECT_THAT(violations(json::parse(to_sarif(only(hostile_result()), "/")),
                         "../../tests/golden/sarif.schema.json"),
              IsEmpty());
}

TEST(Sarif, has_a_rule_for_each_result) {
  const json run = json::parse(to_sarif(only(mixed_result()), "/"))["runs"][0];
  for (const json& result : run["results"])
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"],
              result["ruleId"]);
  EXPECT_EQ(run["results"].size(), 2U);
}

TEST(Sarif, has_fingerprints_that_depend_on_what_failed_where_alone) {
  RunResult later = mixed_result();
  later.started = "2030-01-01T00:00:00Z";
  later.scenarios[2].checks[1].observed = "something else";
  later.scenarios[2].line = later.scenarios[2].checks[1].line = 77;
  std::set<std::string> fingerprints;
  for (const RunResult& run : {mixed_result(), later})
    for (const json& result : results_of(run))
      fingerprints.insert(result["partialFingerprints"].dump());
  EXPECT_EQ(fingerprints.size(), 2U);
  later.adapter = "another";
  for (const json& result : results_of(later))
    fingerprints.insert(result["partialFingerprints"].dump());
  EXPECT_EQ(fingerprints.size(), 4U);
}

TEST(Sarif, suppresses_what_is_known) {
  const std::vector<json> results = results_of(result_with_marks());
  ASSERT_EQ(results.size(), 2U);
  EXPECT_FALSE(results[0].contains("suppressions")) << "the mark does not hold any more";
  EXPECT_EQ(results[1]["suppressions"][0]["justification"],
            "nothing is put back yet https://example.org/issues/1");
}

}  // namespace
}  // namespace tunecheck::test
