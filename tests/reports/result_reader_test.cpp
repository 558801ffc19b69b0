#include "reports/stored/result_reader.hpp"

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "hand_made_results.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

Result<RunResult> result_in(const std::string& text) {
  const auto folder = TemporaryFolder::create("tunecheck-reader").value();
  const auto file = folder.path() / "result.json";
  EXPECT_TRUE(write_file(file, text));
  auto result = read_result(file);
  if (!result) result.error().file = "result.json";  // the folder is another one every time
  return result;
}

std::string result_mistake_in(const std::string& text) {
  const auto result = result_in(text);
  return result ? "" : result.error().text();
}

RunResult everything() {
  RunResult result = mixed_result();
  result.scenarios.push_back(result_with_marks().scenarios.front());
  result.scenarios.back().unanswered = {"guard.intact"};
  result.scenarios.back().lacks = "capability threads";
  result.scenarios.back().device = "a device";
  result.left_out = {{"gpu.captured", "it needs a GPU", {"capture.hit_replays"}}};
  result.pending = {"restore.later"};
  result.trouble = "there is no device";
  return result;
}

TEST(ReadResult, gives_back_all_that_was_written) {
  for (const RunResult& result : {everything(), RunResult{}, result_with_marks()}) {
    const auto again = result_in(to_json(result));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(to_json(*again), to_json(result));
  }
}

TEST(ReadResult, gives_back_hostile_text_as_it_is_in_the_file) {
  const std::string text = to_json(hostile_result());
  const auto again = result_in(text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(to_json(*again), text);
}

TEST(ReadResult, reads_the_first_version_of_the_schema) {
  json result = json::parse(to_json(mixed_result()));
  result["schema"] = "1.0.0";
  for (const char* const name : {"trouble", "complete", "pending", "left_out"})
    result.erase(name);
  for (json& scenario : result["scenarios"]) {
    for (const char* const name : {"lacks", "unanswered", "device"})
      scenario.erase(name);
    for (json& process : scenario["processes"]) {
      process.erase("calls");
      process.erase("calls_left_out");
    }
  }
  const auto read_back = result_in(result.dump());
  ASSERT_TRUE(read_back) << read_back.error().text();
  RunResult expected = mixed_result();
  expected.scenarios[0].processes[0].calls.clear();
  EXPECT_EQ(to_json(*read_back), to_json(expected));
}

TEST(ReadResult, reads_a_newer_minor_version_as_far_as_it_is_known) {
  json result = json::parse(to_json(mixed_result()));
  result["schema"] = "1.99.0";
  result["weather"] = "fine";
  result["scenarios"][0]["processes"][0]["calls"][0]["mood"] = json::array({1, 2});
  const auto read_back = result_in(result.dump());
  ASSERT_TRUE(read_back) << read_back.error().text();
  EXPECT_EQ(to_json(*read_back), to_json(mixed_result()));
}

TEST(ReadResult, says_first_that_the_version_is_another_one) {
  json result = json::parse(to_json(mixed_result()));
  result["schema"] = "2.0.0";
  result["scenarios"][0] = "in a form that nobody here knows";
  EXPECT_EQ(result_mistake_in(result.dump()),
            "result.json: /schema: expected version 1.x, found \"2.0.0\"");
}

TEST(ReadResult, names_the_place_of_a_value_that_is_of_the_wrong_type) {
  const json result = json::parse(to_json(everything()));
  const auto with = [&](const std::string& pointer, const json& value) {
    json changed = result;
    changed[json::json_pointer(pointer)] = value;
    return result_mistake_in(changed.dump());
  };
  EXPECT_EQ(with("/seed", -1),
            "result.json: /seed: expected a whole number from 0 to 18446744073709551615, found -1");
  EXPECT_EQ(with("/jobs", 1.5), "result.json: /jobs: expected a whole number, found number");
  EXPECT_EQ(with("/jobs", 3'000'000'000),
            "result.json: /jobs: expected a whole number from 1 to 2147483647, found "
            "3000000000");
  EXPECT_EQ(with("/environment/host", 1),
            "result.json: /environment/host: expected text, found number");
  EXPECT_EQ(with("/scenarios", {{"first", {{"name", 1}}}}),
            "result.json: /scenarios: expected a list, found object");
  EXPECT_EQ(with("/scenarios/4/known/until", "2027-02-30"),
            "result.json: /scenarios/4/known/until: expected a date such as 2027-03-31, found "
            "\"2027-02-30\"");
  EXPECT_EQ(with("/scenarios/4/known", nullptr),
            "result.json: /scenarios/4/known: expected the mark of a scenario that is known to "
            "fail, found nothing");
  EXPECT_EQ(with("/scenarios/0/processes/0/timed_out", "no"),
            "result.json: /scenarios/0/processes/0/timed_out: expected true or false, found "
            "string");
  EXPECT_EQ(with("/scenarios/0/processes/0/calls/0/configs/1/median_ns", -1.5),
            "result.json: /scenarios/0/processes/0/calls/0/configs/1/median_ns: expected a number "
            "of at least 0, found number");
  // What the other fields say once more is not read, and yet of its type.
  EXPECT_EQ(with("/exit_status", "one"),
            "result.json: /exit_status: expected a whole number, found string");
  EXPECT_EQ(with("/counts", json::array()),
            "result.json: /counts: expected an object, found array");
  EXPECT_EQ(with("/counts/pass", "all"),
            "result.json: /counts/pass: expected a whole number, found string");
  EXPECT_EQ(with("/judge_share", "little"),
            "result.json: /judge_share: expected a number of at least 0, found string");
  EXPECT_EQ(with("/scenarios/0/processes/0/end", 0),
            "result.json: /scenarios/0/processes/0/end: expected text, found number");
  EXPECT_EQ(with("/started", 0), "result.json: /started: expected text, found number");
  json odd = result;
  odd["environment"]["a/b~c"] = 1;
  EXPECT_EQ(result_mistake_in(odd.dump()),
            "result.json: /environment/a~1b~0c: expected text, found number");
}

TEST(ReadResult, of_a_file_that_is_cut_off_anywhere_is_one_line_with_the_file) {
  const std::string text = to_json(everything());
  for (std::size_t size = 0; size + 2 < text.size(); size += 97) {
    const std::string mistake = result_mistake_in(text.substr(0, size));
    EXPECT_THAT(mistake, testing::MatchesRegex("result.json:[0-9]+: expected JSON.*")) << size;
  }
}

TEST(ReadResult, refuses_what_is_no_result) {
  EXPECT_EQ(result_mistake_in("[]"), "result.json: expected an object, found array");
  EXPECT_EQ(result_mistake_in(to_json(complete_audit())),
            "result.json: /scenarios: expected a file that `tunecheck run` wrote");
  const auto missing = read_result("nowhere/result.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(), "nowhere/result.json: cannot read: No such file or directory");
}

RunResult shard(const std::string& started, const std::vector<std::string>& names) {
  RunResult result = mixed_result();
  result.started = started;
  const ScenarioResult pattern = result.scenarios.back();
  result.scenarios.clear();
  result.stages = {};
  for (const std::string& name : names) {
    result.scenarios.push_back(pattern);
    result.scenarios.back().name = name;
    result.scenarios.back().message = started;
    result.stages += pattern.stages;
  }
  return result;
}

std::vector<std::string> names_and_runs(const RunResult& result) {
  std::vector<std::string> texts;
  for (const ScenarioResult& scenario : result.scenarios)
    texts.push_back(scenario.name + " of " + scenario.message);
  return texts;
}

TEST(Merged, shards_of_one_run_are_one_run) {
  RunResult first = shard("10:00", {"a", "c"});
  first.pending = {"b", "d"};
  first.left_out = {{"b", "it is flat"}, {"e", "it needs a GPU"}};
  const auto all = merged({first, shard("10:00", {"b"})});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(names_and_runs(all[0]), ElementsAre("a of 10:00", "b of 10:00", "c of 10:00"));
  EXPECT_THAT(all[0].pending, ElementsAre("d"));
  ASSERT_EQ(all[0].left_out.size(), 1U);
  EXPECT_EQ(all[0].left_out[0].name, "e");
  EXPECT_EQ(all[0].stages.total_ns(), 300);
  EXPECT_EQ(all[0].wall_ns, 2 * first.wall_ns);
}

TEST(Merged, parts_that_ran_at_the_same_time_took_as_long_as_the_longest) {
  RunResult one = shard("10:00", {"a"}), two = shard("10:00", {"b"}), again = shard("11:00", {"b"});
  one.shard = ShardOf{1, 2, 2, "digest"};
  two.shard = again.shard = ShardOf{2, 2, 2, "digest"};
  one.wall_ns = 50;
  two.wall_ns = 30;
  again.wall_ns = 40;
  EXPECT_EQ(merged({one, two})[0].wall_ns, 50);
  EXPECT_EQ(merged({one, two, again})[0].wall_ns, 70) << "the second part took two turns";
}

TEST(Merged, of_a_scenario_in_several_runs_the_one_that_began_last_counts) {
  const auto all = merged({shard("10:00", {"a"}), shard("12:00", {"b"}), shard("11:00", {"a", "b"}),
                           shard("12:00", {"c"})});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(names_and_runs(all[0]), ElementsAre("a of 11:00", "b of 12:00", "c of 12:00"));
  EXPECT_EQ(all[0].started, "12:00");
}

TEST(Merged, of_two_that_began_in_the_same_second_the_one_that_is_given_last_counts) {
  RunResult later = shard("10:00", {"a"});
  later.scenarios[0].message = "later";
  EXPECT_EQ(merged({shard("10:00", {"a"}), later})[0].scenarios[0].message, "later");
  EXPECT_EQ(merged({later, shard("10:00", {"a"})})[0].scenarios[0].message, "10:00");
}

TEST(Merged, other_adapters_tuners_backends_and_devices_stay_apart) {
  const RunResult one = shard("10:00", {"a"});
  RunResult adapter = one, tuner = one, backend = one, device = one;
  adapter.adapter = "another";
  tuner.tuner = "reference 9";
  backend.backend = "cuda";
  device.environment["device"] = "another";
  EXPECT_EQ(merged({one, adapter, tuner, backend, device, one}).size(), 5U);
}

TEST(NameFiles, puts_the_folder_before_every_file_that_there_is) {
  RunResult result = mixed_result();
  name_files_from("some/out", result);
  EXPECT_EQ(result.scenarios[0].processes[0].log, "some/out/reload.dead/cold.log");
  EXPECT_EQ(result.scenarios[2].workspace, "some/out/restore.axpy");
  EXPECT_EQ(result.scenarios[2].checks[1].evidence[0], "some/out/inputs.pristine/events.jsonl");
  EXPECT_EQ(result.scenarios[3].workspace, "");
}

}  // namespace
}  // namespace tunecheck::test
