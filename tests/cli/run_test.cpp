// `tunecheck run` from the command line to the reports.
#include <fcntl.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/shell.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Run, of_a_right_tuner_passes_and_leaves_its_reports) {
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  const Ran ran = place.run({"run", "--scenarios", "mine.info", "--seed", "7", "--jobs", "1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("^cli +1 of 1, [0-9]+\\.[0-9][0-9] s; 1 of 1\n"));
  EXPECT_THAT(ran.out, HasSubstr("PASS: 1 of 1 scenario;"));
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
  const json result = json::parse(place.read("out/result.json"));
  EXPECT_EQ(result["seed"], 7);
  EXPECT_EQ(result["jobs"], 1);
  EXPECT_EQ(result["exit_status"], 0);
  EXPECT_EQ(result["scenarios"][0]["name"], "cli.mine");
  EXPECT_THAT(place.read("out/junit.xml"), HasSubstr("name=\"cli.mine\""));
}

TEST(Run, on_a_terminal_rewrites_one_line) {
  if (!has_terminals()) GTEST_SKIP() << "there are no pseudo-terminals here";
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  const Ran ran = place.run_on_terminal({"run", "--scenarios", "mine.info"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\r\x1b[K0 of 1   0 s   cli.mine"));
  EXPECT_THAT(ran.out, HasSubstr("\r\x1b[K1 of 1   "));
  EXPECT_THAT(ran.out, Not(HasSubstr("pass cli.mine")));
}

TEST(Run, shows_what_fails_at_once_and_each_family_when_it_is_done) {
  const Place place;
  place.write("mine.info",
              axpy_scenario("cli.one") + axpy_scenario("cli.two") + axpy_scenario("other.three"));
  const Ran ran = place.run(
      {"run", "--scenarios", "mine.info", "--adapter", "mutant:no_restore", "--jobs", "1"});
  EXPECT_THAT(ran.out, ContainsRegex("^fail cli.one  [0-9.]+ s\n"
                                     "fail cli.two  [0-9.]+ s\n"
                                     "cli +2 of 2, 2 bad, [0-9.]+ s; 2 of 3, about [0-9]+ s left\n"
                                     "fail other.three  [0-9.]+ s\n"
                                     "other +1 of 1, 1 bad, [0-9.]+ s; 3 of 3\n"));
}

TEST(Run, quietly_prints_the_verdict_alone_and_verbosely_every_scenario) {
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  const Ran quiet = place.run({"run", "--scenarios", "mine.info", "--quiet"});
  EXPECT_THAT(quiet.out, ContainsRegex("^PASS: 1 of 1 scenario; [^\n]+result.json\n$"));
  const Ran verbose = place.run({"run", "--scenarios", "mine.info", "--verbose"});
  EXPECT_THAT(verbose.out, ContainsRegex("^pass cli.mine  [0-9.]+ s\n"));
  EXPECT_THAT(verbose.out, ContainsRegex("\nPassed:\n  [0-9.]+ s    cli.mine\n"));
  const Ran both = place.run({"run", "--quiet", "--verbose"});
  EXPECT_EQ(both.status, 3);
}

TEST(Run, of_a_tuner_with_a_bug_fails_and_its_repro_line_fails_too) {
  const Place place;
  place.write("it's mine/mine.info", axpy_scenario("cli.mine"));
  const Ran ran = place.run({"run", "--scenarios", "it's mine", "--adapter", "mutant:no_restore"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("FAIL   cli.mine"));
  EXPECT_THAT(ran.out, HasSubstr("inputs.pristine"));
  EXPECT_THAT(ran.out, HasSubstr("FAIL: 1 of 1 scenario failed;"));
  const json result = json::parse(place.read("out/result.json"));
  const std::string repro = result["scenarios"][0]["repro"];
  EXPECT_THAT(repro, StartsWith("tunecheck run cli.mine --adapter mutant:no_restore"));
  EXPECT_THAT(repro, Not(HasSubstr(place.path().string()))) << "it holds elsewhere as well";
  // On this terminal it is this program, wherever it is.
  const std::string program = shell_quoted((program_folder() / "tunecheck").string());
  EXPECT_THAT(ran.out, HasSubstr("  repeat    " + program + repro.substr(9) + "\n"));
  const Ran repeated = place.shell(repro);
  EXPECT_EQ(repeated.status, 1) << repro << '\n' << repeated.out << repeated.err;
  EXPECT_THAT(repeated.out, HasSubstr("FAIL   cli.mine"));
  EXPECT_TRUE(place.has("out/repeat/result.json"));
}

TEST(Run, evidence_that_a_report_names_is_there) {
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  const Ran ran = place.run({"run", "--scenarios", "mine.info", "--adapter", "mutant:no_restore"});
  const json result = json::parse(place.read("out/result.json"));
  int files = 0;
  for (const json& check : result["scenarios"][0]["checks"])
    for (const json& file : check["evidence"]) {
      EXPECT_TRUE(place.has("out/" + file.get<std::string>())) << file;
      ++files;
    }
  EXPECT_GT(files, 0);
}

TEST(Run, with_an_adapter_that_dies_fails_and_shows_its_log) {
  const Place place;
  const Environment root = place.make_root(
      axpy_scenario("cli.mine"),
      "adapter\n{\n  name dead\n  command /bin/sh\n  arguments \"-c this_is_no_program\"\n"
      "  cache_variable DEAD_CACHE\n  backends cpu\n  capabilities \"cache in_place\"\n}\n");
  const Ran ran = place.run({"run", "--adapter", "dead"}, root);
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("adapter.answers, at the end of process \"cold\""));
  EXPECT_THAT(ran.out, HasSubstr("exit status 127"));
  EXPECT_THAT(place.read("out/work/cli.mine/cold/adapter.log"), HasSubstr("this_is_no_program"));
}

TEST(Run, names_what_it_leaves_out_and_what_that_would_have_asked) {
  const Place place;
  std::string elsewhere = axpy_scenario("cli.elsewhere");
  elsewhere.insert(elsewhere.find("  kernel"), "  backends cuda\n");
  place.write("two.info", axpy_scenario("cli.here") + elsewhere);
  const Ran ran = place.run({"run", "--scenarios", "two.info"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Left out on cpu: 1 scenario\n"));
  EXPECT_EQ(json::parse(place.read("out/result.json"))["left_out"],
            json::parse(R"([{"name": "cli.elsewhere", "reason": "it needs a GPU",
                             "checks": ["inputs.pristine", "key.must_miss"]}])"));
}

TEST(Run, quickly_chooses_among_what_the_tuner_can_be_asked) {
  const Place place;
  place.write("narrow.info",
              "adapter\n{\n  name narrow\n  command tunecheck-adapter-reference\n"
              "  cache_variable TUNECHECK_CACHE_DIR\n  compiler_variable TUNECHECK_CXX\n"
              "  backends cpu\n  kernels axpy_inplace\n  capabilities in_place\n}\n");
  std::string scenarios = axpy_scenario("cli.cheap") + axpy_scenario("cli.dear");
  scenarios.insert(scenarios.find("steps"), "needs \"cache artifact\"\n  ");
  place.write("mine.info", scenarios);
  const Ran ran = place.run(
      {"run", "--scenarios", "mine.info", "--adapter", "./narrow.info", "--quick", "--jobs", "1"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const json result = json::parse(place.read("out/result.json"));
  ASSERT_EQ(result["scenarios"].size(), 1U);
  EXPECT_EQ(result["scenarios"][0]["name"], "cli.dear");
}

TEST(Run, into_a_folder_that_cannot_be_made_is_not_to_be_trusted) {
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  place.write("file", "");
  const Ran ran = place.run({"run", "--scenarios", "mine.info", "--out", "file/out"});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.err, HasSubstr("file/out"));
}

std::string catching(const std::string& mutants) {
  std::string scenario = axpy_scenario("cli.mine");
  return scenario.insert(scenario.rfind('}'), "  catches \"" + mutants + "\"\n");
}

TEST(Run, a_scenario_with_more_than_the_machine_has_ends_alone) {
  const Place place;
  std::string huge = axpy_scenario("cli.huge");
  huge.replace(huge.find("{ call {"), 8, "{ sizes { n 8589934592 }  call {");
  place.write("mine.info", huge + axpy_scenario("cli.mine"));
  const Ran ran = place.run({"run", "--scenarios", "mine.info"});
  EXPECT_EQ(ran.status, 4) << ran.out << ran.err;
  const json result = json::parse(place.read("out/result.json"));
  EXPECT_EQ(result["scenarios"][0]["verdict"], "error");
  EXPECT_THAT(result["scenarios"][0].dump(), HasSubstr("tensors take 64.0 GiB; expected at most"));
  EXPECT_EQ(result["scenarios"][1]["verdict"], "pass");
}

TEST(Run, two_at_once_in_one_folder_are_refused) {
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  place.write("out/kept", "");
  place.write("one.json", R"({"context": {}, "benchmarks": [{"name": "b", "real_time": 1.0,
                              "time_unit": "ns"}]})");
  const FileDescriptor folder(
      ::open((place.path() / "out").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(folder.get(), LOCK_EX), 0);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "--scenarios", "mine.info"},
        std::vector<std::string>{"audit", "--quick", "--mutant", "no_restore"},
        std::vector<std::string>{"gate", "--base", "one.json", "--head", "one.json"}}) {
    const Ran ran = place.run(command);
    EXPECT_EQ(ran.status, 4) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("out: another tunecheck is writing to this folder"));
  }
  EXPECT_FALSE(std::filesystem::exists(place.path() / "out" / "result.json"));
  ASSERT_EQ(::flock(folder.get(), LOCK_UN), 0);
  EXPECT_EQ(place.run({"run", "--scenarios", "mine.info"}).status, 0);
}

TEST(Audit, of_a_mutant_that_is_caught_is_complete) {
  const Place place;
  const Environment root = place.make_root(catching("no_restore"));
  const Ran ran = place.run({"audit", "--mutant", "no_restore"}, root);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("fail mutant:no_restore cli.mine  [0-9]"));
  EXPECT_THAT(ran.out, ContainsRegex("no_restore +.*inputs.pristine 1"));
  EXPECT_THAT(ran.out, HasSubstr("COMPLETE: 1 mutant caught"));
  const json audit = json::parse(place.read("out/audit.json"));
  EXPECT_EQ(audit["mutants"][0]["name"], "no_restore");
  EXPECT_EQ(audit["surviving_mutants"], json::array());
}

// Installed by root and run by somebody else, to whom the kernel refuses hard links to root's
// files.
TEST(Audit, of_an_adversary_is_complete_for_a_user_to_whom_tunecheck_does_not_belong) {
  const Place place;
  const std::string user = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
  // By a shell of that user's: setpriv itself may still go through folders that are closed to him.
  const std::string version = user + "sh -c '\"$0\" --version' " + tunecheck_program();
  if (::geteuid() != 0 || place.shell(version).status != 0)
    GTEST_SKIP() << "no other user can be had here, or none who may enter tunecheck's folder";
  std::filesystem::permissions(place.path(), std::filesystem::perms::all);
  const Ran ran = place.shell("umask 0 && " + user + tunecheck_program() +
                                  " audit --quick --mutant adversary:resolves_its_compiler"
                                  " --mutant adversary:compiles_by_full_path",
                              {{"TUNECHECK_COMPILE_STORE", ""}});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST(Audit, of_scenarios_of_ones_own_is_about_the_bugs_that_they_name) {
  const Place place;
  const std::string mine = place.write("mine.info", catching("no_restore"));
  const Ran ran = place.run({"audit", "--scenarios", mine});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("COMPLETE: 1 mutant caught"));
  const Ran survives =
      place.run({"audit", "--scenarios", place.write("other.info", catching("key_without_arch"))});
  EXPECT_EQ(survives.status, 1);
  EXPECT_THAT(survives.out, HasSubstr("key_without_arch"));
  const Ran none =
      place.run({"audit", "--scenarios", place.write("none.info", axpy_scenario("cli.x"))});
  EXPECT_EQ(none.status, 3) << none.out;
  EXPECT_THAT(none.err, HasSubstr("name no mutant in \"catches\""));
}

TEST(Audit, of_a_mutant_that_survives_fails) {
  const Place place;
  const Environment root = place.make_root(catching("no_restore persist_losers"));
  const Ran ran = place.run({"audit", "--mutant", "persist_losers"}, root);
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("persist_losers +SURVIVES"));
  EXPECT_THAT(ran.out, HasSubstr("INCOMPLETE: 1 survivor, 0 unkilled checks, 1 false claim;"));
  EXPECT_EQ(json::parse(place.read("out/audit.json"))["exit_status"], 1);
}

TEST(Audit, a_scenario_that_names_no_mutant_is_refused) {
  const Place place;
  const Environment root = place.make_root(catching("no_restoer"));
  const Ran ran = place.run({"audit"}, root);
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("root/scenarios/mine.info:"));
  EXPECT_THAT(ran.err, HasSubstr("no_restoer"));
}

TEST(Kernels, prove_of_one_kernel_shows_what_was_rejected) {
  const Ran ran = Place().run({"kernels", "prove", "axpy_inplace"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("rejected zeros"));
  EXPECT_THAT(ran.out, HasSubstr("\nPROVED  axpy_inplace: "));
}

TEST(Kernels, prove_keeps_what_it_compiles_where_it_is_told_to_and_nowhere_else) {
  const Place place;
  const auto prove = [&](const std::string& store) {
    return place.run({"kernels", "prove", "axpy_inplace"}, {{"TUNECHECK_COMPILE_STORE", store}});
  };
  const Ran none = prove("");
  EXPECT_EQ(none.status, 0) << none.err;
  EXPECT_FALSE(place.has("outputs"));
  const Ran kept = prove("store");
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_TRUE(std::filesystem::exists(place.path() / "store" / "outputs"));
  const Ran again = prove("store");
  EXPECT_EQ(again.out, none.out) << "the same proof";
}

TEST(Kernels, prove_of_all_fails_where_a_comparison_accepts_a_wrong_result) {
  const Place place;
  const auto folder = place.path() / "root/kernels/axpy_inplace";
  std::filesystem::create_directories(folder);
  std::filesystem::copy(find_resources().kernels / "axpy_inplace", folder,
                        std::filesystem::copy_options::recursive);
  std::string text = place.read("root/kernels/axpy_inplace/kernel.info");
  const std::size_t tolerance = text.find("tolerance");
  ASSERT_NE(tolerance, text.npos);
  const std::size_t behind = text.find("\n  bytes", tolerance);
  ASSERT_NE(behind, text.npos);
  text.replace(tolerance, behind - tolerance, "tolerance { relative 0 absolute 1000 }");
  place.write("root/kernels/axpy_inplace/kernel.info", text);
  place.link_headers();
  const Ran ran =
      place.run({"kernels", "prove"}, {{"TUNECHECK_ROOT", (place.path() / "root").string()}});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("ACCEPTED zeros"));
  EXPECT_THAT(ran.out, HasSubstr("\nNOT PROVED  axpy_inplace: "));
}

TEST(Run, that_is_ended_by_a_signal_takes_its_adapters_along) {
  const Place place;
  place.write("mine.info", axpy_scenario("cli.mine"));
  // Processes whose working folder lies here.
  const std::string here =
      "here() { ls -l /proc/*/cwd 2> /dev/null | grep -c \"$PWD/out\"; }\n"
      "wait_for() { for i in $(seq 200); do n=$(here); [ $n $1 0 ] && return; sleep 0.05; done; "
      "}\n";
  const Ran ran =
      place.shell(here + "'" + tunecheck_program() +
                  "' run --scenarios mine.info --adapter mutant:never_answers > /dev/null 2>&1 &\n"
                  "wait_for -gt; echo begun $n; kill -TERM $!; wait $!; echo status $?\n"
                  "wait_for -eq; echo left $n");
  EXPECT_THAT(ran.out, ContainsRegex("begun [1-9]\nstatus 143\nleft 0\n"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// A sanitizer reserves more addresses than the limit allows.
TEST(Run, a_scenario_that_the_judge_has_no_memory_for_ends_alone) {
  const Place place;
  std::string large = axpy_scenario("cli.large");
  large.insert(large.find("call {"), "sizes { n 200000000 } ");
  place.write("mine.info", large + axpy_scenario("cli.small"));
  const Ran ran = place.shell("ulimit -v 1000000; '" + tunecheck_program() +
                              "' run --scenarios mine.info --verbose");
  EXPECT_EQ(ran.status, 4) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the judge could not go on: std::bad_alloc"));
  EXPECT_THAT(ran.out, ContainsRegex("pass cli.small"));
}
#endif

}  // namespace
}  // namespace tunecheck::test
