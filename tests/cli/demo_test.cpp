#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::map<std::string, std::string> verdicts_in(const Place& place, const std::string& file) {
  std::map<std::string, std::string> verdicts;
  const json result = json::parse(place.read(file));
  for (const json& scenario : result["scenarios"])
    verdicts[scenario["name"]] = scenario["verdict"];
  return verdicts;
}

TEST(Demo, shows_a_broken_tuner_the_repaired_one_and_the_report) {
  const Place place;
  const Ran ran = place.run({"demo"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
  // In this order.
  std::size_t at = 0;
  for (const char* text :
       {"1. A broken tuner", "no_restore:", "--adapter mutant:no_restore --out out/demo/broken\n",
        "FAIL   restore.first_result_is_right", "check     inputs.pristine",
        "check     output.reference", "elements wrong", "repeat ", "FAIL: 2 of 3 scenarios failed",
        "2. The repaired tuner", "--adapter reference --out out/demo/repaired\n",
        "PASS: 3 of 3 scenarios", "3. The report of both", "/out/demo/report.html"}) {
    const std::size_t found = ran.out.find(text, at);
    ASSERT_NE(found, std::string::npos) << text << "\nin\n" << ran.out;
    at = found;
  }
  EXPECT_EQ(verdicts_in(place, "out/demo/broken/result.json"),
            (std::map<std::string, std::string>{{"restore.first_result_is_right", "fail"},
                                                {"restore.two_overwritten_arguments", "fail"},
                                                {"restore.out_of_place_control", "pass"}}));
  EXPECT_EQ(verdicts_in(place, "out/demo/repaired/result.json"),
            (std::map<std::string, std::string>{{"restore.first_result_is_right", "pass"},
                                                {"restore.two_overwritten_arguments", "pass"},
                                                {"restore.out_of_place_control", "pass"}}));
  const std::string page = place.read("out/demo/report.html");
  EXPECT_THAT(page, HasSubstr("mutant:no_restore"));
  EXPECT_THAT(page, HasSubstr("restore.two_overwritten_arguments"));
}

TEST(Demo, is_whole_where_the_environment_asks_for_a_part_and_elsewhere_than_in_out) {
  const Place place;
  const Ran ran = place.run({"demo", "--out", "shown"}, {{"TUNECHECK_SHARD", "1/3"}});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("PASS: 3 of 3 scenarios"));
  EXPECT_FALSE(place.has("out"));
}

TEST(Demo, without_a_compiler_is_one_line_and_nothing_is_promised) {
  const Place place;
  const Ran ran = place.run({"demo"}, {{"PATH", "/nowhere"}});
  EXPECT_EQ(ran.status, 4);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("no C++ compiler: set TUNECHECK_CXX or install g++ or clang++"));
  EXPECT_FALSE(place.has("out"));
}

// It does not say that a bug was found because one was planted.
TEST(Demo, a_broken_tuner_that_passes_is_no_demonstration) {
  const Place place;
  std::string asks_nothing;
  for (const char* name : {"restore.first_result_is_right", "restore.two_overwritten_arguments",
                           "restore.out_of_place_control"})
    asks_nothing += "scenario\n{\n  name " + std::string(name) +
                    "\n  because \"nothing\"\n  kernel rmsnorm\n"
                    "  steps { process cold { call { expect { cache miss } } } }\n}\n";
  const Environment root = place.make_root(asks_nothing);
  const Ran ran = place.run({"demo"}, root);
  EXPECT_EQ(ran.status, 4) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("expected that the broken tuner fails, found that it passes"));
  EXPECT_THAT(ran.out, Not(HasSubstr("The repaired tuner")));
}

}  // namespace
}  // namespace tunecheck::test
