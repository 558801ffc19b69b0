// Reports of a fixed set of results, compared with those that somebody has looked at; tests/golden
// says how they are approved.
#include <cstdlib>
#include <tuple>

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "hand_made_gate.hpp"
#include "hand_made_results.hpp"
#include "hand_made_watch.hpp"
#include "json_schema.hpp"
#include "reports/html/html_report.hpp"
#include "reports/html/html_template.hpp"
#include "reports/report_formats.hpp"

namespace tunecheck::test {
namespace {

using testing::IsEmpty;

RunResult all_pass() {
  RunResult result = mixed_result();
  result.scenarios.erase(result.scenarios.begin(), result.scenarios.end() - 1);
  return result;
}

RunResult hostile() {
  RunResult result = hostile_result();
  for (ScenarioResult& scenario : result.scenarios)
    scenario.message = hostile_text() + " @somebody #1 | `x` <b> ~~~ 1. - + __a__";
  return result;
}

RunResult incomplete() {
  RunResult result = all_pass();
  result.pending = {"restore.later", "restore.last"};
  return result;
}

RunResult not_begun() {
  RunResult result;
  result.tunecheck_version = "0.1.0";
  result.started = "2024-05-01T12:00:00Z";
  result.adapter = "absent";
  result.backend = "cuda";
  result.pending = {"restore.axpy"};
  result.trouble = "there is no adapter: the program \"absent\" cannot be found";
  return result;
}

RunResult before() {
  RunResult base = mixed_result();
  base.started = "2024-04-01T12:00:00Z";
  base.scenarios[0].verdict = Verdict::pass;
  base.scenarios[3].verdict = Verdict::fail;
  base.scenarios.push_back(base.scenarios[1]);
  base.scenarios.back().name = "restore.gone";
  return base;
}

gate::GateResult hostile_gate() {
  gate::GateResult session = mixed_gate();
  const std::string text = hostile_text() + " @somebody #1 | `x` <b> ~~~ 1. - + __a__";
  session.base.given = session.head.commit = session.adapter = session.pinning = text;
  session.answer = gate::Answer::invalid;
  session.reason = text;
  for (gate::BenchmarkResult& benchmark : session.benchmarks)
    benchmark.subject.name = benchmark.finding.reason = text;
  for (gate::CountResult& count : session.counts)
    count.subject.unit = count.finding.reason = text;
  for (gate::WinnerChange& change : session.winner_changes)
    change.base = change.head = change.benchmark = text;
  session.added = {text};
  session.renamed = {{text, text}};
  session.not_measured = {{text, text}};
  return session;
}

gate::GateResult passing_gate() {
  gate::GateResult session = mixed_gate();
  session.answer = gate::Answer::pass;
  session.benchmarks = {session.benchmarks[2], session.benchmarks[4], session.benchmarks[5]};
  session.counts.erase(session.counts.begin());
  session.winner_changes.clear();
  session.added.clear();
  session.removed.clear();
  session.renamed.clear();
  session.not_measured.clear();
  return session;
}

gate::GateResult ended_gate() {
  gate::GateResult session = passing_gate();
  session.is_complete = session.benchmarks[0].is_settled = false;
  session.benchmarks[0].finding = {};
  return session;
}

// By the name of the report; a run stands beside one.
std::vector<GateSource> gates_of(const std::string& name) {
  if (name == "gate") return {{"gate.json", mixed_gate()}};
  if (name == "gate_hostile") return {{"gate.json", hostile_gate()}};
  if (name == "gate_ended") return {{"gate.json", ended_gate()}};
  if (name == "run_and_gate") return {{"gate.json", passing_gate()}};
  return {};
}

WatchResult hostile_watch() {
  WatchResult watch = mixed_watch();
  const std::string text = hostile_text() + " @somebody #1 | `x` <b> ~~~ 1. - + __a__";
  watch.tunecheck = watch.runs[0].name = watch.runs[0].end = text;
  watch.command = watch.notes = {text};
  for (WatchResult::Finding& finding : watch.findings) {
    finding.kernel = finding.text = finding.place.file = finding.definition.file = text;
    finding.details = {text};
  }
  return watch;
}

WatchResult blind_watch() {
  WatchResult watch = mixed_watch();
  watch.findings.clear();
  watch.kernels.clear();
  watch.timelines.clear();
  for (WatchResult::Run& run : watch.runs)
    run.launches = run.compiles = run.trials = run.processes = 0;
  return watch;
}

std::vector<WatchSource> watches_of(const std::string& name) {
  if (name == "watch") return {{"watch.json", mixed_watch()}};
  if (name == "watch_hostile") return {{"watch.json", hostile_watch()}};
  if (name == "watch_blind") return {{"watch.json", blind_watch()}};
  return {};
}

ReportInput input_of(const std::string& name) {
  RunResult other = result_with_marks();
  other.adapter = "other";
  other.tuner = "Other Tuner 2.0";
  other.left_out = {{"gpu.captured", "it needs a GPU", {"capture.hit_replays"}}};
  const std::map<std::string, std::vector<RunResult>> runs = {
      {"all_pass", {all_pass()}},
      {"every_verdict", {mixed_result()}},
      {"marks", {other}},
      {"hostile", {hostile()}},
      {"incomplete", {incomplete()}},
      {"not_begun", {not_begun()}},
      {"nothing", {RunResult{}}},
      {"two_tuners", {mixed_result(), other}},
      {"thirty_failures", {run_with_thirty_failures()}},
      {"run_and_gate", {all_pass()}},
      {"gate", {}},
      {"gate_hostile", {}},
      {"gate_ended", {}},
      {"watch", {}},
      {"watch_hostile", {}},
      {"watch_blind", {}},
      {"against_a_base", {mixed_result()}}};
  ReportInput input;
  input.sources.runs = runs.at(name);
  input.sources.gates = gates_of(name);
  input.sources.watches = watches_of(name);
  if (name == "against_a_base") input.base = {before()};
  input.root = "/somewhere";
  return input;
}

class Golden : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  std::string report() const {
    const auto& [name, format] = GetParam();
    const std::string text = find_report_format(format)->make(input_of(name)).value();
    return format == "html" ? data_of(text) : text;
  }

  // Of a page what was put into it: the script and the style around that are looked at in browsers.
  static std::string data_of(const std::string& page) {
    const std::string frame = html_template();
    const std::size_t before = frame.find(html_place_of_data);
    const std::size_t after = frame.size() - before - html_place_of_data.size();
    return page.substr(before, page.size() - before - after);
  }
};

TEST_P(Golden, is_as_approved) {
  const auto& [name, format] = GetParam();
  if (format == "html" && !has_html_reports()) GTEST_SKIP() << "this build has no page";
  const std::filesystem::path file =
      std::filesystem::path(TUNECHECK_GOLDEN) / (name + "." + format);
  if (std::getenv("TUNECHECK_APPROVE") != nullptr) {
    ASSERT_TRUE(write_file(file, report()));
    GTEST_SKIP() << "approved " << file;
  }
  const auto approved = read_text_file(file);
  ASSERT_TRUE(approved) << approved.error().text();
  EXPECT_EQ(report(), *approved);
}

INSTANTIATE_TEST_SUITE_P(
    All, Golden,
    testing::Combine(
        testing::Values("all_pass", "every_verdict", "marks", "hostile", "incomplete", "not_begun",
                        "nothing", "two_tuners", "against_a_base", "thirty_failures"),
        testing::Values("terminal", "junit", "markdown", "annotations", "sarif", "html")),
    [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param); });

INSTANTIATE_TEST_SUITE_P(
    Gate, Golden,
    testing::Combine(testing::Values("gate", "gate_hostile", "gate_ended", "run_and_gate"),
                     testing::Values("terminal", "junit", "markdown", "annotations", "html")),
    [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param); });

INSTANTIATE_TEST_SUITE_P(Watch, Golden,
                         testing::Combine(testing::Values("watch", "watch_hostile", "watch_blind"),
                                          testing::Values("terminal", "junit", "markdown",
                                                          "annotations", "sarif", "html")),
                         [](const auto& one) {
                           return std::get<0>(one.param) + "_" + std::get<1>(one.param);
                         });

std::vector<std::string> approved(const std::string& format) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TUNECHECK_GOLDEN))
    if (entry.path().extension() == "." + format) files.push_back(entry.path().string());
  return files;
}

TEST(GoldenFiles, junit_is_as_the_schema_of_jenkins_says) {
  if (find_program("xmllint").empty()) GTEST_SKIP() << "there is no xmllint (libxml2-utils)";
  CommandOptions command;
  command.arguments = {"xmllint", "--noout", "--schema",
                       std::string(TUNECHECK_GOLDEN) + "/junit-10.xsd"};
  const std::vector<std::string> files = approved("junit");
  ASSERT_EQ(files.size(), 17U);
  command.arguments.insert(command.arguments.end(), files.begin(), files.end());
  const CommandResult ran = run_command(command).value();
  EXPECT_TRUE(ran.end.success()) << ran.output;
}

TEST(GoldenFiles, sarif_is_as_the_standard_says) {
  for (const std::string& file : approved("sarif"))
    EXPECT_THAT(violations(nlohmann::json::parse(read_text_file(file).value()),
                           "../../tests/golden/sarif.schema.json"),
                IsEmpty())
        << file;
}

TEST(GoldenFiles, terminal_pages_keep_to_80_columns_but_for_commands_paths_and_a_gates_verdict) {
  for (const std::string& file : approved("terminal")) {
    if (file.ends_with("hostile.terminal")) continue;  // its names are longer
    std::istringstream text(read_text_file(file).value());
    for (std::string line; std::getline(text, line);)
      EXPECT_TRUE(width_of(line) <= 80U || line.find("repeat") != line.npos ||
                  line.find("result.json") != line.npos ||
                  line.find("would have been found") != line.npos)
          << file << ": " << line;
    EXPECT_EQ(text.str().find('\x1b'), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace tunecheck::test
