#include <sstream>

#include <gmock/gmock.h>

#include "judge/checks/table/check.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

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
