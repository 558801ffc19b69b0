// What goes where: pipes, terminals, full disks.
#include <algorithm>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/plain_text.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Output, has_no_escape_codes_in_a_pipe) {
  const Ran ran = Place().run({"checks", "list"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
}

TEST(Output, is_coloured_on_a_terminal) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const Ran ran = Place().run_on_terminal({"checks", "list"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("\x1b[1mrestore\x1b[0m"));
}

TEST(Output, has_no_colour_on_a_terminal_where_no_color_is_set_or_it_is_dumb) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const Place place;
  EXPECT_THAT(place.run_on_terminal({"checks", "list"}, {{"NO_COLOR", "1"}}).out,
              Not(HasSubstr("\x1b")));
  EXPECT_THAT(place.run_on_terminal({"checks", "list"}, {{"TERM", "dumb"}}).out,
              Not(HasSubstr("\x1b")));
  EXPECT_THAT(place.run_on_terminal({"checks", "list"}, {{"NO_COLOR", ""}}).out, HasSubstr("\x1b"))
      << "an empty NO_COLOR is none";
}

TEST(Output, has_colour_in_a_pipe_where_it_is_forced) {
  const Place place;
  const auto list = [&](const Environment& further) {
    return place.run({"checks", "list"}, further).out;
  };
  EXPECT_THAT(list({{"FORCE_COLOR", "1"}}), HasSubstr("\x1b"));
  EXPECT_THAT(list({{"FORCE_COLOR", "0"}}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(list({{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}), Not(HasSubstr("\x1b")));
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, width_of(line));
  return longest;
}

// As many columns of a matrix as the page is wide stand side by side.
TEST(Output, is_as_wide_as_columns_says_and_80_in_a_pipe) {
  const Place place;
  for (int number = 1; number <= 8; ++number) {
    const std::string out = fmt::format("{}", number);
    ASSERT_EQ(
        place.run({"run", "restore.first_result_is_right", "--quiet", "--seed", out, "--out", out})
            .status,
        0);
    // Tuners of their own.
    std::string result = place.read(out + "/result.json");
    place.write(out + ".json", std::regex_replace(result, std::regex("\"adapter\": *\"reference\""),
                                                  "\"adapter\": \"tuner" + out + "\""));
  }
  std::vector<std::string> command = {"matrix"};
  for (int number = 1; number <= 8; ++number)
    command.push_back(fmt::format("{}.json", number));
  EXPECT_LE(longest_line(place.run(command).out), 80U);
  const std::string wide = place.run(command, {{"COLUMNS", "160"}}).out;
  EXPECT_GT(longest_line(wide), 120U);
  EXPECT_LE(longest_line(wide), 160U);
  EXPECT_LE(longest_line(place.run(command, {{"COLUMNS", "1"}}).out), 60U);
}

// The adapter takes four seconds to start where the scenario says so.
TEST(Output, of_a_run_ticks_on_a_terminal_with_what_is_under_way) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const Place place;
  const std::filesystem::path programs = std::filesystem::path(tunecheck_program()).parent_path();
  const std::string script =
      place.write("adapter.sh", "[ -z \"$SLOW\" ] || sleep 4\nexec '" +
                                    (programs / "tunecheck-adapter-reference").string() + "'\n");
  std::string scenario = axpy_scenario("cli.slow");
  scenario.insert(scenario.find("steps { ") + 8, "environment { SLOW 1 } ");
  const Environment root = place.make_root(
      scenario, "adapter { name slow  command \"/bin/sh\"  arguments \"" + script +
                    "\"  cache_variable TUNECHECK_CACHE  compiler_variable TUNECHECK_CXX  "
                    "backends cpu  capabilities \"cache in_place strided space\" }\n");
  const std::vector<std::string> slow = {"run", "--adapter", "slow"};
  const Ran ran = place.run_on_terminal(slow, root);
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("\r\x1b[K0 of 1   0 s   cli.slow"));
  EXPECT_THAT(ran.out, ContainsRegex("cli.slow [2-9] s"));
  EXPECT_THAT(ran.out, HasSubstr("for a browser"));
  std::vector<std::string> quiet = slow;
  quiet.emplace_back("--quiet");
  EXPECT_THAT(place.run_on_terminal(quiet, root).out, Not(HasSubstr("0 of 1")));
  EXPECT_THAT(place.run({"run", "restore.first_result_is_right"}).out, Not(HasSubstr("\r")));
}

// What `tunecheck run` does without saying so: a build has the page, or it does not.
bool has_page(const Place& place) {
  (void)place.run({"run", "restore.first_result_is_right", "--out", "run"});
  return place.has("run/report.html");
}

TEST(Output, of_an_audit_is_a_page_as_well) {
  const Place place;
  if (!has_page(place)) GTEST_SKIP() << "this build has no page";
  const Ran ran = place.run({"audit", "--quick", "--mutant", "no_restore"});
  EXPECT_THAT(ran.out, HasSubstr("for a browser  out/report.html"));
  EXPECT_THAT(place.read("out/report.html"), HasSubstr("no_restore"));
}

TEST(Output, of_a_session_of_the_gate_is_a_page_as_well) {
  const Place place;
  if (!has_page(place)) GTEST_SKIP() << "this build has no page";
  const auto recording = [&](const std::string& file, double time) {
    place.write(
        file,
        fmt::format(R"({{"context": {{"executable": "./bench", "num_cpus": 2}}, "benchmarks": [
      {{"name": "sort", "run_name": "sort", "run_type": "iteration", "repetitions": 1, "repetition_index": 0,
       "threads": 1, "iterations": 100, "real_time": {0}, "cpu_time": {0}, "time_unit": "ns"}}]}})",
                    time));
  };
  recording("base.json", 100);
  recording("head.json", 101);
  const Ran ran = place.run({"gate", "--base", "base.json", "--head", "head.json"});
  EXPECT_THAT(ran.out, HasSubstr("for a browser  out/report.html")) << ran.err;
  EXPECT_THAT(place.read("out/report.html"), HasSubstr("head.json"));
}

TEST(Output, repeats_a_scenario_wherever_the_result_lies) {
  const Place place, elsewhere;
  const std::string out = (elsewhere.path() / "some/out").string();
  (void)place.run(
      {"run", "restore.first_result_is_right", "--adapter", "mutant:no_restore", "--out", out});
  const std::string result = elsewhere.read("some/out/result.json");
  EXPECT_THAT(result, HasSubstr("--out out/repeat --keep"));
  EXPECT_THAT(result, Not(HasSubstr("--out " + out)));
}

TEST(Output, that_nobody_got_is_no_success) {
  const Place place;
  const Ran ran = place.shell(tunecheck_program() + " checks list > /dev/full");
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("cannot write to stdout"));
}

}  // namespace
}  // namespace tunecheck::test
