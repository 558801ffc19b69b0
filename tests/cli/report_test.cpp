// `tunecheck report`: results in every format.
#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string reported_json(double time_ns) {
  return json{{"benchmarks", {{{"name", "sort"}, {"real_time", time_ns}, {"time_unit", "ns"}}}}}
      .dump();
}

class Report : public testing::Test {
 protected:
  void SetUp() override {
    place.write("mine.info", axpy_scenario("cli.mine"));
    ASSERT_EQ(place
                  .run({"run", "--scenarios", "mine.info", "--adapter", "mutant:no_restore",
                        "--out", "bad"})
                  .status,
              1);
  }

  Ran report(const std::vector<std::string>& arguments, const Environment& further = {}) const {
    std::vector<std::string> all = {"report"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return place.run(all, further);
  }

  Place place;
};

TEST_F(Report, is_made_again_as_the_run_made_it) {
  const Ran junit = report({"junit", "bad/result.json"});
  EXPECT_EQ(junit.status, 0) << junit.err;
  const Ran terminal = report({"terminal", "bad/result.json"});
  EXPECT_THAT(terminal.out, HasSubstr("FAIL   cli.mine"));
  EXPECT_THAT(terminal.out, HasSubstr("bad/work/cli.mine/cold/evidence.jsonl"));
  EXPECT_TRUE(place.has("bad/work/cli.mine/cold/evidence.jsonl"));
  EXPECT_THAT(terminal.out,
              ContainsRegex("FAIL: 1 of 1 scenario failed; [^\n]*bad/result.json\n$"));
  EXPECT_THAT(junit.out, HasSubstr("evidence: bad/work/cli.mine/cold/evidence.jsonl"));
  EXPECT_THAT(place.read("bad/junit.xml"), HasSubstr("evidence: work/cli.mine/cold"));
}

TEST_F(Report, goes_into_a_file_where_one_is_named) {
  const Ran ran = report({"sarif", "bad/result.json", "--out", "report.sarif"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  const json result = json::parse(place.read("report.sarif"))["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "mine.info");
}

TEST_F(Report, names_the_line_of_the_scenario_for_annotations) {
  const Ran ran = report({"annotations", "bad/result.json"});
  EXPECT_THAT(ran.out,
              StartsWith("::error file=mine.info,line=6,title=inputs.pristine%3A 1 failure::"));
}

TEST_F(Report, on_a_terminal_answers_what_is_wrong_before_the_verdict) {
  const Ran ran = report({"terminal", "bad/result.json"});
  EXPECT_THAT(ran.out, ContainsRegex("\nwhat broke  inputs.pristine in 1 of 1 failure; [^\n]+\n"));
  EXPECT_THAT(ran.out, ContainsRegex("\nsince when  not known[^\n]+\n"));
  EXPECT_THAT(ran.out, ContainsRegex("\nwhat to do  repeat cli.mine, [^\n]+\n +tunecheck run "
                                     "cli.mine [^\n]+\n\nFAIL: [^\n]+\n$"));
  const auto answers = ran.out.substr(ran.out.find("\nwhat broke"));
  EXPECT_LE(std::count(answers.begin(), answers.end(), '\n'), 14) << answers;
  EXPECT_THAT(report({"terminal", "bad/result.json", "--quiet"}).out, Not(HasSubstr("what broke")));
  const Ran run = place.run(
      {"run", "--scenarios", "mine.info", "--adapter", "mutant:no_restore", "--out", "again"});
  EXPECT_THAT(run.out, Not(HasSubstr("what broke"))) << "it is a screen long without that";
}

TEST_F(Report, of_several_documents_ends_with_the_verdict_about_all) {
  ASSERT_EQ(place.run({"run", "--scenarios", "mine.info", "--out", "good"}).status, 0);
  const Ran ran = report({"terminal", "bad/result.json", "good/result.json"});
  EXPECT_THAT(ran.out, HasSubstr("\nIn this report:\n  FAIL"));
  EXPECT_THAT(ran.out, ContainsRegex("\n  PASS +run reference [^\n]+ on cpu\n"));
  EXPECT_THAT(ran.out, ContainsRegex("\nwhat broke  inputs.pristine in 1 of 1 failure"));
  EXPECT_THAT(
      ran.out,
      ContainsRegex("\nFAIL: run mutant:no_restore[^\n]* on cpu: 1 of 1 scenario failed\n$"));
  const Ran quiet = report({"terminal", "bad/result.json", "good/result.json", "--quiet"});
  EXPECT_THAT(quiet.out, ContainsRegex("^FAIL: run mutant:no_restore[^\n]*\n$"));
}

TEST_F(Report, refuses_a_base_that_nothing_of_the_report_can_be_compared_with) {
  const auto expect_refused = [](const Ran& ran, const std::string& file,
                                 const std::string& command) {
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, file +
                           ": --base: expected a base of the same kind as the report: "
                           "`tunecheck " +
                           command + "` wrote this file, and no result of the report\n");
  };
  place.write("old.json", reported_json(100));
  place.write("new.json", reported_json(120));
  ASSERT_EQ(place.run({"gate", "--base", "old.json", "--head", "new.json"}).status, 0);
  for (const std::string format : {"terminal", "markdown", "html"})
    expect_refused(report({format, "out/gate.json", "--base", "bad/result.json"}),
                   "bad/result.json", "run");
  static_cast<void>(place.run({"audit", "--quick", "--mutant", "no_restore", "--out", "audited"}));
  ASSERT_TRUE(place.has("audited/audit.json"));
  expect_refused(report({"html", "bad/result.json", "--base", "audited/audit.json"}),
                 "audited/audit.json", "audit");
  expect_refused(report({"html", "audited/audit.json", "--base", "bad/result.json"}),
                 "bad/result.json", "run");
}

TEST_F(Report, goes_to_no_pipe_that_nobody_reads_and_to_no_file_without_a_name) {
  const Ran unread = place.shell("mkfifo pipe && timeout 20 " + tunecheck_program() +
                                 " report markdown bad/result.json --out pipe");
  EXPECT_EQ(unread.status, 3);
  EXPECT_EQ(std::count(unread.err.begin(), unread.err.end(), '\n'), 1);
  EXPECT_THAT(unread.err, HasSubstr("pipe: --out: expected a file, or a pipe that another program "
                                    "reads"));
  const Ran read =
      place.shell("(sleep 0.2; true) | (cat pipe & sleep 1; timeout 20 " + tunecheck_program() +
                  " report markdown bad/result.json --out pipe; wait)");
  EXPECT_THAT(read.out, HasSubstr("FAIL: 1 of 1 scenario failed"));
  const Ran nameless = report({"markdown", "bad/result.json", "--out", ""});
  EXPECT_EQ(nameless.status, 3);
  EXPECT_EQ(nameless.out, "");
  EXPECT_EQ(std::count(nameless.err.begin(), nameless.err.end(), '\n'), 1) << nameless.err;
}

TEST_F(Report, compares_with_a_base) {
  place.write("mine.info", axpy_scenario("cli.mine") + axpy_scenario("cli.new"));
  ASSERT_EQ(place.run({"run", "--scenarios", "mine.info", "--out", "good"}).status, 0);
  json good = json::parse(place.read("good/result.json"));
  good["adapter"] = "mutant:no_restore";
  place.write("good/result.json", good.dump());
  const Ran ran = report({"markdown", "bad/result.json", "--base", "good/result.json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("**New** (1): <code>cli.mine</code>\n"));
  EXPECT_THAT(ran.out, HasSubstr("**Only in the base** (1): <code>cli.new</code>\n"));
  const Ran shut = report({"markdown", "bad/result.json", "--base", "bad/result.json"});
  EXPECT_THAT(shut.out, HasSubstr("No verdict changed since the base."));
  EXPECT_THAT(shut.out, HasSubstr("<details><summary>fail <code>cli.mine</code>"));
}

TEST_F(Report, of_parts_of_one_run_is_one) {
  json part = json::parse(place.read("bad/result.json"));
  part["scenarios"][0]["name"] = "cli.other";
  place.write("part.json", part.dump());
  const Ran ran = report({"terminal", "bad/result.json", "part.json", "--quiet"});
  EXPECT_THAT(ran.out, StartsWith("FAIL: 2 of 2 scenarios failed;"));
  part["adapter"] = "another";
  place.write("part.json", part.dump());
  EXPECT_THAT(report({"terminal", "bad/result.json", "part.json", "--quiet"}).out,
              ContainsRegex("^FAIL: run [^\n]* 1 of 1 scenario failed\n$"));
}

TEST_F(Report, of_a_bad_file_is_one_line_and_leaves_no_report) {
  json result = json::parse(place.read("bad/result.json"));
  const std::string text = result.dump();
  result["schema"] = "2.0.0";
  const std::vector<std::pair<std::string, std::string>> files = {
      {text.substr(0, text.size() / 2), "bad.json:1: expected JSON, but it ends here\n"},
      {"not json", "bad.json:1: expected JSON\n"},
      {"[1]", "bad.json: expected an object, found array\n"},
      {result.dump(), "bad.json: /schema: expected version 1.x, found \"2.0.0\"\n"}};
  for (const std::string format : {"terminal", "junit", "markdown", "annotations", "sarif", "html"})
    for (const auto& [content, message] : files) {
      place.write("bad.json", content);
      const Ran ran = report({format, "bad/result.json", "bad.json", "--out", "report"});
      EXPECT_EQ(ran.status, 3);
      EXPECT_EQ(ran.out, "");
      EXPECT_EQ(ran.err, message);
      EXPECT_FALSE(place.has("report"));
    }
  const Ran missing = report({"junit", "nowhere.json"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_EQ(missing.err, "nowhere.json: cannot read: No such file or directory\n");
}

TEST_F(Report, of_a_session_of_the_gate_stands_beside_runs) {
  place.write("old.json", reported_json(100));
  place.write("new.json", reported_json(120));
  ASSERT_EQ(place.run({"gate", "--base", "old.json", "--head", "new.json"}).status, 0);
  const Ran alone = report({"terminal", "out/gate.json"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_THAT(alone.out, HasSubstr("inconclusive  sort: "));
  EXPECT_THAT(report({"terminal", "out/gate.json", "--quiet"}).out, StartsWith("INCONCLUSIVE: "));
  for (const std::string format : {"terminal", "junit", "markdown", "annotations"}) {
    const Ran both = report({format, "out/gate.json", "bad/result.json"});
    EXPECT_EQ(both.status, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("cli.mine")) << format;
    EXPECT_THAT(both.out, HasSubstr("one pair of +20.0 %")) << format;
  }
  const Ran sarif = report({"sarif", "out/gate.json"});
  EXPECT_EQ(sarif.status, 3);
  EXPECT_THAT(sarif.err, StartsWith("out/gate.json: expected a file that `tunecheck run` wrote: "));
  const Ran base = report({"markdown", "bad/result.json", "--base", "out/gate.json"});
  EXPECT_EQ(base.status, 3);
  EXPECT_THAT(base.err, StartsWith("out/gate.json: --base: expected a file that `tunecheck run` or "
                                   "`tunecheck audit` wrote"));
}

TEST_F(Report, shows_a_history_as_html_alone) {
  place.write("old.json", R"({"context": {"date": "2024-05-06T12:00:00+00:00", "executable": "b"},
    "benchmarks": [{"name": "sort", "real_time": 1, "time_unit": "ns"}]})");
  ASSERT_EQ(place.run({"history", "add", "old.json", "--db", "h.sqlite"}).status, 0);
  const Ran changes = place.run({"history", "changes", "--format", "json", "--db", "h.sqlite"});
  ASSERT_EQ(changes.status, 0) << changes.err;
  place.write("history.json", changes.out);
  for (const std::string format : {"terminal", "junit", "markdown", "annotations", "sarif"}) {
    const Ran ran = report({format, "history.json", "--out", "report"});
    EXPECT_EQ(ran.status, 3);
    EXPECT_THAT(
        ran.err,
        StartsWith("history.json: expected a file that `tunecheck run`, `gate` or `watch` wrote"));
    EXPECT_FALSE(place.has("report"));
  }
}

TEST_F(Report, in_a_format_that_is_none_names_those_that_are) {
  const Ran ran = report({"pdf", "bad/result.json"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("unknown format \"pdf\""));
  EXPECT_THAT(ran.err,
              HasSubstr("Expected one of: terminal, junit, markdown, annotations, sarif, html"));
}

TEST_F(Report, has_colour_on_a_terminal_unless_no_color_is_set) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const std::vector<std::string> line = {"report", "terminal", "bad/result.json"};
  EXPECT_THAT(place.run_on_terminal(line).out, HasSubstr("\x1b[1;31mFAIL"));
  EXPECT_THAT(place.run_on_terminal(line, {{"NO_COLOR", "1"}}).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(place.run(line).out, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace tunecheck::test
