#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Place& place() {
  static const Place shared;
  return shared;
}

TEST(Help, names_every_command_examples_and_exit_statuses) {
  const Ran ran = place().run({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  for (const char* text :
       {"demo ", "run ", "adapters ", "mutants ", "matrix ", "audit ", "gate ", "history ",
        "kernels ", "new ", "scenarios ", "checks ", "doctor ",
        "tunecheck run 'reload.*' --adapter NAME", "Exit status:", "  4  the run"})
    EXPECT_THAT(ran.out, HasSubstr(text));
}

TEST(Help, of_a_command_explains_that_command) {
  const Ran ran = place().run({"run", "--help"});
  EXPECT_EQ(ran.status, 0);
  for (const char* option :
       {"GLOB", "--adapter NAME", "--backend", "--jobs N", "--out DIR", "--seed N", "--keep",
        "--list", "--known FILE", "--kernels DIR", "--scenarios PATH"})
    EXPECT_THAT(ran.out, HasSubstr(option));
}

TEST(Help, every_command_has_it_and_succeeds) {
  const std::vector<std::vector<std::string>> commands = {{"audit"},
                                                          {"demo"},
                                                          {"completion"},
                                                          {"man"},
                                                          {"adapters"},
                                                          {"adapters", "list"},
                                                          {"mutants"},
                                                          {"mutants", "list"},
                                                          {"matrix"},
                                                          {"gate"},
                                                          {"gate", "calibrate"},
                                                          {"history"},
                                                          {"history", "add"},
                                                          {"history", "list"},
                                                          {"history", "show"},
                                                          {"history", "plot"},
                                                          {"history", "changes"},
                                                          {"history", "rename"},
                                                          {"kernels"},
                                                          {"kernels", "list"},
                                                          {"kernels", "prove"},
                                                          {"scenarios"},
                                                          {"scenarios", "list"},
                                                          {"scenarios", "check"},
                                                          {"checks"},
                                                          {"doctor"},
                                                          {"checks", "list"},
                                                          {"new"},
                                                          {"new", "kernel"}};
  for (std::vector<std::string> command : commands) {
    command.push_back("--help");
    const Ran ran = place().run(command);
    EXPECT_EQ(ran.status, 0) << command[0];
    EXPECT_THAT(ran.out, HasSubstr("Usage: tunecheck " + command[0]));
  }
}

TEST(Version, is_printed) {
  const Ran ran = place().run({"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, testing::MatchesRegex("tunecheck [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Version, is_there_for_programs) {
  const Ran ran = place().run({"--version", "--json"});
  EXPECT_EQ(ran.status, 0);
  const auto document = nlohmann::json::parse(ran.out);
  EXPECT_THAT(violations(document, "version.schema.json"), testing::IsEmpty());
  EXPECT_EQ("tunecheck " + document["tunecheck_version"].get<std::string>() + "\n",
            place().run({"--version"}).out);
  EXPECT_EQ(document["schemas"]["result"],
            read_schema("result.schema.json")["properties"]["schema"]["const"]);
}

// Somebody who types a command without what must follow wants to know what can.
TEST(Bare, a_command_shows_its_help_and_is_a_mistake) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {}, {"kernels"}, {"history"}, {"adapters"}, {"cache"}}) {
    const Ran ran = place().run(words);
    const std::string command = words.empty() ? "tunecheck" : "tunecheck " + words.front();
    EXPECT_EQ(ran.status, 3);
    EXPECT_THAT(ran.out, HasSubstr("Usage: " + command + " "));
    EXPECT_EQ(ran.err, "tunecheck: expected a command; see " + command + " --help\n");
  }
}

struct Mistake {
  std::vector<std::string> arguments;
  std::string message;  ///< how the line begins
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << "tunecheck";
  for (const std::string& argument : mistake.arguments)
    *out << ' ' << argument;
}

class BadCommandLine : public testing::TestWithParam<Mistake> {};

TEST_P(BadCommandLine, is_one_line_on_stderr_and_status_3) {
  const Ran ran = place().run(GetParam().arguments);
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("tunecheck: " + GetParam().message));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadCommandLine,
    testing::Values(
        Mistake{{"--json", "doctor"}, "--json: expected next to --version alone"},
        Mistake{{"run", "--json"}, "unknown option \"--json\""},
        Mistake{{"run", "restore.first_result_is_rigth", "--list"},
                "no scenario matches \"restore.first_result_is_rigth\"; did you mean "
                "\"restore.first_result_is_right\"?"},
        Mistake{{"run", "restor", "--list"},
                "no scenario matches \"restor\"; did you mean \"restore.*\"?"},
        Mistake{{"run", "restor.*", "--list"},
                "no scenario matches \"restor.*\"; did you mean \"restore.*\"?"},
        Mistake{{"run", "restore", "--exclude", "concurency.*", "--list"},
                "--exclude: no scenario matches \"concurency.*\"; did you mean "
                "\"concurrency.*\"?"},
        Mistake{{"report", "markdwon", "result.json"},
                "FORMAT: unknown format \"markdwon\"; did you mean \"markdown\"?"},
        Mistake{{"report", "xml", "result.json"},
                "FORMAT: unknown format \"xml\". Expected one of: "},
        Mistake{{"watch", "--format", "jsn", "--", "true"},
                "--format: unknown format \"jsn\"; did you mean \"json\"?"},
        Mistake{{"completion", "bas"}, "SHELL: unknown shell \"bas\"; did you mean \"bash\"?"},
        Mistake{{"cache", "lst"}, "unknown command \"lst\"; did you mean \"list\"?"},
        Mistake{{"cache", "gc", "--dryrun"},
                "unknown option \"--dryrun\"; did you mean \"--dry-run\"?"},
        Mistake{{"--no-config", "cache", "lst"}, "unknown command \"lst\"; did you mean \"list\"?"},
        Mistake{{"list"}, "unknown command \"list\". Expected one of: "},
        Mistake{{"audit", "--mutant", "no_restor"},
                "--mutant: no mutant matches \"no_restor\"; did you mean \"no_restore\"?"},
        Mistake{{"run", "-x", "--maxfail", "3"}, ""},
        Mistake{{"audt"}, "unknown command \"audt\"; did you mean \"audit\"?"},
        Mistake{{"gate"}, "--base is required; see tunecheck gate --help"},
        Mistake{{"gate", "calibrate", "--sessions", "0"},
                "--sessions: expected a whole number from 1 to 100000000, found \"0\""},
        Mistake{{"gate", "calibrate", "--real", "2", "--kernel", "rmsnrm"},
                "--kernel: unknown kernel \"rmsnrm\"; did you mean \"rmsnorm\"?"},
        Mistake{{"gate", "calibrate", "--real", "2", "--size", "huge"},
                "--size: the kernel \"rmsnorm\" has no size \"huge\""},
        Mistake{{"gate", "calibrate", "--real", "2", "--metric", "winner_tim"},
                "--metric: unknown metric \"winner_tim\"; did you mean \"winner_time\"?"},
        Mistake{{"gate", "calibrate", "--real", "2", "--delta", "6%"},
                "--tolerance: expected more than --delta, 6 %, found 5 %"},
        Mistake{{"gate", "calibrate", "--real", "2", "--load", "heavy"},
                "--load: expected idle or busy, found \"heavy\""},
        Mistake{{"gate", "calibrate", "--real", "2", "--plant", "-5%"},
                "--plant: expected a percentage from 0 to 100, found \"-5%\""},
        Mistake{{"gate", "calibrate", "--plant", "5%"}, "--plant: expected with --real alone"},
        Mistake{{"gate", "calibrate", "--real", "2", "--plant", "5%", "--metric", "dispatch"},
                "--metric: expected a metric that --plant can slow down on cpu, found "
                "\"dispatch\""},
        Mistake{{"gate", "calibrate", "--at-once", "3"}, "--at-once: expected with --real alone"},
        Mistake{{"gate", "calibrate", "--real", "2", "--sessions", "5"},
                "--sessions: expected without --real"},
        Mistake{{"gate", "calibrate", "--from", "a.jsonl", "--real", "2"},
                "--real: expected without --from, which plays no session"},
        Mistake{{"history", "list", "--db", ""}, "--db: expected a file, found \"\""},
        Mistake{{"history", "list", "--format", "xml"},
                "--format: unknown format \"xml\". Expected one of: terminal, json"},
        Mistake{{"history", "changes", "--false-alarms", "0"},
                "--false-alarms: expected a percentage from 0.01 to 50, found \"0\""},
        Mistake{{"history", "changes", "--least", "x"},
                "--least: expected a percentage from 0 to 1000, found \"x\""},
        Mistake{{"run", "--out", "out\xff"}, "expected UTF-8 in the argument out"},
        Mistake{{"kernels", "prove", "axpy_inplace", "--size", ""},
                "--size: expected a size, found \"\""},
        Mistake{{"kernels", "tune", "axpy_inplace", "--dtype", ""},
                "--dtype: expected a dtype, found \"\""},
        Mistake{{"kernels", "prove", "axpy_inplace", "--under", "nosuchtool -q"},
                "--under: there is no program \"nosuchtool\""},
        Mistake{{"gate", "--base", "a.json", "--head", "b.json", "--kernel", "rmsnorm"},
                "--kernel: expected with two builds alone"},
        Mistake{{"gate", "--base", "a", "--head", "b", "--pass=-v"},
                "--pass: expected with two programs of Google Benchmark alone"},
        Mistake{{"gate", "--base", "a", "--head", "b", "--db", "h.sqlite"},
                "--db: expected with --against alone"},
        Mistake{{"report", "junit", "result.json", "--base", "main.json"},
                "--base: expected for terminal, markdown and html alone"},
        Mistake{{"report", "sarif", "result.json", "--quiet"},
                "--quiet: expected for terminal alone"},
        Mistake{{"matrix", "result.json", "--only", "restore.*"},
                "--only: expected with --adapter alone: no tuner is run"},
        Mistake{{"matrix", "--adapter", "reference", "--adapter", "./reference/adapter.info"},
                "--adapter: expected each tuner once: \"./reference/adapter.info\" would replace"},
        Mistake{{"kernels", "prov"}, "unknown command \"prov\"; did you mean \"prove\"?"},
        Mistake{{"--frobnicate", "run"}, "unknown option \"--frobnicate\""},
        Mistake{{"run", "--job", "2"}, "unknown option \"--job\"; did you mean \"--jobs\"?"},
        Mistake{{"run", "-z"}, "unknown option \"-z\""}, Mistake{{"run", "--jobs"}, "--jobs: "},
        Mistake{{"run", "--jobs", "0"},
                "--jobs: expected a whole number from 1 to 4096, found \"0\"; see tunecheck run"},
        Mistake{{"run", "--jobs", "two"}, "--jobs: expected a whole number from 1 to 4096"},
        Mistake{{"run", "--jobs", "1", "--jobs", "2"}, "--jobs: "},
        Mistake{{"audit", "--jobs", "-3"}, "--jobs: expected a whole number from 1 to 4096"},
        Mistake{{"run", "--seed", "-1"}, "--seed: expected a whole number of at least 0"},
        Mistake{{"run", "--seed", "99999999999999999999"},
                "--seed: expected a whole number from 0 to 9223372036854775807, found"},
        Mistake{{"run", "--out", ""}, "--out: expected a folder, found \"\""},
        Mistake{{"run", "--keep=perhaps"}, "Could not convert: --keep"},
        Mistake{{"run", "--kernels", "nowhere"}, "--kernels: expected a folder, found \"nowhere\""},
        Mistake{{"run", "--adapter", "triton9"}, "--adapter: unknown adapter \"triton9\""},
        Mistake{{"run", "--adapter", "mutant:no_restor"},
                "--adapter: unknown mutant \"no_restor\"; did you mean \"no_restore\"?"},
        Mistake{{"matrix"}, "expected results of `tunecheck run`, or --adapter"},
        Mistake{{"matrix", "--format", "htm"},
                "--format: unknown format \"htm\"; did you mean \"html\"?"},
        Mistake{{"matrix", "--adapter", "triton9"}, "--adapter: unknown adapter \"triton9\""},
        Mistake{{"run", "--backend", "metal"},
                "--backend: unknown backend \"metal\". Expected one of: cpu, cuda, hip"},
        Mistake{{"run", "--backend", "sim"},
                "--backend: unknown backend \"sim\". Expected one of: cpu, cuda, hip"},
        Mistake{{"kernels", "prove", "axpy_inplac"},
                "unknown kernel \"axpy_inplac\"; did you mean \"axpy_inplace\"?"},
        Mistake{{"kernels", "prove", "--size", "huge"},
                "--size: unknown size \"huge\". Expected one of: empty, full, odd, one, smoke"},
        Mistake{{"kernels", "prove", "axpy_inplace", "--arch", "z80"}, ""},
        Mistake{{"kernels", "prove", "--backend", "cpu,cud"},
                "--backend: unknown backend \"cud\"; did you mean \"cuda\"?"},
        Mistake{{"kernels", "tune", "--backend", "sim"}, "--backend: unknown backend \"sim\""},
        Mistake{{"kernels", "list", "further"}, "unexpected argument \"further\""},
        Mistake{{"doctor", "further"}, "unexpected argument \"further\""}),
    [](const auto& info) { return "mistake_" + std::to_string(info.index); });

}  // namespace
}  // namespace tunecheck::test
