// tunecheck.info: where it is found, what counts more, and what a mistake in it is told.
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Config : testing::Test {
  Config() {
    place.write("mine.info", axpy_scenario("a.one") + axpy_scenario("b.one"));
    fs::create_directories(place.path() / "below/deep");
  }
  void write(const std::string& text) const { place.write("tunecheck.info", text); }
  [[nodiscard]] std::string listed_below(const std::string& more = "",
                                         const Environment& further = {}) const {
    return place.shell("cd below/deep && tunecheck run --list " + more, further).out;
  }
  Place place;
};

TEST_F(Config, is_found_above_and_its_paths_are_those_of_its_folder) {
  write("run { scenarios mine.info  exclude \"b.*\" }\n");
  EXPECT_EQ(place.run({"run", "--list"}).out, "a.one\n");
  EXPECT_EQ(listed_below(), "a.one\n");
  EXPECT_THAT(listed_below("--no-config"), HasSubstr("restore.first_result_is_right\n"));
  EXPECT_THAT(place.run({"--no-config", "run", "--list"}).out, HasSubstr("restore.first_result"));
}

TEST_F(Config, what_is_typed_counts_more_than_a_command_and_that_more_than_every) {
  write("every { seed 5  scenarios mine.info }\nrun { exclude \"a.*\" }\n");
  EXPECT_EQ(listed_below(), "b.one\n");
  EXPECT_EQ(listed_below("--exclude 'b.*'"), "a.one\n");
  EXPECT_EQ(place.run({"run"}).status, 0);
  EXPECT_EQ(json::parse(place.read("out/result.json"))["seed"], 5);
  write("every { seed 5  scenarios mine.info }\nrun { seed 6 }\n");
  EXPECT_EQ(place.run({"run", "a.one"}).status, 0);
  EXPECT_EQ(json::parse(place.read("out/result.json"))["seed"], 6);
  EXPECT_EQ(place.run({"run", "a.one", "--seed", "7"}).status, 0);
  EXPECT_EQ(json::parse(place.read("out/result.json"))["seed"], 7);
}

TEST_F(Config, an_option_that_rules_another_out_does_so_from_the_command_line) {
  write("run { scenarios mine.info  verbose yes  maxfail 2 }\n");
  const Ran verbose = place.run({"run", "a.one"});
  EXPECT_THAT(verbose.out, StartsWith("with the options of "));
  EXPECT_THAT(verbose.out, HasSubstr("pass a.one"));
  const Ran quiet = place.run({"run", "-q", "-x", "a.one"});
  EXPECT_EQ(quiet.status, 0);
  EXPECT_THAT(quiet.out, StartsWith("PASS: 1 of 1"));
  write("run { scenarios mine.info  verbose no }\n");
  EXPECT_THAT(place.run({"run", "a.one"}).out, Not(HasSubstr("pass a.one")));
}

TEST_F(Config, a_variable_names_another_or_none) {
  write("run { scenarios mine.info }\n");
  place.write("other.info", "run { scenarios mine.info  exclude \"a.*\" }\n");
  const std::string other = (place.path() / "other.info").string();
  EXPECT_EQ(listed_below("", {{"TUNECHECK_CONFIG", other}}), "b.one\n");
  EXPECT_THAT(listed_below("", {{"TUNECHECK_CONFIG", ""}}), HasSubstr("restore.first_result"));
  EXPECT_EQ(place.run({"run", "--list"}, {{"TUNECHECK_CONFIG", "nowhere.info"}}).status, 3);
}

TEST_F(Config, the_search_ends_at_a_repository_at_home_and_where_all_may_write) {
  write("run { scenarios mine.info }\n");
  EXPECT_EQ(listed_below(), "a.one\nb.one\n");
  EXPECT_THAT(listed_below("", {{"HOME", place.path().string()}}), HasSubstr("restore.first"));
  fs::create_directories(place.path() / "below/.git");
  EXPECT_THAT(listed_below(), HasSubstr("restore.first_result"));
  fs::remove(place.path() / "below/.git");
  fs::permissions(place.path() / "below", fs::perms::all);
  EXPECT_THAT(listed_below(), HasSubstr("restore.first_result"));
}

TEST_F(Config, a_command_that_repeats_a_scenario_does_not_depend_on_it) {
  write("run { scenarios mine.info  adapter mutant:no_restore  exclude \"b.*\" }\n");
  EXPECT_EQ(place.run({"run"}).status, 1);
  const json result = json::parse(place.read("out/result.json"));
  ASSERT_EQ(result["scenarios"].size(), 1U);
  const std::string repeat = result["scenarios"][0]["repro"];
  EXPECT_THAT(repeat, HasSubstr("--no-config"));
  write("run { exclude \"a.*\" }\n");
  EXPECT_EQ(place.shell(repeat).status, 1) << repeat;
}

TEST_F(Config, doctor_says_which_one_is_used) {
  write("every { jobs 1 }\n");
  EXPECT_THAT(place.run({"doctor"}).out, HasSubstr((place.path() / "tunecheck.info").string()));
  EXPECT_THAT(place.run({"doctor", "--no-config"}).out,
              HasSubstr("none: there is no tunecheck.info"));
}

TEST_F(Config, a_mistake_has_its_file_line_and_key) {
  struct Mistake {
    const char* text;
    const char* said;  ///< behind the name of the file
  };
  for (const Mistake& mistake :
       {Mistake{"\nrunn { jobs 1 }\n", ":2: runn: unknown command \"runn\"; did you mean \"run\"?"},
        {"run { job 1 }\n", ":1: job: unknown option \"job\"; did you mean \"jobs\"?"},
        {"run\n{\n  jobs two\n}\n",
         ":3: jobs: expected a whole number from 1 to 4096, found \"two\""},
        {"run { jobs 1  jobs 2 }\n", ":1: jobs: expected once"},
        {"run { jobs }\n", ":1: jobs: expected a value"},
        {"run { keep perhaps }\n", ":1: keep: expected yes or no, found \"perhaps\""},
        {"run { backend cpuu }\n", ":1: backend: unknown backend \"cpuu\""},
        {"run { kernels nowhere }\n", ":1: kernels: expected a folder, found"},
        {"run { last-failed yes }\n",
         ":1: last-failed: expected an option for every run, found one for a single run"},
        {"run yes\n", ":1: run: expected braces with options"},
        {"every { jobss 1 }\n", ":1: jobss: unknown option \"jobss\"; did you mean \"jobs\"?"},
        // Whatever the command is.
        {"kernels { prove { szie smoke } }\n", ":1: szie: unknown option \"szie\""},
        {"kernels\n{\n  prove { backend cpuu }\n}\n", ":3: backend: unknown backend \"cpuu\""},
        {"gate { calibrate { sessions many } }\n", ":1: sessions: expected a whole number"},
        {"every { sessions many }\n", ":1: sessions: expected a whole number"},
        // One pair of braces for a command: the second would be silently ignored.
        {"run { jobs 1 }\nrun { seed 2 }\n", ":2: run: expected once"},
        {"every { jobs 1 }\n\nevery { seed 2 }\n", ":3: every: expected once"},
        {"kernels { prove { size smoke }\n prove { size full } }\n", ":2: prove: expected once"},
        {"run { quiet yes\n verbose yes }\n", ":2: verbose: expected without \"quiet\""},
        {"every { verbose yes\n quiet yes }\n", ":2: quiet: expected without \"verbose\""},
        {"run { maxfail 2\n x yes }\n", ":2: x: unknown option \"x\""},
        {"cache { gc { limit 64M } }\n",
         ":1: cache: expected another command: `tunecheck cache` reads no tunecheck.info"},
        {"every { dry-run yes }\n", ":1: dry-run: unknown option \"dry-run\""},
        // What only the command can judge.
        {"run\n{\n  where \"family:restor\"\n}\n",
         ":3: where: column 8: unknown family \"restor\"; did you mean \"restore\"?"},
        {"every { jobs 1\n adapter refrence }\n", ":2: adapter: unknown adapter \"refrence\""},
        {"run { exclude \"restore.*\"\n exclude \"restor.*\" }\n",
         ":2: exclude: no scenario matches \"restor.*\"; did you mean \"restore.*\"?"},
        {"run {\n", ":"}}) {
    write(mistake.text);
    const Ran ran = place.run({"run", "--list"});
    EXPECT_EQ(ran.status, 3) << mistake.text;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr(std::string("tunecheck.info") + mistake.said));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

// What is ignored without a word is looked for a long time.
TEST_F(Config, that_is_no_file_is_a_mistake_and_not_passed_over) {
  const auto refused = [&](const std::string& found) {
    const Ran ran = place.run({"run", "--list"});
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.err, (place.path() / "tunecheck.info").string() + ": expected a file, found " +
                           found + "\n");
    EXPECT_EQ(place.run({"run", "--list", "--no-config"}).status, 0);
  };
  fs::create_directory(place.path() / "tunecheck.info");
  refused("a folder");
  fs::remove(place.path() / "tunecheck.info");
  fs::create_symlink("nowhere.info", place.path() / "tunecheck.info");
  refused("a link to nothing");
  write("run { scenarios mine.info }\n");  // through the link
  EXPECT_EQ(place.run({"run", "--list"}).out, "a.one\nb.one\n");
}

TEST_F(Config, a_value_that_is_typed_is_not_said_to_be_in_the_file) {
  write("run { scenarios mine.info  where \"family:a\" }\n");
  EXPECT_THAT(place.run({"run", "--where", "family:restor"}).err,
              StartsWith("tunecheck: --where: column 8"));
}

TEST_F(Config, an_option_of_every_that_one_command_takes_otherwise_is_no_mistake) {
  // `report` wants a file, `run` a folder: each command judges for itself.
  write("every { format json }\n");
  EXPECT_EQ(place.run({"run", "--list"}).status, 0);
  EXPECT_EQ(place.run({"checks", "list"}).status, 0);
}

TEST_F(Config, of_a_command_within_a_command_has_braces_in_braces) {
  write("kernels { prove { size nosuch } }\n");
  EXPECT_THAT(place.run({"kernels", "prove", "axpy_inplace"}).err,
              HasSubstr("unknown size \"nosuch\""));
  EXPECT_EQ(place.run({"kernels", "list"}).status, 0);
}

}  // namespace
}  // namespace tunecheck::test
