#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "judge/checks/table/check.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(RunList, prints_the_names_that_would_run_and_runs_none) {
  const Place place;
  const std::string file =
      place.write("two.info", axpy_scenario("cli.two") + axpy_scenario("cli.one"));
  const Ran all = place.run({"run", "--list", "--scenarios", file});
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(all.out, "cli.one\ncli.two\n");
  EXPECT_EQ(place.run({"run", "--list", "*.two", "--scenarios", file}).out, "cli.two\n");
  EXPECT_FALSE(place.has("out"));
}

TEST(RunList, an_option_that_may_be_repeated_does_not_swallow_the_globs) {
  const Place place;
  place.write("a/one.info", axpy_scenario("cli.one"));
  place.write("b/two.info", axpy_scenario("cli.two"));
  const Ran ran = place.run({"run", "--list", "--scenarios", "a", "--scenarios", "b", "*.one"});
  EXPECT_EQ(ran.out, "cli.one\n") << ran.err;
}

TEST(Select, a_glob_that_matches_nothing_is_bad_input) {
  const Place place;
  const std::string file = place.write("one.info", axpy_scenario("cli.one"));
  const Ran ran = place.run({"run", "cli.*", "nothing.*", "--scenarios", file});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("\"nothing.*\""));
  EXPECT_FALSE(place.has("out"));
}

TEST(Select, a_mutant_that_does_not_exist_is_bad_input) {
  const Place place;
  const Ran ran = place.run({"audit", "--mutant", "no_such_*"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("no mutant matches \"no_such_*\""));
}

TEST(Scenarios, list_shows_name_kernel_and_because) {
  const Place place;
  const std::string file = place.write("one.info", axpy_scenario("cli.one"));
  const Ran ran = place.run({"scenarios", "list", file});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "cli.one  (axpy_inplace)\n    a trial must not be seen by the caller\n");
}

TEST(Scenarios, check_says_how_many_were_read) {
  const Place place;
  const std::string file =
      place.write("two.info", axpy_scenario("cli.one") + axpy_scenario("cli.two"));
  const Ran ran = place.run({"scenarios", "check", file});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "2 scenarios read, no mistake found\n");
}

TEST(Scenarios, those_of_tunecheck_itself_have_no_mistake) {
  const Ran ran = Place().run({"scenarios", "check"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

// Each list, as its schema says, and in it what somebody looks for.
TEST(Lists, are_there_for_programs) {
  struct List {
    std::string command, field, name;
  };
  for (const List& list : {List{"scenarios", "scenarios", "restore.first_result_is_right"},
                           {"checks", "checks", "inputs.pristine"},
                           {"kernels", "kernels", "rmsnorm"},
                           {"adapters", "adapters", "reference"},
                           {"mutants", "mutants", "no_restore"}}) {
    const Ran ran = Place().run({list.command, "list", "--json"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const json document = json::parse(ran.out);
    EXPECT_THAT(violations(document, list.command + "-list.schema.json"), testing::IsEmpty());
    const auto& items = document[list.field];
    EXPECT_TRUE(std::any_of(items.begin(), items.end(), [&](const json& item) {
      return item["name"] == list.name;
    })) << list.command;
    // For people there is as much.
    EXPECT_THAT(Place().run({list.command, "list"}).out, HasSubstr(list.name));
  }
}

TEST(Lists, say_what_is_to_be_known_of_a_scenario) {
  const Place place;
  const std::string file = place.write("one.info", axpy_scenario("cli.one"));
  const json list = json::parse(place.run({"scenarios", "list", file, "--json"}).out);
  ASSERT_EQ(list["scenarios"].size(), 1U);
  const json& scenario = list["scenarios"][0];
  EXPECT_EQ(scenario["family"], "cli");
  EXPECT_EQ(scenario["kernel"], "axpy_inplace");
  EXPECT_EQ(scenario["file"], file);
  EXPECT_EQ(scenario["line"], 1);
  EXPECT_EQ(scenario["devices"], json({"cpu", "cuda", "hip"}));
  EXPECT_THAT(scenario["checks"].dump(), HasSubstr("inputs.pristine"));
}

TEST(Lists, of_scenarios_take_a_condition) {
  const Place place;
  const std::string file =
      place.write("two.info", axpy_scenario("cli.one") + axpy_scenario("other.two"));
  EXPECT_EQ(place.run({"scenarios", "list", file, "--where", "family:other"}).out,
            "other.two  (axpy_inplace)\n    a trial must not be seen by the caller\n");
  EXPECT_EQ(place.run({"scenarios", "list", file, "--where", "family:othr"}).err,
            "tunecheck: --where: column 8: unknown family \"othr\"; did you mean \"other\"?\n");
}

// What `mutants list` names is what --adapter takes.
TEST(Lists, of_mutants_name_adapters) {
  const Place place;
  const json list = json::parse(place.run({"mutants", "list", "--json"}).out);
  std::string all;
  for (const json& mutant : list["mutants"])
    all += mutant["adapter"].get<std::string>() + "\n";
  EXPECT_THAT(all, HasSubstr("mutant:no_restore\n"));
  EXPECT_THAT(all, HasSubstr("adversary:"));
  EXPECT_THAT(place.run({"mutants", "list", "--adapter", "refrence"}).err,
              HasSubstr("--adapter: unknown adapter \"refrence\"; did you mean \"reference\"?"));
}

TEST(Kernels, list_names_each_with_its_summary) {
  const Ran ran = Place().run({"kernels", "list"});
  EXPECT_EQ(ran.status, 0);
  for (const char* name : {"axpy_inplace", "fused_add_rmsnorm", "histogram_accumulate", "rmsnorm",
                           "transpose_strided", "relax_until_converged"})
    EXPECT_THAT(ran.out, HasSubstr(name));
}

TEST(Checks, list_names_each_check_once) {
  const Ran ran = Place().run({"checks", "list"});
  EXPECT_EQ(ran.status, 0);
  std::istringstream lines(ran.out);
  std::map<std::string, int> seen;
  for (std::string word; lines >> word;)
    ++seen[word];
  ASSERT_FALSE(all_checks().empty());
  for (const Check& check : all_checks())
    EXPECT_EQ(seen[std::string(check.name)], 1) << check.name;
}

}  // namespace
}  // namespace tunecheck::test
