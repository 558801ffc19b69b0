// What annotations, Markdown and SARIF promise beyond their approved pages.
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "hand_made_gate.hpp"
#include "hand_made_results.hpp"
#include "hand_made_watch.hpp"
#include "json_schema.hpp"
#include "reports/ci/annotations.hpp"
#include "reports/ci/junit.hpp"
#include "reports/ci/place.hpp"
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

ReportSources of_runs(std::vector<RunResult> runs) {
  ReportSources sources;
  sources.runs = std::move(runs);
  return sources;
}

ReportSources of_gates(std::vector<GateSource> gates) {
  ReportSources sources;
  sources.gates = std::move(gates);
  return sources;
}

MarkdownOptions at_most(std::size_t bytes) {
  MarkdownOptions options;
  options.most_bytes = bytes;
  return options;
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
  const std::string page = to_markdown(of_runs(only(hostile_result())), {});
  EXPECT_THAT(page, Not(HasSubstr("<x y=")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
}

TEST(Markdown, of_hostile_text_refers_to_no_issue_and_draws_nothing) {
  EXPECT_EQ(markdown_text("GH-5"), "GH-\u200b5");
  EXPECT_EQ(markdown_text("https://github.com/o/r/issues/5"),
            "https://github.com/o/r/issues/\u200b5");
  EXPECT_EQ(markdown_text("o/r/pull/71"), "o/r/pull/\u200b71");
  EXPECT_EQ(markdown_text(":tada:"), ":\u200btada:");
  for (const char* const as_it_is : {"key: n-5", "a::b", "12:30:05x", "issues/new", "GHz-5", "::"})
    EXPECT_EQ(markdown_text(as_it_is), as_it_is);
}

TEST(Markdown, of_two_tuners_is_two_comments_and_of_two_versions_one) {
  const auto mark_of = [](const RunResult& run) {
    const std::string page = to_markdown(of_runs({run}), {});
    return page.substr(0, page.find('\n'));
  };
  RunResult run = mixed_result();
  const std::string mark = mark_of(run);
  EXPECT_EQ(mark, "<!-- tunecheck report: reference on cpu -->");
  run.tuner = "reference 9.0";
  run.scenarios.clear();
  EXPECT_EQ(mark_of(run), mark);
  run.adapter = "other--><b>\"$(x)\\";
  EXPECT_EQ(mark_of(run), "<!-- tunecheck report: other_b_x_ on cpu -->");
}

TEST(Markdown, of_many_runs_says_most_before_the_first_fold_too) {
  std::vector<RunResult> runs(41, run_with_thirty_failures());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].adapter = "tuner" + std::to_string(i);
    if (i == 40) continue;
    runs[i].scenarios.resize(1);
    runs[i].scenarios[0].verdict = Verdict::pass;
  }
  const std::string page = to_markdown(of_runs(runs), {});
  const std::string open = page.substr(0, page.find("<details"));
  EXPECT_LT(std::count(open.begin(), open.end(), '\n'), 60);
  EXPECT_THAT(open, HasSubstr("and 35 more"));
  EXPECT_THAT(open, HasSubstr("tuner40"));
  EXPECT_THAT(page, HasSubstr("<summary>41 documents in all</summary>"));
  EXPECT_THAT(page, HasSubstr("<summary>What each of 41 documents found</summary>"));
}

TEST(Markdown, of_a_session_with_many_regressions_folds_those_that_do_not_fit_above) {
  gate::GateResult session = mixed_gate();
  gate::BenchmarkResult worse = session.benchmarks[0];
  for (const gate::BenchmarkResult& each : session.benchmarks)
    if (each.finding.answer == gate::Answer::regression) worse = each;
  session.benchmarks.assign(60, worse);
  for (std::size_t i = 0; i < session.benchmarks.size(); ++i)
    session.benchmarks[i].subject.name = "worse_" + std::to_string(i);
  const std::string page = to_markdown(of_gates({{"gate.json", session}}), {});
  EXPECT_THAT(page.substr(0, page.find("<details")), Not(HasSubstr("worse_59")));
  EXPECT_THAT(page, HasSubstr("worse_59"));
}

TEST(Junit, test_cases_of_two_documents_about_the_same_have_names_of_their_own) {
  const std::string xml =
      to_junit({}, std::vector<GateSource>{{"a.json", mixed_gate()}, {"b.json", mixed_gate()}});
  EXPECT_THAT(xml, HasSubstr(".gate\""));
  EXPECT_THAT(xml, HasSubstr(".gate.2\""));
}

TEST(Junit, of_a_watch_that_was_cut_short_is_an_error_beside_what_was_found) {
  WatchResult watch = mixed_watch();
  watch.is_interrupted = true;
  const std::string xml = to_junit({}, {}, std::vector<WatchSource>{{"watch.json", watch}});
  EXPECT_THAT(xml, HasSubstr("<error message=\"the watch was ended before its runs were\""));
  EXPECT_THAT(xml, HasSubstr("type=\"WRONG\""));
  EXPECT_THAT(xml, HasSubstr("classname=\"tunecheck.watch.python3_train_py\""));
}

TEST(Sarif, tells_the_findings_of_two_programs_apart) {
  WatchResult other = mixed_watch();
  other.command.emplace_back("--epochs");
  const auto prints_of = [](const WatchResult& watch) {
    const auto log = json::parse(to_sarif({}, std::vector<WatchSource>{{"watch.json", watch}}, {}));
    return log["runs"][0]["automationDetails"].dump() +
           log["runs"][0]["results"][0]["partialFingerprints"].dump();
  };
  EXPECT_NE(prints_of(mixed_watch()), prints_of(other));
  other.command = {"/usr/bin/python3", "/home/somebody/train.py"};
  EXPECT_EQ(prints_of(mixed_watch()), prints_of(other));
}

TEST(Markdown, counts_what_a_run_did_not_come_to_apart_from_what_was_left_out) {
  RunResult run = mixed_result();
  run.pending = {"restore.later", "restore.last"};
  run.left_out = {{"gpu.first", "it needs a GPU"}, {"gpu.second", "it needs a GPU"}};
  const std::string page = to_markdown(of_runs(only(run)), {});
  EXPECT_THAT(page, HasSubstr("the run was ended, 2 of 6 scenarios were not run"));
  EXPECT_THAT(page, HasSubstr("<summary>2 scenarios not run, because the run was ended before"));
  EXPECT_THAT(page, HasSubstr("<code>restore.later</code>, <code>restore.last</code>"));
  EXPECT_THAT(page, HasSubstr("<summary>3 scenarios left out</summary>"));
}

TEST(Markdown, against_a_base_lists_apart_what_it_was_not_asked) {
  const RunResult run = run_with_thirty_failures();
  RunResult base = run;
  base.scenarios.erase(base.scenarios.begin());
  base.scenarios[0].verdict = Verdict::pass;
  MarkdownOptions options;
  options.base = {&base, 1};
  const std::string page = to_markdown(of_runs(only(run)), options);
  EXPECT_THAT(page, HasSubstr("**New** (1): <code>concurrency.scenario_11</code>"));
  EXPECT_THAT(page, HasSubstr("**Fails, and not asked in the base** (1): "
                              "<code>concurrency.scenario_10</code>"));
}

TEST(Markdown, stays_below_its_limit_and_says_what_it_left_out) {
  const ReportSources runs = of_runs(only(with_failures(1000)));
  for (const std::size_t most : {1000U, 5000U, 65536U}) {
    const std::string page = to_markdown(runs, at_most(most));
    EXPECT_LE(page.size(), most);
    EXPECT_THAT(page, HasSubstr("FAIL: 1000 of 1000 scenarios failed"));
    EXPECT_THAT(page, HasSubstr("**Cut:** "));
    EXPECT_THAT(page, HasSubstr("tunecheck report terminal"));
  }
  EXPECT_THAT(to_markdown(runs, at_most(1048576)), Not(HasSubstr("**Cut:**")));
  EXPECT_LE(to_markdown(of_runs(only(hostile_result())), {}).size(), longest_comment);
}

TEST(Markdown, of_a_session_with_many_benchmarks_keeps_the_worst) {
  gate::GateResult session = mixed_gate();
  const gate::BenchmarkResult regression = session.benchmarks[0], passed = session.benchmarks[2];
  session.benchmarks.assign(500, passed);
  session.benchmarks.insert(session.benchmarks.end(), 300, regression);
  const ReportSources gates = of_gates({{"gate.json", session}});
  for (const std::size_t most : {1000U, 3000U, 65536U}) {
    const std::string page = to_markdown(gates, at_most(most));
    EXPECT_LE(page.size(), most);
    EXPECT_THAT(page, HasSubstr("REGRESSION: 301 worse of 800 benchmarks"));
    EXPECT_THAT(page, HasSubstr("winner_time</code> | 101.5 ns | 111 ns | +9.8 %")) << "worst";
  }
  EXPECT_THAT(to_markdown(gates, {}), HasSubstr("\nand 277 more\n"));
  EXPECT_THAT(to_markdown(gates, at_most(3000)), HasSubstr("**Cut:** "));
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

TEST(Markdown, says_most_before_the_first_fold_in_less_than_60_lines) {
  ReportSources sources = of_runs({run_with_thirty_failures(), result_with_marks()});
  gate::GateResult session = mixed_gate();
  session.benchmarks.insert(session.benchmarks.end(), 100, session.benchmarks[0]);
  std::swap(session.benchmarks[0], session.benchmarks[3]);
  sources.gates = {{"gate.json", session}};
  const std::string page = to_markdown(sources, {});
  const std::string open = page.substr(0, page.find("<details"));
  EXPECT_LT(std::count(open.begin(), open.end(), '\n'), 60);
  for (const char* const expected : {"What broke", "Why", "Since when", "Whose", "What to do",
                                     "| <code>inputs.pristine</code> | 28 |", "FAIL: "})
    EXPECT_THAT(open, HasSubstr(expected));
  EXPECT_THAT(page, StartsWith(std::string(markdown_marker)));
}

TEST(Markdown, of_counts_says_from_what_to_what) {
  EXPECT_THAT(to_markdown(of_gates({{"gate.json", mixed_gate()}}), {}),
              HasSubstr("warm_compiles</code> | 0 | 1 | 0 -> 1 compiles |"));
}

TEST(Markdown, folds_failures_under_their_tuner) {
  RunResult other = result_with_marks();
  other.adapter = "other";
  other.tuner = "Other Tuner 2.0";
  const std::string page = to_markdown(of_runs({run_with_thirty_failures(), other}), {});
  const std::size_t first =
      page.find("<details><summary>30 failures of reference on cpu</summary>");
  const std::size_t second = page.find("<details><summary>1 failure of other on cpu</summary>");
  ASSERT_NE(first, page.npos) << page;
  ASSERT_NE(second, page.npos) << page;
  const std::size_t scenario = page.find("<summary>fail <code>restore.scenario_10</code>");
  EXPECT_LT(first, scenario);
  EXPECT_LT(scenario, second);
}

TEST(Markdown, of_a_base_tells_new_failures_from_old_ones) {
  const std::vector<RunResult> runs = only(mixed_result());
  std::vector<RunResult> base = runs;
  MarkdownOptions options;
  options.base = base;
  EXPECT_THAT(to_markdown(of_runs(runs), options), HasSubstr("No verdict changed since the base."));
  base[0].scenarios[2].verdict = Verdict::pass;
  const std::string page = to_markdown(of_runs(runs), options);
  EXPECT_THAT(page, HasSubstr("**New** (1): <code>restore.axpy</code>"));
  EXPECT_THAT(page, HasSubstr("<summary>new fail <code>restore.axpy</code>"));
  EXPECT_THAT(page, HasSubstr("<summary>error <code>reload.dead</code>"));
}

TEST(Markdown, links_the_whole_report_and_the_commits) {
  std::vector<RunResult> runs = only(mixed_result()), base = runs;
  base[0].environment["commit"] = "aaaa";
  runs[0].environment["commit"] = "bbbb";
  MarkdownOptions options;
  options.base = base;
  options.repository = "https://example.org/tuner";
  options.artifact = "https://example.org/artifact";
  const std::string page = to_markdown(of_runs(runs), options);
  EXPECT_THAT(page, HasSubstr("[the commits](https://example.org/tuner/compare/aaaa...bbbb)"));
  EXPECT_THAT(page, HasSubstr("[the whole report](https://example.org/artifact)"));
}

TEST(Markdown, of_an_interval_that_is_open_has_an_arrow) {
  gate::GateResult session = mixed_gate();
  session.benchmarks[0].finding.at_most = std::numeric_limits<double>::infinity();
  session.benchmarks[0].finding.change = 58.58;
  EXPECT_THAT(to_markdown(of_gates({{"gate.json", session}}), {}),
              HasSubstr("| x 59.6 &#91;+8.8 %, →&#93;, above delta |"));
}

TEST(Annotations, are_a_line_each_whatever_a_tuner_writes) {
  const std::string text = to_annotations(of_runs(only(hostile_result())), "/");
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
  const std::string text = to_annotations(of_runs(only(result)), "/root");
  EXPECT_THAT(text, HasSubstr("file=a%2Cb%3Ac%25d.info,line=9,title=inputs.pristine%3A 1 "
                              "failure::"));
  EXPECT_THAT(text, HasSubstr("observed: 50 %25 lost"));
}

TEST(Annotations, leave_a_file_elsewhere_as_it_is) {
  EXPECT_EQ(below_root("/a/b/c", "/a"), "b/c");
  EXPECT_EQ(below_root("/elsewhere/c", "/a"), "/elsewhere/c");
  EXPECT_EQ(below_root("b/c", "/a"), "b/c");
}

TEST(Annotations, are_one_for_each_cause_and_no_more_than_ten) {
  const std::string text = to_annotations(of_runs(only(run_with_thirty_failures())), "/");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_THAT(text, HasSubstr("title=inputs.pristine%3A 28 failures::every launch sees"));
  RunResult many = with_failures(30);
  for (std::size_t i = 0; i < many.scenarios.size(); ++i)
    many.scenarios[i].checks[1].check = fmt::format("check.number_{}", i);
  for (ScenarioResult& scenario : many.scenarios)
    scenario.checks.pop_back();
  const std::string cut = to_annotations(of_runs(only(many)), "/");
  EXPECT_EQ(std::count(cut.begin(), cut.end(), '\n'), 10);
  EXPECT_THAT(cut, HasSubstr("::warning title=tunecheck::21 more are in the summary"));
}

TEST(Places, are_the_users_own_scenario_or_the_adapters_file) {
  RunResult run = mixed_result();
  run.adapter_file = "/checkout/tuner/adapter.info";
  ScenarioResult& scenario = run.scenarios[2];
  const CheckResult* const check = &scenario.checks[1];
  scenario.file = "/opt/tunecheck/scenarios/restore.info";
  EXPECT_EQ(place_of(run, scenario, check, "/checkout").file, "tuner/adapter.info");
  EXPECT_EQ(place_of(run, scenario, check, "/checkout").line, 1);
  scenario.file = "/checkout/mine.info";
  EXPECT_EQ(place_of(run, scenario, check, "/checkout").file, "mine.info");
  EXPECT_EQ(place_of(run, scenario, check, "/checkout").line, 9);
  EXPECT_EQ(place_of(run, scenario, nullptr, "/checkout").line, 3);
  scenario.file = "/opt/tunecheck/scenarios/restore.info";
  run.adapter_file = "/opt/tunecheck/adapter.info";
  EXPECT_EQ(place_of(run, scenario, check, "/checkout").file, scenario.file);
}

SarifOptions with_known() {
  SarifOptions options;
  options.root = "/";
  options.with_known = true;
  return options;
}

std::vector<json> results_of(const RunResult& run) {
  return json::parse(to_sarif(only(run), {}, with_known()))["runs"][0]["results"]
      .get<std::vector<json>>();
}

TEST(Sarif, keeps_to_the_standard_whatever_a_tuner_writes) {
  EXPECT_THAT(violations(json::parse(to_sarif(only(hostile_result()), {}, with_known())),
                         "../../tests/golden/sarif.schema.json"),
              IsEmpty());
}

TEST(Sarif, has_a_rule_for_each_result) {
  const json run = json::parse(to_sarif(only(mixed_result()), {}, with_known()))["runs"][0];
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

TEST(Sarif, leaves_out_what_is_known_unless_it_is_asked_for) {
  const json run =
      json::parse(to_sarif(only(result_with_marks()), {}, {"/", "", false}))["runs"][0];
  ASSERT_EQ(run["results"].size(), 1U);
  EXPECT_FALSE(run["results"][0].contains("suppressions"));
}

TEST(Sarif, has_help_for_each_rule_where_the_documentation_is_known) {
  const SarifOptions options = {"/", "https://example.org/docs", false};
  const json document = json::parse(to_sarif(only(mixed_result()), {}, options));
  for (const json& rule : document["runs"][0]["tool"]["driver"]["rules"])
    EXPECT_EQ(rule["helpUri"], "https://example.org/docs/checks.md");
  EXPECT_THAT(violations(document, "../../tests/golden/sarif.schema.json"), IsEmpty());
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
