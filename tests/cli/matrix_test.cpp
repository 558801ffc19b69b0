// `tunecheck matrix` from results, and from tuners that it runs.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string adapter(const std::string& name, const std::string& command,
                    const std::string& capabilities, const std::string& arguments = "") {
  return "adapter\n{\n  name " + name + "\n  command \"" + command + "\"\n  arguments \"" +
         arguments +
         "\"\n  cache_variable TUNECHECK_CACHE\n  compiler_variable TUNECHECK_CXX\n"
         "  backends cpu\n  capabilities \"" +
         capabilities + "\"\n}\n";
}

// A scenario of the same kernel that asks for a capability.
std::string scenario_with_needs(const std::string& name, const std::string& needs) {
  return "scenario\n{\n  name " + name +
         "\n  because \"a winner must be found again\"\n  kernel axpy_inplace\n  needs \"" + needs +
         "\"\n  steps\n  {\n    space { block 128  unroll 1 }\n"
         "    process cold { call { expect { cache miss } } }\n"
         "    process warm { call { expect { cache hit } } }\n  }\n}\n";
}

// Its adapters: own, the reference tuner; small, which declares nothing of a cache; dead, which
// ends with a complaint; absent, which is not there.
class MatrixCommand : public testing::Test {
 protected:
  MatrixCommand()
      : root(place.make_root(axpy_scenario("cli.axpy") +
                             scenario_with_needs("cli.reload", "cache"))) {
    const std::string reference = "tunecheck-adapter-reference";
    add("small", adapter("small", reference, "in_place strided space"));
    add("dead", adapter("dead", "/bin/sh", "cache in_place", "-c no_such_module"));
    add("absent", adapter("absent", "no-such-program", "cache in_place"));
  }

  void add(const std::string& name, const std::string& info) const {
    place.write("root/adapters/" + name + "/adapter.info", info);
  }
  Ran matrix(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "matrix");
    return place.run(arguments, root);
  }
  Ran run(const std::string& name, const std::string& out) const {
    return place.run({"run", "--adapter", name, "--out", out, "--jobs", "1"}, root);
  }

  const Place place;
  const Environment root;
};

TEST_F(MatrixCommand, of_two_results_shows_what_one_tuner_can_and_the_other_does_not_promise) {
  ASSERT_EQ(run("reference", "a").status, 0);
  ASSERT_EQ(run("small", "b").status, 0);
  const Ran ran = matrix({"a/result.json", "b/result.json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("^1 +reference [0-9.]+ on cpu, .+; 20[0-9-]+\n"));
  EXPECT_THAT(ran.out, ContainsRegex("\n2 +small \\(reference [0-9.]+\\) on cpu, "));
  EXPECT_THAT(ran.out, ContainsRegex("\nscenarios +2 pass +1 pass, 1 unsupported\n"));
  EXPECT_THAT(ran.out,
              ContainsRegex("\n  key.must_hit +1 pass +unsupported: capability\n +cache\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
}

TEST_F(MatrixCommand, runs_tuners_first_and_those_that_cannot_run_hide_nobody) {
  const Ran ran = matrix({"--adapter", "absent", "--adapter", "dead", "--adapter",
                          "mutant:no_restore", "--adapter", "reference", "--only", "cli.axpy",
                          "--format", "json", "--out", "matrix.json"});
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_THAT(ran.err, StartsWith("tunecheck: absent on cpu: there is no adapter: the program"));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("reference on cpu\ncli +1 of 1, [0-9.]+ s; 1 of 1\n"));
  const json matrix = json::parse(place.read("matrix.json"));
  ASSERT_EQ(matrix["tuners"].size(), 4U);
  EXPECT_THAT(matrix["tuners"][0]["trouble"], HasSubstr("there is no adapter"));
  EXPECT_EQ(matrix["tuners"][0]["pending"], json::array({"cli.axpy"}));
  EXPECT_EQ(matrix["tuners"][2]["scenarios"][0]["checks"]["inputs.pristine"], "fail");
  EXPECT_EQ(matrix["tuners"][3]["scenarios"][0]["checks"]["inputs.pristine"], "pass");
  EXPECT_TRUE(place.has("out/mutant-no_restore-cpu/result.json"));
  const Ran shown = this->matrix({"matrix.json"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("    DID NOT RUN: there is no adapter: the program"));
  EXPECT_THAT(shown.out, AllOf(HasSubstr("DID NOT RUN: none of its processes ever answered: "),
                               HasSubstr("exit status 127")));
}

TEST_F(MatrixCommand, a_run_has_the_name_of_the_folder_that_its_adapter_is_in) {
  const std::string folder = place.path().filename().string();
  place.write("adapter.info", adapter("here", "/bin/sh", "cache", "-c no_such_module"));
  place.write("adapter.info.d/adapter.info", adapter("d", "/bin/sh", "cache", "-c no_such_module"));
  place.write("deep/er/adapter.info", adapter("deep", "/bin/sh", "cache", "-c no_such_module"));
  matrix({"--adapter", "./adapter.info", "--adapter", "./deep/er/adapter.info", "--adapter",
          "./adapter.info.d/adapter.info", "--only", "cli.axpy"});
  EXPECT_TRUE(place.has("out/" + folder + "-cpu/result.json")) << folder;
  EXPECT_TRUE(place.has("out/adapter.info.d-cpu/result.json"));
  EXPECT_TRUE(place.has("out/deep-er-cpu/result.json"));
}

TEST_F(MatrixCommand, an_adapter_without_the_backend_is_a_column_that_says_so) {
  const Ran ran = matrix({"--adapter", "small", "--backend", "hip"});
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("DID NOT RUN: adapter \"small\" has no backend \"hip\""));
}

TEST_F(MatrixCommand, results_and_runs_come_together_and_the_last_run_counts) {
  ASSERT_EQ(run("reference", "a").status, 0);
  const Ran ran = matrix({"a/result.json", "--adapter", "reference", "--adapter", "small", "--only",
                          "cli.axpy", "--runs", "runs"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("\nscenarios +2 pass +1 pass\n"));
  EXPECT_TRUE(place.has("runs/small-cpu/result.json"));
}

TEST_F(MatrixCommand, marks_that_an_adapter_has_now_count_where_that_is_asked_for) {
  add("careless", adapter("careless", "tunecheck-adapter-mutants", "cache in_place strided space",
                          "--mutant no_restore"));
  ASSERT_EQ(place.run({"run", "cli.axpy", "--adapter", "careless", "--out", "a"}, root).status, 1);
  place.write("root/adapters/careless/known.info",
              "known\n{\n  scenario cli.axpy\n  reason \"nothing is put back\"\n"
              "  link https://example.com\n  until 2099-12-31\n}\n");
  EXPECT_THAT(matrix({"a/result.json"}).out, ContainsRegex("\nscenarios +1 fail\n"));
  const Ran ran = matrix({"a/result.json", "--marks-now"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("\nscenarios +1 known\n"));
  place.write("root/adapters/careless/known.info", "known\n{\n  scenario cli.axpi\n}\n");
  EXPECT_EQ(matrix({"a/result.json", "--marks-now"}).status, 3);
}

// Of two adapters with one name, the one in the root and the user's own.
TEST_F(MatrixCommand, marks_and_causes_are_those_of_the_adapter_that_ran) {
  const std::string careless = adapter("careless", "tunecheck-adapter-mutants",
                                       "cache in_place strided space", "--mutant no_restore");
  const std::string mark =
      "known\n{\n  scenario cli.axpy\n  reason \"nothing is put back\"\n"
      "  link https://example.com\n  until 2099-12-31\n}\n";
  const auto cause = [](const std::string& name) {
    return "cause\n{\n  name " + name + "\n  title \"a title\"\n  kind never_said\n" +
           "  scenarios cli.axpy\n  finding toy/page.md\n  looked_at 2026-11-27\n}\n";
  };
  add("careless", careless);
  place.write("mine/adapter.info", careless);
  const std::vector<std::string> run_mine = {
      "run", "cli.axpy", "--adapter", "./mine/adapter.info", "--out", "a"};
  ASSERT_EQ(place.run(run_mine, root).status, 1);
  place.write("root/adapters/careless/known.info", mark);
  EXPECT_THAT(matrix({"a/result.json", "--marks-now"}).out, ContainsRegex("\nscenarios +1 fail\n"));
  place.write("root/adapters/careless/causes.info", cause("of_the_root"));
  place.write("mine/known.info", mark);
  place.write("mine/causes.info", cause("of_mine"));
  const Ran ran = matrix({"a/result.json", "--marks-now", "--format", "json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("of_mine"));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("of_the_root")));
  place.write("mine/causes.info", "cause\n{\n  nome of_mine\n}\n");
  const Ran mistaken = matrix({"a/result.json", "--format", "json"});
  EXPECT_EQ(mistaken.status, 3);
  EXPECT_THAT(mistaken.err, HasSubstr("mine/causes.info:3: "));
}

TEST_F(MatrixCommand, parts_of_a_run_are_one_column) {
  ASSERT_EQ(place.run({"run", "cli.axpy", "--out", "a"}, root).status, 0);
  ASSERT_EQ(place.run({"run", "cli.reload", "--out", "b"}, root).status, 0);
  const Ran ran = matrix({"a/result.json", "b/result.json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("\nscenarios +2 pass\n"));
}

TEST_F(MatrixCommand, as_markdown_has_a_line_for_each_tuner) {
  ASSERT_EQ(run("mutant:no_restore", "a").status, 1);
  const Ran ran = matrix({"a/result.json", "--format", "markdown"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("# Conformance\n"));
  EXPECT_THAT(ran.out, ContainsRegex("\n\\| mutant:no.*restore \\| cpu, .* \\| [0-9]+ \\| 2, "
                                     "\\*\\*2 not explained\\*\\* \\|"));
}

// In the second scenario the adapter never answers, until somebody kills the run.
TEST_F(MatrixCommand, a_run_that_was_killed_is_incomplete) {
  const std::filesystem::path programs = std::filesystem::path(tunecheck_program()).parent_path();
  const std::string script =
      place.write("adapter.sh", "[ -z \"$SILENT\" ] || exec sleep 20\nexec '" +
                                    (programs / "tunecheck-adapter-reference").string() + "'\n");
  add("slow", adapter("slow", "/bin/sh", "cache in_place strided space", script));
  std::string silent = axpy_scenario("cli.second");
  silent.insert(silent.find("steps { ") + 8, "environment { SILENT 1 } ");
  place.write("two.info", axpy_scenario("cli.first") + silent);
  place.write("a/result.json", "of an earlier run");
  (void)place.shell(tunecheck_program() +
                        " run --adapter slow --scenarios two.info --out a --jobs 1 & run=$!\n"
                        "until [ -e a/work/cli.second ]; do sleep 0.1; done\n"
                        "kill -KILL $run",
                    root);
  const Ran ran = matrix({"a/result.json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("\n    INCOMPLETE: [12] of 2 scenarios not run\n"));
  EXPECT_EQ(json::parse(place.read("a/result.json"))["exit_status"], 4);
}

TEST_F(MatrixCommand, says_whose_marks_it_does_not_find) {
  ASSERT_EQ(run("reference", "a").status, 0);
  json other = json::parse(place.read("a/result.json"));
  other["adapter"] = "elsewhere";
  place.write("b/result.json", other.dump());
  const Ran ran = matrix({"b/result.json", "--marks-now"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("tunecheck: --marks-now: unknown adapter \"elsewhere\""));
}

struct MistakeInMatrix {
  std::string text;     ///< of the file
  std::string message;  ///< behind its name
};

TEST_F(MatrixCommand, refuses_what_is_no_result_in_one_line_and_writes_nothing) {
  ASSERT_EQ(run("reference", "a").status, 0);
  const std::string good = place.read("a/result.json");
  json other = json::parse(good);
  other["schema"] = "2.0.0";
  json wrong = json::parse(good);
  wrong["scenarios"][0]["verdict"] = 7;
  json undated = json::parse(good);
  undated["started"] = "yesterday";
  const std::vector<MistakeInMatrix> mistakes = {
      {undated.dump(),
       ": /started: expected a moment such as \"2027-03-31T12:00:00Z\", found "
       "\"yesterday\"\n"},
      {good.substr(0, good.size() / 2), ":"},
      {"no json", ":1: expected JSON\n"},
      {other.dump(), ": /schema: expected version 1.x, found \"2.0.0\"\n"},
      {wrong.dump(), ": /scenarios/0/verdict: expected text, found number\n"},
      {"{\"schema\": \"1.0.0\"}", ": /scenarios: expected a file that `tunecheck run`"},
      {"\x1b[2J", ":1: expected JSON\n"}};
  for (const auto& [text, message] : mistakes) {
    place.write("bad.json", text);
    const Ran ran = matrix({"a/result.json", "bad.json", "--out", "table.txt"});
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith("bad.json" + message));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_FALSE(place.has("table.txt"));
  }
}

TEST_F(MatrixCommand, refuses_before_it_runs_anything) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{},
        {"nowhere.json", "--adapter", "reference"},
        {"--adapter", "reference", "--adapter", "refrence"},
        {"--adapter", "reference", "--format", "htm"}}) {
    const Ran ran = matrix(arguments);
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_FALSE(place.has("out"));
  }
  const Ran ran = matrix({"--adapter", "reference", "--only", "nothing.*"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_FALSE(place.has("out"));
}

TEST_F(MatrixCommand, a_place_where_no_table_can_be_written_is_said_before_anything_runs) {
  ASSERT_EQ(run("reference", "a").status, 0);
  place.write("file", "");
  fs::create_directory(place.path() / "folder");
  for (const std::string out : {"nowhere/table.txt", "file/table.txt", "folder"})
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"a/result.json"},
          {"a/result.json", "--format", "json"},
          {"--adapter", "reference", "--only", "cli.axpy"}}) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--out", out});
      const Ran ran = matrix(all);
      EXPECT_EQ(ran.status, 3) << ran.err;
      EXPECT_EQ(ran.out, "");
      EXPECT_THAT(ran.err, StartsWith(out + ": --out: expected a file"));
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
      EXPECT_FALSE(place.has("out"));
    }
}

TEST_F(MatrixCommand, a_table_may_go_to_a_folder_that_its_runs_make) {
  const Ran ran = matrix({"--adapter", "reference", "--only", "cli.axpy", "--runs", "new/runs",
                          "--out", "new/table.txt"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(place.has("new/table.txt"));
}

TEST_F(MatrixCommand, a_table_does_not_replace_a_result_that_it_is_made_of) {
  ASSERT_EQ(run("reference", "a").status, 0);
  const std::string result = place.read("a/result.json");
  fs::create_symlink("a/result.json", place.path() / "link.json");
  const std::string absolute = (place.path() / "a/result.json").string();
  for (const std::string& out : {std::string("a/result.json"), std::string("a/../a/result.json"),
                                 std::string("link.json"), absolute}) {
    const Ran ran = matrix({"a/result.json", "--out", out});
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, out + ": --out: expected another file than the table is made of\n");
    EXPECT_EQ(place.read("a/result.json"), result);
  }
  const Ran ran = matrix(
      {"--adapter", "reference", "--only", "cli.axpy", "--out", "out/reference-cpu/result.json"});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_FALSE(place.has("out"));
}

TEST_F(MatrixCommand, of_runs_whose_results_cannot_be_written_there_is_no_table) {
  place.write("file", "");
  const Ran ran = matrix({"--adapter", "reference", "--only", "cli.axpy", "--runs", "file/runs"});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("file/runs"));
  EXPECT_THAT(ran.out, Not(HasSubstr("scenarios ")));
}

TEST_F(MatrixCommand, is_coloured_on_a_terminal_unless_no_color_is_set) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  ASSERT_EQ(run("mutant:no_restore", "a").status, 1);
  EXPECT_THAT(place.run_on_terminal({"matrix", "a/result.json"}).out, HasSubstr("\x1b[1;31m"));
  EXPECT_THAT(place.run_on_terminal({"matrix", "a/result.json"}, {{"NO_COLOR", "1"}}).out,
              Not(HasSubstr("\x1b[")));
  (void)place.run_on_terminal({"matrix", "a/result.json", "--out", "table.txt"});
  EXPECT_THAT(place.read("table.txt"), Not(HasSubstr("\x1b")));
}

// The adapter "small" fails, as its marks say, by a cause that it lists.
TEST_F(MatrixCommand, adds_the_causes_next_to_an_adapter_and_shows_their_pages) {
  place.write("root/adapters/small/known.info",
              "known\n{\n  scenario cli.axpy\n  reason \"it does\"\n"
              "  link https://example.org/1\n  until 2099-12-31\n}\n");
  const std::string causes =
      "cause\n{\n  name toy_cause\n  title \"a thing\"\n  kind never_said\n"
      "  scenarios \"cli.*\"\n  finding small/page.md\n}\n";
  place.write("root/adapters/small/causes.info", causes);
  (void)run("small", "a");
  const Ran ran = matrix({"a/result.json", "--format", "json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["tuners"][0]["causes"][0]["name"], "toy_cause");
  // A page that is named must be there.
  const Ran missing = matrix({"a/result.json", "--format", "html", "--findings", "pages"});
  EXPECT_EQ(missing.status, 3) << missing.out;
  EXPECT_THAT(missing.err, HasSubstr("pages/small/page.md"));
  place.write("pages/small/page.md", "# What it is about");
  const Ran page = matrix({"a/result.json", "--format", "html", "--findings", "pages"});
  if (page.status == 4) {
    EXPECT_THAT(page.err, HasSubstr("ci/bootstrap --html"));
  } else {
    EXPECT_EQ(page.status, 0) << page.err;
    EXPECT_THAT(page.out, HasSubstr("What it is about"));
    EXPECT_THAT(page.out, HasSubstr("<title>State of autotuners</title>"));
  }
  place.write("root/adapters/small/causes.info", causes + causes);
  const Ran twice = matrix({"a/result.json", "--format", "markdown"});
  EXPECT_EQ(twice.status, 3);
  EXPECT_THAT(twice.err, HasSubstr("\"toy_cause\" is there already"));
}

TEST_F(MatrixCommand, refuses_findings_where_no_page_shows_them) {
  ASSERT_EQ(run("reference", "a").status, 0);
  const Ran ran = matrix({"a/result.json", "--findings", "pages"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("for html alone"));
}

}  // namespace
}  // namespace tunecheck::test
