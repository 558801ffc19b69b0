// `tunecheck history`, as somebody uses it who has files of Google Benchmark.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// What the program bench wrote in the hour `hour`: two benchmarks.
json recording(int hour, double sort_ns, const std::string& second = "copy") {
  json file = json::parse(R"({"context": {"executable": "./bench", "num_cpus": 2}})");
  file["context"]["date"] = fmt::format("2024-05-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24);
  file["context"]["revision"] = fmt::format("{:07x}", hour);
  file["benchmarks"] = {{{"name", "sort"}, {"real_time", sort_ns}, {"time_unit", "ns"}},
                        {{"name", second}, {"real_time", 20}, {"time_unit", "ns"}}};
  return file;
}

class HistoryCommand : public testing::Test {
 protected:
  Ran history(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "history");
    return place.run(arguments, {{"XDG_DATA_HOME", (place.path() / "data").string()}});
  }
  Ran add(const std::string& name, const json& file,
          const std::vector<std::string>& further = {}) const {
    place.write(name, file.dump());
    std::vector<std::string> arguments = {"add", name};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return history(arguments);
  }
  // 30 runs, from the 16th on 10 % slower.
  void fill() const {
    std::vector<std::string> arguments = {"add"};
    for (int i = 0; i < 30; ++i) {
      const double scatter = (i * 7 % 5) - 2;
      arguments.push_back(fmt::format("r{}.json", i));
      place.write(arguments.back(), recording(i, (i < 15 ? 1000 : 1100) + scatter).dump());
    }
    ASSERT_EQ(history(arguments).status, 0);
  }
  static void expect_one_line(const Ran& ran, int status, const std::string& start) {
    EXPECT_EQ(ran.status, status);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith(start));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }

  const Place place;
};

TEST_F(HistoryCommand, says_one_benchmark_of_one) {
  json one = recording(1, 1000);
  json& benchmarks = one["benchmarks"];
  const std::string name = benchmarks[0]["name"];
  for (std::size_t i = benchmarks.size(); i-- > 0;)
    if (benchmarks[i]["name"] != name) benchmarks.erase(i);
  EXPECT_EQ(add("one.json", one).out, "run 1: 1 benchmark from one.json\n");
}

TEST_F(HistoryCommand, stores_runs_where_programs_keep_data_and_lists_them) {
  const Ran added = add("a.json", recording(1, 1000));
  EXPECT_EQ(added.status, 0) << added.err;
  EXPECT_EQ(added.out, "run 1: 2 benchmarks from a.json\n");
  EXPECT_TRUE(place.has("data/tunecheck/history.sqlite"));
  EXPECT_EQ(history({"add", "a.json"}).out, "run 1 is already stored: a.json\n");
  const Ran listed = history({"list"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.out, HasSubstr("  1  2024-05-01 01:00  0000001     bench; a.json\n"));
  EXPECT_THAT(listed.out, HasSubstr("sort          1           1  1 us\n"));
}

TEST_F(HistoryCommand, takes_the_file_that_db_names_and_a_revision) {
  EXPECT_EQ(add("a.json", recording(1, 1000), {"--db", "my/h.sqlite", "--revision", "cafe"}).status,
            0);
  EXPECT_FALSE(place.has("data"));
  EXPECT_THAT(history({"list", "--db", "my/h.sqlite"}).out, HasSubstr("  cafe  "));
}

TEST_F(HistoryCommand, takes_files_as_processes_of_one_run) {
  place.write("a.json", recording(1, 1000).dump());
  place.write("b.json", recording(2, 1200).dump());
  json other = recording(3, 1000);
  other["context"]["revision"] = "0000001";
  place.write("b.json", other.dump());
  EXPECT_EQ(history({"add", "a.json", "b.json", "--as-one"}).out,
            "run 1: 2 benchmarks from a.json\n");
  EXPECT_THAT(history({"show", "last"}).out, ContainsRegex("\ncopy +2  20 ns; 20 ns to 20 ns\n"));
}

TEST_F(HistoryCommand, changes_names_what_changed_and_between_which_runs) {
  fill();
  const Ran ran = history({"changes"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith("sort\n    10.0 % slower: 1 us -> 1.1 us, p = "));
  EXPECT_THAT(ran.out, HasSubstr("\n    from run 16 (2024-05-01 15:00, 000000f)\n"
                                 "    after run 15 (2024-05-01 14:00, 000000e)\n"));
  EXPECT_THAT(ran.out, HasSubstr("1 change in 30 runs."));
  EXPECT_EQ(history({"changes"}).out, ran.out) << "the same from the same seed";
  EXPECT_THAT(history({"changes", "copy"}).out, StartsWith("0 changes in 30 runs."));
  const Ran none = history({"changes", "copy", "cpoy"});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("no benchmark matches \"cpoy\"; see history list\n"));
  EXPECT_THAT(history({"changes", "--least", "20"}).out,
              StartsWith("1 change below 20 % is left out; see --least.\n0 changes"));
}

TEST_F(HistoryCommand, changes_says_how_many_runs_are_needed_and_needs_fewer_if_it_may_err_more) {
  std::vector<std::string> arguments = {"add"};
  for (int i = 0; i < 9; ++i) {
    arguments.push_back(fmt::format("r{}.json", i));
    place.write(arguments.back(), recording(i, (i < 4 ? 1000 : 1100) + i * 7 % 5).dump());
  }
  ASSERT_EQ(history(arguments).status, 0);
  EXPECT_THAT(history({"changes", "sort"}).out,
              HasSubstr("1 of 1 series have too few runs to show a change. With 11, one can be "
                        "found even if nothing else changed.\n"));
  EXPECT_THAT(history({"changes", "sort", "--false-alarms", "5"}).out,
              AllOf(StartsWith("sort\n    10.0 % slower: "), HasSubstr("\n    from run 5 "),
                    HasSubstr("the chance of any would be 5 %")));
  EXPECT_EQ(
      json::parse(history({"changes", "--false-alarms", "5%", "--format", "json"}).out)["level"],
      0.05);
}

TEST_F(HistoryCommand, benchmarks_that_come_and_go_are_listed_until_one_is_the_other) {
  ASSERT_EQ(add("a.json", recording(1, 1000)).status, 0);
  ASSERT_EQ(add("b.json", recording(2, 1000, "copy_all")).status, 0);
  EXPECT_THAT(history({"changes"}).out,
              StartsWith("copy\n    removed: not in run 2 (2024-05-01 02:00, 0000002)\n"
                         "copy_all\n    added in run 2 (2024-05-01 02:00, 0000002)\n"));
  EXPECT_THAT(history({"list"}).out, AllOf(HasSubstr("20 ns; removed after run 1\n"),
                                           HasSubstr("20 ns; added in run 2\n")));
  EXPECT_EQ(history({"rename", "copy", "copy_all"}).status, 0);
  EXPECT_THAT(history({"changes"}).out, StartsWith("\nrenamed: copy -> copy_all\n"));
  EXPECT_EQ(history({"rename", "copy", "--undo"}).status, 0);
  EXPECT_THAT(history({"list"}).out, Not(HasSubstr("renamed")));
  expect_one_line(history({"rename", "copy"}), 3, "tunecheck: expected OLD and NEW");
  expect_one_line(history({"rename", "copy", "sort"}), 3, "tunecheck: run 1 has both");
}

TEST_F(HistoryCommand, a_benchmark_that_is_left_out_of_every_other_run_has_one_entry) {
  for (int i = 0; i < 8; ++i)
    ASSERT_EQ(
        add(fmt::format("r{}.json", i), recording(i, 100, i % 2 == 0 ? "copy" : "sort 2")).status,
        0);
  EXPECT_THAT(history({"changes", "sort"}).out, Not(HasSubstr("copy")));
  const std::string out = history({"changes"}).out;
  EXPECT_THAT(out, HasSubstr("copy\n    comes and goes: added or removed 7 times since run 2 "
                             "(2024-05-01 01:00, 0000001)\n    removed: not in run 8 ("));
  EXPECT_THAT(out, Not(HasSubstr("run 4")));
}

TEST_F(HistoryCommand, a_run_is_compared_only_with_one_of_the_same_machine) {
  ASSERT_EQ(add("a.json", recording(1, 1000)).status, 0);
  ASSERT_EQ(add("b.json", recording(2, 1200)).status, 0);
  json other = recording(3, 1000);
  other["context"]["num_cpus"] = 64;
  ASSERT_EQ(add("c.json", other).status, 0);
  EXPECT_THAT(history({"show", "2", "--against", "1"}).out,
              HasSubstr("\nsort       1 us -> 1.2 us, +20.0 %\n"));
  expect_one_line(history({"show", "3", "--against", "2"}), 3,
                  "tunecheck: benchmark \"copy\": measured under different conditions, so times "
                  "cannot be compared: num_cpus: \"2\" in the baseline, \"64\" now");
  EXPECT_THAT(history({"plot", "sort"}).out, HasSubstr("not shown: 2 under other conditions"));
}

TEST_F(HistoryCommand, plot_fits_a_terminal_and_marks_changes) {
  fill();
  const Ran ran = history({"plot", "sort"});
  EXPECT_EQ(ran.status, 0);
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    for (const char letter : line)
      EXPECT_TRUE(letter >= ' ' && letter <= '~') << line;
  }
  EXPECT_THAT(ran.out, HasSubstr("\n" + std::string(14 + 15, ' ') + "^\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n^ 1 us -> 1.1 us from run 16 "));
}

TEST_F(HistoryCommand, json_has_the_same) {
  fill();
  EXPECT_EQ(json::parse(history({"list", "--format", "json"}).out)["runs"].size(), 30U);
  EXPECT_EQ(json::parse(history({"show", "1", "--format", "json"}).out)["benchmarks"][1]["median"],
            998);
  const json changes = json::parse(history({"changes", "--format", "json"}).out);
  EXPECT_EQ(changes["changes"][0]["first_after"], 16);
}

TEST_F(HistoryCommand, takes_what_the_gate_wrote_and_nothing_else) {
  place.write("result.json", R"({"schema": "1.3.0", "scenarios": []})");
  expect_one_line(history({"add", "result.json"}), 3, "result.json: expected");
  place.write("broken.json", "{\"schema\": ");
  expect_one_line(history({"add", "broken.json"}), 3, "broken.json:1: expected JSON");
  expect_one_line(history({"add", "nowhere.json"}), 3, "nowhere.json: cannot read: No such file");
  EXPECT_FALSE(place.has("data"));
}

TEST_F(HistoryCommand, of_several_files_with_one_mistake_stores_none) {
  place.write("a.json", recording(1, 1000).dump());
  place.write("b.json", recording(2, -5).dump());
  expect_one_line(history({"add", "a.json", "b.json"}), 3,
                  "b.json:1: benchmark \"sort\": expected positive times");
  EXPECT_FALSE(place.has("data"));
}

TEST_F(HistoryCommand, a_history_that_is_missing_or_damaged_is_one_line) {
  const std::string file = (place.path() / "data/tunecheck/history.sqlite").string();
  expect_one_line(history({"list"}), 3, file + ": expected a history; there is none");
  place.write("h.sqlite", std::string(9000, '?'));
  for (const char* command : {"list", "changes"})
    expect_one_line(history({command, "--db", "h.sqlite"}), 3,
                    "h.sqlite: expected a history of tunecheck, found another kind of file");
  expect_one_line(add("a.json", recording(1, 1000), {"--db", "h.sqlite"}), 3, "h.sqlite: expected");
  EXPECT_EQ(place.read("h.sqlite"), std::string(9000, '?'));
}

TEST_F(HistoryCommand, what_is_not_in_it_is_named) {
  ASSERT_EQ(add("a.json", recording(1, 1000)).status, 0);
  expect_one_line(history({"show", "7"}), 3,
                  "tunecheck: expected the number of a run, or \"last\", found \"7\"");
  expect_one_line(history({"plot", "sor"}), 3,
                  "tunecheck: no run has a benchmark \"sor\"; did you mean \"sort\"?");
}

}  // namespace
}  // namespace tunecheck::test
