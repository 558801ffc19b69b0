// What annotations, Markdown and SARIF promise beyond their approved pages.
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "hand_made_results.hpp"
#include "json_schema.hpp"
#include "reports/annotations.hpp"
#include "reports/markdown.hpp"
#include "reports/markdown_text.hpp"
#include "reports/sarif.hpp"

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
