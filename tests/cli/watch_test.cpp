// tunecheck watch, as a user runs it; what it finds is tested in tests/watch.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

struct Watch : testing::Test {
  Place place;
};

TEST_F(Watch, mistakes_in_the_command_line_are_one_line_and_status_3) {
  place.write("a-file", "");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{}, "expected a program after --"},
      {{"--", "no-such-program"}, "cannot start \"no-such-program\": no such program"},
      {{"--", "/etc"}, "it is not a program that may be executed"},
      {{"--at-most", "x", "--", "true"}, "--at-most: expected a size such as 64M, found \"x\""},
      {{"--allow", "NOPE", "--", "true"},
       "--allow: unknown word \"NOPE\". Expected one of: WRONG, "},
      {{"--cache", "A B", "--", "true"}, "--cache: expected the name of a variable"},
      {{"--cache", "PATH", "--", "true"}, "--cache: expected the name of a variable"},
      {{"--hide", "../x", "--", "true"}, "--hide: expected a path below your home"},
      {{"--hide", "/etc", "--", "true"}, "--hide: expected a path below your home"},
      {{"--runs", "0", "--", "true"}, "--runs"},
      {{"--time-limit", "0.01", "--", "true"}, "--time-limit"},
      {{"--baseline", "missing.json", "--", "true"}, "missing.json: cannot read"},
      {{"--ready-text", "x", "--ready-after", "1", "--", "true"},
       "--ready-text: expected one of --ready-text, --ready-file, --ready-after"},
      {{"--ready-after", "x", "--", "true"}, "--ready-after"},
      {{"--ready-text", "", "--", "true"}, "--ready-text: expected a text"},
      {{"--fresh", "--", "true"}, "--fresh: expected caches that can be stale"},
      {{"--edit", "true", "--use-my-caches", "--", "true"},
       "--edit: expected caches of the watch's own"},
      {{"--edit", "true", "--runs", "1", "--", "true"}, "--edit: expected a warm run"},
      {{"--cache", "MINE", "--use-my-caches", "--", "true"},
       "--cache: expected caches of the watch's own"},
      {{"--hide", ".mine", "--use-my-caches", "--", "true"},
       "--hide: expected caches of the watch's own"},
      {{"--out", "a-file", "--", "true"}, "a-file: --out: expected a folder, found a file"},
      {{"--edit", "echo no; exit 7", "--runs", "2", "--", "true"},
       "--edit: \"echo no; exit 7\" ended with exit status 7: no"},
      {{"--diff", "missing.json", "missing.json"}, "missing.json: cannot read"},
      {{"--diff", "a.json", "b.json", "--", "true"}, "expected no program next to --diff"},
      {{"--diff", "a.json", "b.json", "--runs", "2"}, "--runs: expected only where a program is"},
      {{"--diff", "a.json", "b.json", "--format", "xml"},
       "Expected one of: terminal, markdown, json"},
      {{"--diff", "a.json"}, "--diff"},
      {{"--format", "json", "--", "true"}, "--format: expected"},
  };
  for (const auto& [arguments, message] : mistakes) {
    std::vector<std::string> all = {"watch"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran ran = place.run(all);
    EXPECT_EQ(ran.status, 3) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(message));
    EXPECT_THAT(ran.err, testing::Not(HasSubstr("unknown option \"--\"")));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(Watch, where_nothing_was_seen_nothing_is_right) {
  const Ran ran = place.run({"watch", "--", "true"});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.out, HasSubstr("NOT TRUSTED: no compiler and no launch of a kernel was seen"));
}

// The program has the terminal's output and its arguments, and its status is shown.
TEST_F(Watch, the_program_speaks_and_ends_as_always) {
  const Ran ran =
      place.run({"watch", "--runs", "2", "--", "sh", "-c", "echo said $1; exit 7", "x", "-v"});
  EXPECT_THAT(ran.out, HasSubstr("said -v\n"));
  EXPECT_THAT(ran.out, HasSubstr("exit status 7"));
  EXPECT_EQ(ran.status, 4);
  const json result = json::parse(place.read("out/watch.json"));
  EXPECT_EQ(result["runs"].size(), 2U);
  EXPECT_EQ(result["runs"][0]["end"], "exit status 7");
}

TEST_F(Watch, a_program_that_never_becomes_ready_is_not_trusted) {
  place.write("k.c", "int k;\n");
  const Ran never =
      place.run({"watch", "--runs", "1", "--ready-text", "up", "--", "cc", "-c", "k.c"});
  EXPECT_EQ(never.status, 4);
  EXPECT_THAT(never.out, HasSubstr("NOT TRUSTED: the program never became ready"));
  const Ran late = place.run({"watch", "--runs", "1", "--ready-text", "up", "--", "sh", "-c",
                              "echo up; sleep 0.1; cc -c k.c"});
  EXPECT_EQ(late.status, 1);
  EXPECT_THAT(late.out, HasSubstr("LATE        compiled"));
  EXPECT_THAT(late.out, HasSubstr("(ready after"));
}

struct Compiles : Watch {
  Compiles() {
    place.write("k.c", "int k;\n");
    place.write("build.sh", "cc -c k.c -o k.o\n");
  }
  Ran watch(std::vector<std::string> options) {
    std::vector<std::string> all = {"watch", "--runs", "2"};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {"--", "sh", "build.sh"});
    return place.run(all);
  }
};

TEST_F(Compiles, a_compiler_in_a_warm_start_fails_unless_it_is_allowed_or_known) {
  const Ran found = watch({});
  EXPECT_EQ(found.status, 1) << found.out;
  EXPECT_THAT(found.out, HasSubstr("COMPILED"));
  EXPECT_THAT(found.out, HasSubstr("FAIL: 1 finding"));
  place.write("main.json", place.read("out/watch.json"));
  for (const std::vector<std::string>& excuse :
       {std::vector<std::string>{"--allow", "COMPILED"}, {"--baseline", "main.json"}}) {
    const Ran excused = watch(excuse);
    EXPECT_EQ(excused.status, 0) << excused.out;
    EXPECT_THAT(excused.out, HasSubstr("PASS: nothing new found in 2 runs; 1 finding allowed"));
  }
}

TEST_F(Compiles, its_report_repeats_the_watch_with_its_options) {
  place.write("my ready.txt", "");
  (void)watch({"--allow", "COMPILED", "--cache", "MY_CACHE", "--ready-file", "my ready.txt"});
  EXPECT_THAT(place.run({"report", "markdown", "out/watch.json"}).out,
              HasSubstr("tunecheck watch --runs 2 --cache MY_CACHE --ready-file 'my ready.txt' "
                        "--allow COMPILED -- sh build.sh"));
}

TEST_F(Compiles, two_watches_are_compared_and_only_what_is_new_is_worse) {
  (void)watch({});
  place.write("new.json", place.read("out/watch.json"));
  place.write("build.sh", "[ -e k.o ] || cc -c k.c -o k.o\n");
  std::filesystem::remove(place.path() / "k.o");
  (void)watch({});
  place.write("old.json", place.read("out/watch.json"));

  const Ran worse = place.run({"watch", "--diff", "old.json", "new.json"});
  EXPECT_EQ(worse.status, 1) << worse.err;
  EXPECT_THAT(worse.out, HasSubstr("\nnew         COMPILED: a warm start compiles"));
  EXPECT_THAT(worse.out, HasSubstr("\nwarm 1      compiles 0 -> 1, "));
  EXPECT_THAT(worse.out, HasSubstr("\nWORSE: 1 finding new; 0 findings fixed, 0 still there\n"));
  EXPECT_EQ(place.run({"watch", "--diff", "old.json", "new.json", "--allow", "COMPILED"}).status,
            0);
  const Ran better = place.run({"watch", "--diff", "new.json", "old.json"});
  EXPECT_EQ(better.status, 0);
  EXPECT_THAT(better.out, HasSubstr("\nfixed       COMPILED"));
  EXPECT_EQ(place.run({"watch", "--diff", "new.json", "new.json", "--quiet"}).out,
            "NOT WORSE: 0 findings fixed, 1 still there\n");

  const Ran markdown =
      place.run({"watch", "--diff", "old.json", "new.json", "--format", "markdown"});
  EXPECT_EQ(markdown.status, 1);
  EXPECT_THAT(markdown.out, StartsWith(":x: **WORSE: 1 finding new"));
  const json diff =
      json::parse(place.run({"watch", "--diff", "old.json", "new.json", "--format", "json"}).out);
  EXPECT_EQ(diff["before"], "old.json");
  EXPECT_EQ(diff["findings"][0]["change"], "new");
}

TEST_F(Compiles, a_watch_with_a_baseline_says_what_is_another) {
  (void)watch({});
  place.write("main.json", place.read("out/watch.json"));
  place.write("build.sh", "[ -e k.o ] || cc -c k.c -o k.o\n");
  std::filesystem::remove(place.path() / "k.o");
  const Ran ran = watch({"--baseline", "main.json"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("\nbefore      main.json\nfixed       COMPILED"));
  EXPECT_THAT(ran.out, HasSubstr("\nwarm 1      compiles 1 -> 0, "));
  EXPECT_THAT(ran.out, HasSubstr("\nPASS: nothing found in 2 runs\n"));
}

TEST_F(Compiles, reports_are_made_of_it) {
  (void)watch({});
  const Ran markdown = place.run({"report", "markdown", "out/watch.json"});
  EXPECT_THAT(markdown.out, HasSubstr("\n## :x: FAIL: 1 finding\n"));
  EXPECT_THAT(markdown.out, HasSubstr("| COMPILED |"));
  const Ran annotations = place.run({"report", "annotations", "out/watch.json"});
  EXPECT_THAT(annotations.out, StartsWith("::error title=COMPILED::a warm start compiles"));
  const json sarif = json::parse(place.run({"report", "sarif", "out/watch.json"}).out);
  EXPECT_EQ(sarif["runs"][0]["results"][0]["ruleId"], "COMPILED");
  const Ran junit = place.run({"report", "junit", "out/watch.json"});
  EXPECT_THAT(junit.out, HasSubstr("<testsuite name=\"watch\" tests=\"1\" failures=\"1\""));
  EXPECT_THAT(junit.out, HasSubstr("<failure message=\"COMPILED: a warm start compiles"));
  const Ran html = place.run({"report", "html", "out/watch.json"});
  if (html.status == 0)
    EXPECT_EQ(place.read("out/watch.html"), html.out) << "the page that watch writes by itself";
  else
    EXPECT_THAT(html.err, HasSubstr("ci/bootstrap --html"));
  const Ran base = place.run({"watch", "--baseline", "k.c", "--", "true"});
  EXPECT_EQ(base.status, 3);
  EXPECT_THAT(base.err, StartsWith("k.c:"));
}

}  // namespace
}  // namespace tunecheck::test
