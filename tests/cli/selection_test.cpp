// Which scenarios `tunecheck run` is about beside those that it names, and `tunecheck merge`.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Selecting : testing::Test {
  Selecting() {
    place.write("mine.info",
                axpy_scenario("a.one") + axpy_scenario("a.two") + axpy_scenario("b.one"));
  }
  Ran run(std::vector<std::string> more) {
    std::vector<std::string> all = {"run", "--scenarios", "mine.info", "--jobs", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return place.run(all);
  }
  std::vector<std::string> names(const std::string& file = "out/result.json") {
    std::vector<std::string> all;
    const json result = json::parse(place.read(file));
    for (const json& scenario : result["scenarios"])
      all.push_back(scenario["name"]);
    return all;
  }
  Place place;
};

TEST_F(Selecting, leaves_out_what_is_excluded) {
  EXPECT_EQ(run({"--exclude", "a.*", "--list"}).out, "b.one\n");
  EXPECT_THAT(run({"--exclude", "c.*"}).err, HasSubstr("--exclude: no scenario matches"));
  EXPECT_EQ(run({"b.*", "--exclude", "a.*", "--list"}).out, "b.one\n")
      << "a file of options excludes what some selections do not have";
  EXPECT_EQ(run({"--exclude", "*"}).status, 3);
}

// Nobody remembers whether a family wants ".*".
TEST_F(Selecting, says_that_scenarios_need_another_kind_of_device) {
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"run", "gpu.*"}, {"run", "--list", "gpu.*"}}) {
    const Ran ran = place.run(asked);
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err,
                ContainsRegex("^tunecheck: --backend: none of [0-9]+ scenarios runs on cpu: "
                              "\"gpu\\.[a-z_]+\": it needs a GPU; expected a kind of "
                              "device that some of them run on\n$"));
  }
  EXPECT_THAT(place.run({"run", "gpu.call_on_a_busy_stream"}).err,
              HasSubstr("--backend: \"gpu.call_on_a_busy_stream\" does not run on cpu: it needs a "
                        "GPU; expected a kind of device that it runs on\n"));
}

TEST_F(Selecting, takes_the_name_of_a_family_for_its_scenarios) {
  EXPECT_EQ(run({"a", "--list"}).out, "a.one\na.two\n");
  EXPECT_EQ(run({"--exclude", "a", "--list"}).out, "b.one\n");
  place.write("names.txt", "a  # both\n");
  EXPECT_EQ(run({"@names.txt", "--list"}).out, "a.one\na.two\n");
  EXPECT_EQ(run({"A", "--list"}).status, 3);
  EXPECT_EQ(place.run({"audit", "--scenarios", "mine.info", "--mutant", "no_restor"}).status, 3);
}

TEST_F(Selecting, goes_back_to_what_failed_last) {
  EXPECT_EQ(run({"a.one", "--adapter", "mutant:no_restore"}).status, 1);
  EXPECT_EQ(run({"--last-failed", "--adapter", "mutant:no_restore", "--list"}).out, "a.one\n");
  EXPECT_THAT(run({"--last-failed"}).err,
              HasSubstr("--last-failed: expected a result of reference on cpu, found one of "
                        "mutant:no_restore"));
  EXPECT_EQ(run({"a.one"}).status, 0);
  const Ran none = run({"--last-failed"});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("expected a scenario that failed, found none"));
}

TEST_F(Selecting, stops_after_failures_and_says_what_was_not_run) {
  const Ran ran = run({"-x", "--adapter", "mutant:no_restore"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  const json result = json::parse(place.read("out/result.json"));
  EXPECT_EQ(result["scenarios"].size(), 1U);
  EXPECT_EQ(result["left_out"].size(), 2U);
  EXPECT_EQ(result["left_out"][0]["reason"], "1 failed before it");
  EXPECT_EQ(run({"--maxfail", "3", "--adapter", "mutant:no_restore"}).status, 1);
  EXPECT_EQ(names().size(), 3U);
}

TEST_F(Selecting, goes_on_with_a_run_that_stopped_after_a_failure) {
  EXPECT_EQ(run({"-x", "--adapter", "mutant:no_restore"}).status, 1);
  const Ran next = run({"-x", "--resume", "--adapter", "mutant:no_restore"});
  EXPECT_EQ(next.status, 1) << next.err;
  EXPECT_EQ(names().size(), 2U);
  EXPECT_EQ(json::parse(place.read("out/result.json"))["left_out"].size(), 1U);
  EXPECT_EQ(run({"--resume", "--adapter", "mutant:no_restore"}).status, 1);
  EXPECT_EQ(names().size(), 3U);
  EXPECT_TRUE(json::parse(place.read("out/result.json"))["left_out"].empty());
  EXPECT_THAT(run({"--resume", "--adapter", "mutant:no_restore"}).err,
              HasSubstr("expected a run that was interrupted, found one that ended"));
}

TEST_F(Selecting, goes_on_with_a_run_that_was_interrupted) {
  EXPECT_EQ(run({}).status, 0);
  EXPECT_THAT(run({"--resume"}).err, HasSubstr("expected a run that was interrupted, found one"));
  json result = json::parse(place.read("out/result.json"));
  result["pending"] = {"b.one"};
  result["complete"] = false;
  result["scenarios"].erase(2);
  place.write("out/result.json", result.dump());
  EXPECT_EQ(run({"--resume", "--seed", "5"}).status, 3);
  const Ran ran = run({"--resume"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("PASS: 3 of 3 scenarios"));
  EXPECT_EQ(names(), (std::vector<std::string>{"a.one", "a.two", "b.one"}));
}

TEST_F(Selecting, what_is_not_gone_on_with_stays_pending_and_a_part_stays_a_part) {
  EXPECT_EQ(run({"--shard", "1/1"}).status, 0);
  json result = json::parse(place.read("out/result.json"));
  result["pending"] = {"a.two", "b.one"};
  result["complete"] = false;
  result["scenarios"].erase(2);
  result["scenarios"].erase(1);
  place.write("out/result.json", result.dump());
  EXPECT_THAT(run({"a.one", "--resume"}).err,
              HasSubstr("some of the 2 scenarios that are pending"));
  const Ran some = run({"b.*", "--resume"});
  EXPECT_EQ(some.status, 4) << some.out;
  result = json::parse(place.read("out/result.json"));
  EXPECT_EQ(result["pending"], json({"a.two"}));
  EXPECT_EQ(result["shard"]["number"], 1);
  EXPECT_THAT(run({"--resume", "--shard", "1/2"}).err,
              HasSubstr("expected part 1 of 2, as --shard says, found part 1 of 1"));
  EXPECT_EQ(run({"--resume", "--shard", "1/1"}).status, 0);
  EXPECT_EQ(place.run({"merge", "out/result.json", "--out", "whole"}).status, 0);
}

TEST_F(Selecting, some_parts_are_not_the_whole_and_nothing_replaces_what_it_is_made_of) {
  for (const char* const part : {"1", "2"})
    EXPECT_EQ(
        run({"--shard", std::string(part) + "/3", "--out", std::string("out/") + part}).status, 0);
  const Ran one = place.run({"report", "terminal", "out/1/result.json", "-q"});
  EXPECT_THAT(one.out, HasSubstr("NOT TRUSTED: this is not the whole run, 2 of 3 scenarios are in "
                                 "parts that are not given"));
  const Ran page = place.run({"report", "markdown", "out/1/result.json"});
  EXPECT_THAT(page.out,
              AllOf(HasSubstr("| in a part that is not given | 2 |"),
                    HasSubstr("report on all parts, or on what tunecheck merge makes of them"),
                    Not(HasSubstr("was ended"))));
  const Ran two = place.run({"report", "terminal", "out/1/result.json", "out/2/result.json", "-q"});
  EXPECT_THAT(two.out, HasSubstr("NOT TRUSTED"));
  const Ran replaced =
      place.run({"report", "junit", "out/1/result.json", "--out", "out/1/result.json"});
  EXPECT_EQ(replaced.status, 3);
  EXPECT_THAT(replaced.err, HasSubstr("--out: expected another file than the report is made of"));
  const Ran merged =
      place.run({"merge", "out/1/result.json", "out/2/result.json", "--out", "out/2"});
  EXPECT_EQ(merged.status, 3);
  EXPECT_THAT(merged.err, HasSubstr("--out: expected a folder that has none of the parts"));
  json result = json::parse(place.read("out/1/result.json"));
  result["scenarios"][0]["checks"][0]["verdict"] = "fail";
  place.write("edited.json", result.dump());
  EXPECT_THAT(place.run({"report", "terminal", "edited.json"}).err,
              HasSubstr("expected no \"pass\" where the check"));
}

TEST_F(Selecting, is_divided_and_put_together_again) {
  for (const char* const part : {"1", "2"})
    EXPECT_EQ(run({"--shard", std::string(part) + "/2", "--out", std::string("out/") + part,
                   "--adapter", "mutant:no_restore", "--keep"})
                  .status,
              1);
  const Ran whole =
      place.run({"merge", "out/1/result.json", "out/2/result.json", "--out", "out/whole"});
  EXPECT_EQ(whole.status, 1) << whole.err;
  EXPECT_EQ(names("out/whole/result.json"), (std::vector<std::string>{"a.one", "a.two", "b.one"}));
  // Files are found from the folder of the whole.
  const json result = json::parse(place.read("out/whole/result.json"));
  const std::string log = result["scenarios"][0]["processes"][0]["log"];
  EXPECT_FALSE(place.read("out/whole/" + log).empty()) << log;
  const Ran half = place.run({"merge", "out/2/result.json", "--out", "out/half"});
  EXPECT_EQ(half.status, 4);
  EXPECT_THAT(half.err, HasSubstr("part 1 of 2 is missing"));
  EXPECT_THAT(run({"--shard", "1/9"}).err,
              HasSubstr("expected at most as many parts as scenarios"));
  EXPECT_THAT(run({"--times", "out/1/result.json"}).err, HasSubstr("--times: expected only where"));
  EXPECT_THAT(run({"--shard", "1/2", "--last-failed"}).err,
              HasSubstr("--shard: expected no --last-failed next to it"));
  EXPECT_EQ(run({"--last-failed", "--resume"}).status, 3);
}

TEST_F(Selecting, takes_a_condition) {
  EXPECT_EQ(run({"--where", "family:a and not a.two", "--list"}).out, "a.one\n");
  EXPECT_EQ(run({"b.*", "--where", "kernel:axpy_inplace", "--list"}).out, "b.one\n");
  const Ran slip = run({"--where", "family:a and not chek:x"});
  EXPECT_EQ(slip.status, 3);
  EXPECT_THAT(slip.err, HasSubstr("--where: column 18: unknown field \"chek\"; did you mean "
                                  "\"check\"?"));
  EXPECT_THAT(run({"b.*", "--where", "family:a"}).err,
              HasSubstr("--where: expected a scenario of which it is true, found none"));
}

TEST_F(Selecting, takes_names_from_a_file) {
  place.write("names.txt", "# two\na.one\n\nb.*  # all of them\n");
  EXPECT_EQ(run({"@names.txt", "--list"}).out, "a.one\nb.one\n");
  EXPECT_EQ(run({"--exclude", "@names.txt", "--list"}).out, "a.two\n");
  place.write("names.txt", "b.one\na.onee\n");
  const Ran slip = run({"@names.txt"});
  EXPECT_EQ(slip.status, 3);
  EXPECT_EQ(slip.err, "names.txt:2: no scenario matches \"a.onee\"; did you mean \"a.one\"?\n");
  place.write("names.txt", "# none\n");
  EXPECT_EQ(run({"@names.txt"}).err, "names.txt: expected names, one a line, found none\n");
  place.write("names.txt", "a.one a.two\n");
  EXPECT_EQ(run({"@names.txt"}).err,
            "names.txt:1: expected one name a line, found more than one\n");
  EXPECT_EQ(run({"@nowhere.txt"}).status, 3);
}

TEST_F(Selecting, says_which_seed_failed) {
  const Ran passing = run({"a.one", "--seeds", "2", "--seed", "7"});
  EXPECT_EQ(passing.status, 0) << passing.out << passing.err;
  EXPECT_THAT(passing.out, HasSubstr("PASS: 2 of 2 seeds; out/seeds.json"));
  json seeds = json::parse(place.read("out/seeds.json"));
  EXPECT_THAT(violations(seeds, "seeds.schema.json"), testing::IsEmpty());
  EXPECT_EQ(seeds["seeds"][1]["seed"], 8);
  EXPECT_EQ(seeds["seeds"][1]["result"], "seed-8/result.json");
  EXPECT_EQ(json::parse(place.read("out/seed-8/result.json"))["seed"], 8);

  const Ran failing =
      run({"a.*", "--seeds", "3", "--maxfail", "3", "--adapter", "mutant:no_restore"});
  EXPECT_EQ(failing.status, 1) << failing.out << failing.err;
  EXPECT_THAT(failing.out, HasSubstr("FAIL: 2 of 2 seeds failed: 1, 2; 1 seed not run"));
  EXPECT_THAT(failing.out, HasSubstr("--seed 2"));  // in the command that repeats it
  seeds = json::parse(place.read("out/seeds.json"));
  EXPECT_EQ(seeds["exit_status"], 1);
  EXPECT_EQ(seeds["seeds"][0]["failed"], json({"a.one", "a.two"}));
  EXPECT_EQ(seeds["pending"], json({3}));
  EXPECT_THAT(run({"--seeds", "2", "--resume"}).err,
              HasSubstr("--seeds: expected no --last-failed, --resume or --shard"));
}

TEST_F(Selecting, says_what_took_longest) {
  const Ran ran = run({"--durations", "2"});
  EXPECT_THAT(ran.out, testing::ContainsRegex(" s +[ab]\\.[a-z]+\n[0-9.]+ s +[ab]\\.[a-z]+\n$"));
}

}  // namespace
}  // namespace tunecheck::test
