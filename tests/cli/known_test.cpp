// `tunecheck run` of a tuner whose failures are marked as known, from the marks to the reports.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/resources.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

std::string mark(const std::string& scenario, const std::string& checks, const std::string& until) {
  return "known\n{\n  scenario " + scenario + "\n" + checks +
         "  reason \"nothing is restored yet\"\n  link https://example.org/1\n  until " + until +
         "\n}\n";
}

const std::string holds = "9999-12-31";

class Known : public testing::Test {
 protected:
  Known() { place.write("mine.info", axpy_scenario("cli.mine")); }

  Ran run(const std::string& marks, const std::string& adapter = "mutant:no_restore") const {
    place.write("known.info", marks);
    return place.run(
        {"run", "--scenarios", "mine.info", "--adapter", adapter, "--known", "known.info"});
  }
  json result() const { return json::parse(place.read("out/result.json")); }

  const Place place;
};

TEST_F(Known, failures_are_counted_and_explained_and_the_run_succeeds) {
  const Ran ran = run(mark("cli.mine", "", holds));
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n  cli.mine  "));
  EXPECT_THAT(ran.out, HasSubstr("nothing is restored yet; until"));
  EXPECT_THAT(ran.out, HasSubstr("9999-12-31"));
  EXPECT_THAT(ran.out, HasSubstr("https://example.org/1"));
  EXPECT_THAT(ran.out, HasSubstr("NO NEW FAILURE: 0 of 1 scenario held; 1 known failure;"));
  EXPECT_EQ(result()["counts"]["known"], 1);
  EXPECT_EQ(result()["scenarios"][0]["verdict"], "known");
  EXPECT_EQ(result()["scenarios"][0]["known"]["until"], "9999-12-31");
  EXPECT_THAT(place.read("out/junit.xml"), HasSubstr("<skipped message=\"known failure until"));
}

TEST_F(Known, the_line_that_repeats_a_scenario_has_the_marks_too) {
  (void)run(mark("cli.mine", "", holds));
  const std::string repro = result()["scenarios"][0]["repro"];
  EXPECT_THAT(repro, HasSubstr("--known "));
  EXPECT_EQ(place.shell(repro).status, 0) << repro;
}

TEST_F(Known, a_failure_of_another_check_fails_the_run) {
  const Ran ran = run(mark("cli.mine", "  checks guard.intact\n", holds));
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("FAIL   cli.mine"));
  EXPECT_THAT(ran.out, ContainsRegex("message +it fails in inputs.pristine"));
}

TEST_F(Known, an_expired_mark_fails_the_run_and_says_what_it_said) {
  const Ran ran = run(mark("cli.mine", "", "2001-01-31"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("expired on 2001-01-31; it said:"));
  EXPECT_THAT(place.read("out/junit.xml"), HasSubstr("<failure message=\"the mark in known.info:1 "
                                                     "expired on 2001-01-31"));
}

TEST_F(Known, an_unexpected_pass_fails_the_run_and_asks_to_remove_the_mark) {
  const Ran ran = run(mark("cli.mine", "", holds), "reference");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("FAIL   cli.mine"));
  EXPECT_THAT(ran.out, ContainsRegex("message +it passes, but known.info:1 marks it"));
  EXPECT_EQ(result()["scenarios"][0]["verdict"], "fail");
}

TEST_F(Known, what_is_marked_and_not_selected_is_ignored) {
  const Ran ran = run(mark("restore.first_result_is_right", "", holds), "reference");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST_F(Known, a_mistake_is_found_before_anything_runs) {
  const Ran ran = run(mark("cli.mien", "", holds));
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err,
              StartsWith("known.info:3: scenario: unknown scenario \"cli.mien\"; did you"));
  EXPECT_FALSE(place.has("out"));
}

// An adapter brings its marks along, and they are the adapter's alone.
TEST(KnownOfAnAdapter, lies_beside_its_adapter_info_and_does_not_hold_for_mutants) {
  const Place place;
  const Environment root = place.make_root(axpy_scenario("cli.mine"));
  place.write("root/adapters/own/known.info", mark("cli.mine", "", holds));
  const Ran ran = place.run({"run"}, root);
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("it passes, but\n +.*/own/known.info:1[ \n]+marks"));
  const Ran mutant = place.run({"run", "--adapter", "mutant:no_restore"}, root);
  EXPECT_EQ(mutant.status, 1);
  EXPECT_THAT(mutant.out, StartsWith("fail cli.mine"));
}

}  // namespace
}  // namespace tunecheck::test
