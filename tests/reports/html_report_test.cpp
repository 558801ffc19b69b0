// The data of an HTML report; tests/html opens whole ones in a browser.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.hpp"
#include "hand_made_results.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/html/html_template.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

ReportSources only_source(RunResult run) {
  ReportSources sources;
  sources.runs.push_back(std::move(run));
  return sources;
}

TEST(HtmlReport, cuts_a_text_only_where_that_saves_something) {
  EXPECT_EQ(html_text(std::string(205, 'a'), 200), std::string(205, 'a'));
  EXPECT_EQ(html_text(std::string(300, 'a'), 200),
            std::string(200, 'a') + " ... and 100 bytes more");
}

TEST(HtmlReport, nothing_in_a_text_can_end_its_block) {
  HtmlBlocks blocks;
  (void)add_scenarios(only_source(hostile_result()), {}, blocks);
  std::string text = blocks.text();
  ASSERT_TRUE(text.starts_with("<script type=\"application/json\" id=\"scenarios-0\">"));
  ASSERT_TRUE(text.ends_with("</script>\n"));
  text = text.substr(text.find('>') + 1);
  text.resize(text.size() - std::string("</script>\n").size());
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_TRUE(HtmlJson::accept(text));
  EXPECT_LT(text.size(), 60'000U) << "64 KiB messages are cut";
}

TEST(HtmlReport, a_scenario_that_did_not_pass_says_why_in_its_row) {
  HtmlBlocks blocks;
  const HtmlScenarios scenarios = add_scenarios(only_source(mixed_result()), {}, blocks);
  for (const HtmlJson& row : scenarios.rows)
    EXPECT_EQ(row[3] == 0, row[6] == "") << row;
  EXPECT_THAT(scenarios.families.names(), testing::ElementsAre("reload", "restore"));
}

TEST(HtmlReport, dots_are_quantiles_with_both_ends) {
  std::vector<std::int64_t> samples_ns;
  for (std::int64_t us = 1; us <= 101; ++us)
    samples_ns.push_back(us * 1000);
  EXPECT_EQ(html_dots(samples_ns, 5), HtmlJson({1, 26, 51, 76, 101}));
  EXPECT_EQ(html_dots(std::vector<double>{1234.56}, 5), HtmlJson({1.235}));
  EXPECT_EQ(html_dots(std::vector<double>{}, 5), HtmlJson::array());
}

TEST(HtmlReport, configs_are_gathered_over_all_tunings_of_the_same_problem) {
  const auto scenario = [](const std::string& winner, std::int64_t rows) {
    CallSummary call;
    call.sizes = {{"rows", rows}};
    for (const char* const name : {"a", "b"}) {
      ConfigSummary& config = call.configs.emplace_back();
      config.config = name;
      config.is_winner = winner == name;
      config.median_ns = 5000;
    }
    ScenarioResult result;
    result.kernel = "axpy";
    result.processes.emplace_back().calls.push_back(call);
    return result;
  };
  RunResult run;
  run.scenarios = {scenario("a", 1), scenario("b", 1), scenario("a", 2)};
  HtmlBlocks blocks;
  EXPECT_THAT(add_kernels(only_source(run), {"axpy", "other"}, blocks),
              testing::ElementsAre(3U, 0U));
  const std::string& text = blocks.text();
  const HtmlJson kernel =
      HtmlJson::parse(text.substr(text.find('>') + 1, text.find("</script>") - text.find('>') - 1));
  ASSERT_EQ(kernel["problems"].size(), 2U);
  EXPECT_EQ(kernel["problems"][0]["sizes"], "rows=1");
  EXPECT_EQ(kernel["problems"][0]["tunings"], 2);
  EXPECT_EQ(kernel["problems"][0]["source"], "tuner");
  EXPECT_EQ(kernel["problems"][0]["configs"][0][2], 1) << "how often it won";
  EXPECT_EQ(kernel["problems"][0]["configs"][0][7], HtmlJson({5, 5}));
}

TEST(HtmlReport, brings_the_end_of_the_log_of_what_failed_and_names_files_as_the_page_finds_them) {
  const auto folder = TemporaryFolder::create("tunecheck-reports").value();
  RunResult run = mixed_result();
  ProcessSummary& process = run.scenarios[0].processes[0];
  process.log = (folder.path() / "work/cold.log").string();
  ASSERT_TRUE(create_folders(folder.path() / "work"));
  ASSERT_TRUE(write_file(process.log, std::string(5000, 'x') + "\nlast\nwords\n"));
  HtmlExcerpts excerpts;
  EXPECT_EQ(excerpts.of(run.scenarios[0]), HtmlJson::parse(R"([["cold", ["last", "words"]]])"));
  EXPECT_TRUE(excerpts.of(run.scenarios[3]).empty()) << "it passed";
  HtmlBlocks blocks;
  (void)add_scenarios(only_source(run), {{}, folder.path()}, blocks);
  EXPECT_THAT(blocks.text(), HasSubstr("\"work/cold.log\""));
  EXPECT_THAT(blocks.text(), HasSubstr("\"excerpts\":{\"0\":[[\"cold\",[\"last\",\"words\"]]]}"));
  process.log = (folder.path() / "gone.log").string();
  EXPECT_TRUE(excerpts.of(run.scenarios[0]).empty());
}

TEST(HtmlReport, a_program_without_the_page_says_what_is_missing) {
  const auto page = html_report(only_source(mixed_result()), {{}, "0.1.0"});
  if (html_template().empty()) {
    ASSERT_FALSE(page);
    EXPECT_THAT(page.error().text(), HasSubstr("ci/bootstrap --html"));
  } else {
    ASSERT_TRUE(page);
    EXPECT_THAT(*page, HasSubstr("id=\"index\">"));
  }
}

}  // namespace
}  // namespace tunecheck::test
