// Audits, matrices and sessions that are divided among machines, and `tunecheck merge` of them.
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Two scenarios that catch one mutant: with the true tuner, four tasks.
struct Divided : testing::Test {
  Divided() {
    place.write("mine.info", catching("a.one") + catching("a.two") + axpy_scenario("b.one"));
  }
  static std::string catching(const std::string& name) {
    std::string text = axpy_scenario(name);
    text.insert(text.rfind('}'), "  catches no_restore\n");
    return text;
  }
  Ran audit(const std::string& part, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = {
        "audit",    "--scenarios", "mine.info",
        "--mutant", "no_restore",  "--jobs",
        "1",        "--out",       "out/" + part.substr(0, part.find('/'))};
    if (part.find('/') != part.npos) all.insert(all.end(), {"--shard", part});
    all.insert(all.end(), more.begin(), more.end());
    return place.run(all);
  }
  Ran matrix(const std::string& part, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = {"matrix",
                                    "--adapter",
                                    "reference",
                                    "--adapter",
                                    "mutant:no_restore",
                                    "--scenarios",
                                    "mine.info",
                                    "--jobs",
                                    "1",
                                    "--shard",
                                    part,
                                    "--runs",
                                    "out/" + part.substr(0, part.find('/'))};
    all.insert(all.end(), more.begin(), more.end());
    return place.run(all);
  }
  json read(const std::string& file) { return json::parse(place.read(file)); }
  Place place;
};

TEST_F(Divided, parts_of_an_audit_are_the_audit) {
  ASSERT_EQ(audit("whole").status, 0);
  for (const char* const part : {"1/3", "2/3", "3/3"}) {
    const Ran ran = audit(part);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("PART: " + std::string(1, part[0]) + " of 3"));
  }
  const Ran merged = place.run(
      {"merge", "out/1/audit.json", "out/2/audit.json", "out/3/audit.json", "--out", "out/merged"});
  EXPECT_EQ(merged.status, 0) << merged.out << merged.err;
  const json whole = read("out/whole/audit.json"), joined = read("out/merged/audit.json");
  EXPECT_EQ(joined["kills"].size(), 2U);
  EXPECT_EQ(joined["kills"], whole["kills"]);
  EXPECT_EQ(joined["mutants"], whole["mutants"]);
  EXPECT_EQ(joined["reference"]["scenarios"].size(), whole["reference"]["scenarios"].size());
  EXPECT_FALSE(joined.contains("shard"));
}

TEST_F(Divided, parts_that_make_no_whole_audit_are_refused) {
  for (const char* const part : {"1/2", "2/2"})
    ASSERT_EQ(audit(part).status, 0);
  const Ran missing = place.run({"merge", "out/2/audit.json", "--out", "out/merged"});
  EXPECT_EQ(missing.status, 4);
  EXPECT_THAT(missing.err, HasSubstr("part 1 of 2 is missing"));
  const Ran twice =
      place.run({"merge", "out/1/audit.json", "out/1/audit.json", "--out", "out/merged"});
  EXPECT_EQ(twice.status, 4);
  EXPECT_THAT(twice.err, HasSubstr("part 1 of 2 is there twice"));
  json other = read("out/2/audit.json");
  other["reference"]["environment"]["tunecheck_commit"] = "another";
  place.write("other.json", other.dump());
  const Ran commit = place.run({"merge", "out/1/audit.json", "other.json", "--out", "out/merged"});
  EXPECT_EQ(commit.status, 4);
  EXPECT_THAT(commit.err, HasSubstr("expected the commit of tunecheck"));
  ASSERT_EQ(audit("2/2", {"--seed", "9"}).status, 0);
  const Ran seed =
      place.run({"merge", "out/1/audit.json", "out/2/audit.json", "--out", "out/merged"});
  EXPECT_EQ(seed.status, 4);
  EXPECT_THAT(seed.err, HasSubstr("expected the seed 1 of out/1/audit.json, found 9"));
  EXPECT_EQ(audit("1/9").status, 3);
  EXPECT_EQ(place.run({"merge", "out/1/audit.json", "--out", "out/1"}).status, 3);
}

TEST_F(Divided, a_bug_that_no_part_catches_is_missed_by_the_whole) {
  place.write("mine.info", catching("a.one"));
  ASSERT_EQ(audit("1/2").status, 0);
  ASSERT_EQ(audit("2/2").status, 0);
  for (const char* const part : {"1", "2"}) {
    json audited = read(std::string("out/") + part + "/audit.json");
    for (json& kill : audited["kills"])
      kill["verdict"] = "unsupported", kill["checks"] = json::array();
    place.write(std::string(part) + ".json", audited.dump());
  }
  const Ran merged = place.run({"merge", "1.json", "2.json", "--out", "out/merged"});
  EXPECT_EQ(merged.status, 1) << merged.out << merged.err;
  EXPECT_EQ(read("out/merged/audit.json")["surviving_mutants"], json({"no_restore"}));
}

TEST_F(Divided, parts_of_a_matrix_are_the_runs_of_its_tuners) {
  int count = 0;
  std::vector<std::string> merge = {"merge", "--out", "out/merged"};
  for (const char* const part : {"1/4", "2/4", "3/4", "4/4"}) {
    const Ran ran = matrix(part);
    EXPECT_LE(ran.status, 1) << ran.out << ran.err;
    for (const char* const tuner : {"reference-cpu", "mutant-no_restore-cpu"}) {
      const std::string file =
          "out/" + std::string(1, part[0]) + "/" + tuner + std::string("/result.json");
      count += static_cast<int>(read(file)["scenarios"].size());
      merge.push_back(file);
    }
  }
  EXPECT_EQ(count, 6);
  const Ran merged = place.run(merge);
  EXPECT_EQ(merged.status, 1) << merged.out << merged.err;
  EXPECT_EQ(read("out/merged/reference-cpu/result.json")["counts"]["pass"], 3);
  EXPECT_EQ(read("out/merged/mutant-no_restore-cpu/result.json")["counts"]["fail"], 3);
  EXPECT_THAT(merged.out, HasSubstr("mutant:no_restore"));

  // A table of results is divided by nothing, whatever the job says.
  EXPECT_EQ(
      place.run({"matrix", "out/merged/reference-cpu/result.json"}, {{"TUNECHECK_SHARD", "1/2"}})
          .status,
      0);

  // A tuner of which nothing is given is missing, and so is one of its parts.
  std::vector<std::string> some = {"merge", "--out", "out/some"};
  for (const std::string& word : merge)
    if (word.find("reference-cpu") != word.npos) some.push_back(word);
  const Ran without = place.run(some);
  EXPECT_EQ(without.status, 4);
  EXPECT_THAT(without.err, HasSubstr("found none of mutant:no_restore"));
  merge.pop_back();
  const Ran lost = place.run(merge);
  EXPECT_EQ(lost.status, 4);
  EXPECT_THAT(lost.err, HasSubstr("part 4 of 4 of mutant:no_restore is missing"));
}

TEST_F(Divided, parts_of_different_things_are_refused) {
  ASSERT_EQ(audit("1/2").status, 0);
  ASSERT_LE(matrix("1/2").status, 1);
  const Ran mixed = place.run(
      {"merge", "out/1/audit.json", "out/1/reference-cpu/result.json", "--out", "out/merged"});
  EXPECT_EQ(mixed.status, 3);
  EXPECT_THAT(mixed.err, HasSubstr("expected audit.json like out/1/audit.json, found result.json"));
}

TEST(DividedSessions, are_played_once_and_become_one_file) {
  const Place place;
  for (const char* const part : {"1/2", "2/2"}) {
    const Ran ran = place.run({"gate", "calibrate", "--real", "3", "--shard", part, "--out",
                               std::string("out/") + part[0]});
    ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("of 2, of 3 sessions: `tunecheck merge`"));
  }
  const std::vector<std::string> merge = {"merge", "out/1/sessions.jsonl", "out/2/sessions.jsonl",
                                          "--out", "out/merged"};
  const Ran merged = place.run(merge);
  EXPECT_EQ(merged.status, 0) << merged.out << merged.err;
  std::istringstream text(place.read("out/merged/sessions.jsonl"));
  std::vector<int> numbers;
  for (std::string line; std::getline(text, line);) {
    numbers.push_back(json::parse(line)["number"]);
    EXPECT_FALSE(json::parse(line).contains("part"));
  }
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3}));
  const Ran missing = place.run({"merge", "out/1/sessions.jsonl", "--out", "out/merged"});
  EXPECT_EQ(missing.status, 4);
  EXPECT_THAT(missing.err, HasSubstr("part 2 of 2 is missing"));
  // What another command has begun is no part of this one.
  const Ran other =
      place.run({"gate", "calibrate", "--real", "4", "--shard", "2/2", "--out", "out/2"});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("part: expected sessions of \"part 2 of 2, of 4 sessions\""));
  EXPECT_EQ(place.run({"gate", "calibrate", "--shard", "1/2"}).status, 3);
  EXPECT_EQ(place.run({"gate", "calibrate", "--real", "1", "--shard", "1/2"}).status, 3);
}

}  // namespace
}  // namespace tunecheck::test
