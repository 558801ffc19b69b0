// Mistakes in files: one line `file:line: key: what was expected`, status 3, before anything runs.
#include <gmock/gmock.h>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::logic_error("the scenario does not contain " + from);
  return text.replace(at, from.size(), to);
}

struct MistakeInFile {
  std::string from, to;  ///< what is replaced in a scenario that is right
  int line;
  std::string key;
  std::string message;  ///< a part of it
};

void PrintTo(const MistakeInFile& mistake, std::ostream* out) {
  *out << "line " << mistake.line << ": " << mistake.key << mistake.message;  // one line, for ctest
}

class BadScenario : public testing::TestWithParam<MistakeInFile> {};

TEST_P(BadScenario, is_refused_with_file_line_and_key_before_anything_runs) {
  const auto& [from, to, line, key, message] = GetParam();
  const Place place;
  const std::string file = place.write("bad.info", replaced(axpy_scenario("cli.bad"), from, to));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"scenarios", "check", file}, {"run", "--scenarios", file}}) {
    const Ran ran = place.run(arguments);
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith(file + ":" + std::to_string(line) + ": " + key));
    EXPECT_THAT(ran.err, HasSubstr(message));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_FALSE(place.has("out"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadScenario,
    testing::Values(
        MistakeInFile{"{\n  name", "\n  name", 7, "", "syntax error"},
        MistakeInFile{"kernel axpy_inplace", "kernel axpy_inplac", 5, "kernel: ", "axpy_inplace"},
        MistakeInFile{"kernel axpy_inplace", "kernle axpy_inplace", 5, "kernle: ", "unknown key"},
        MistakeInFile{"inputs.pristine yes", "inputs.pristin yes", 6, "", "inputs.pristine"},
        MistakeInFile{"inputs.pristine yes", "inputs.pristine perhaps", 6,
                      "inputs.pristine: ", "yes"},
        MistakeInFile{"cache miss", "cache maybe", 6, "cache: ", "expected"},
        MistakeInFile{"process cold { call", "process cold { cal", 6, "cal: ", "call"}),
    [](const auto& info) { return "mistake_" + std::to_string(info.index); });

TEST(BadFile, a_missing_key_is_named) {
  const Place place;
  const std::string file =
      place.write("bad.info", replaced(axpy_scenario("cli.bad"), "  kernel axpy_inplace\n", ""));
  const Ran ran = place.run({"scenarios", "check", file});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, StartsWith(file + ":"));
  EXPECT_THAT(ran.err, HasSubstr("kernel: "));
}

TEST(BadFile, two_scenarios_of_one_name_are_refused) {
  const Place place;
  const std::string file =
      place.write("bad.info", axpy_scenario("cli.twice") + axpy_scenario("cli.twice"));
  const Ran ran = place.run({"scenarios", "check", file});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, StartsWith(file + ":"));
  EXPECT_THAT(ran.err, HasSubstr("cli.twice"));
}

TEST(BadFile, a_path_that_does_not_exist_is_refused) {
  const Place place;
  const Ran ran = place.run({"run", "--scenarios", "nowhere.info"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("nowhere.info"));
}

TEST(BadFile, a_kernel_with_an_unknown_key_is_refused_by_every_command_that_reads_it) {
  const Place place;
  const std::string file =
      place.write("kernels/mine/kernel.info", "kernel\n{\n  name mine\n  flavour sweet\n}\n");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"kernels", "list"},
                                                    {"kernels", "prove"},
                                                    {"run"},
                                                    {"scenarios", "check"}}) {
    std::vector<std::string> with = arguments;
    with.insert(with.end(), {"--kernels", "kernels"});
    const Ran ran = place.run(with);
    EXPECT_EQ(ran.status, 3);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("kernels/mine/kernel.info:"));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  (void)file;
}

TEST(BadFile, hostile_text_in_it_cannot_reach_the_terminal) {
  const Place place;
  const std::string file = place.write(
      "bad.info", replaced(axpy_scenario("cli.bad"), "kernel axpy_inplace", "kernel \"\x1b[2Jx\""));
  const Ran ran = place.run({"scenarios", "check", file});
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.err.find('\x1b'), ran.err.npos);
  EXPECT_THAT(ran.err, HasSubstr("\\x1b[2Jx"));
}

TEST(BadVariable, a_python_that_cannot_be_run_is_refused_where_an_adapter_in_python_is_asked_for) {
  const Place place;
  const Environment python = {{"TUNECHECK_PYTHON", "/nowhere/python3"}};
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "--adapter", "kernel_tuner"},
        {"kernels", "tune", "rmsnorm", "--adapter", "kernel_tuner"},
        {"audit", "--adapter", "kernel_tuner"}}) {
    const Ran ran = place.run(arguments, python);
    EXPECT_EQ(ran.status, 3) << ran.out << ran.err;
    EXPECT_EQ(ran.err,
              "tunecheck: TUNECHECK_PYTHON: expected the absolute path of a Python that can be "
              "run, found \"/nowhere/python3\"\n");
  }
  EXPECT_EQ(
      place.run({"run", "restore.first_result_is_right", "--adapter", "reference"}, python).status,
      0)
      << "nobody asks for a Python";
}

TEST(BadVariable, a_root_that_lacks_what_is_looked_for_is_named_with_the_folder) {
  const Place place;
  const Environment nowhere = {{"TUNECHECK_ROOT", "/nowhere"}};
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run"},
        {"audit"},
        {"adapters", "list"},
        {"kernels", "list"},
        {"scenarios", "check"},
        {"new", "kernel", "mine", "--in-place", "--in", "kernels"}}) {
    const Ran ran = place.run(arguments, nowhere);
    EXPECT_NE(ran.status, 0);
    EXPECT_THAT(ran.err, StartsWith("/nowhere/"));
    EXPECT_THAT(ran.err, HasSubstr("; TUNECHECK_ROOT is \"/nowhere\"\n"));
  }
  EXPECT_THAT(place.run({"doctor"}, nowhere).out, HasSubstr("TUNECHECK_ROOT is \"/nowhere\""));
}

TEST(BadVariable, a_root_has_nothing_to_do_with_folders_elsewhere) {
  const Place place;
  const Environment root = place.make_root(axpy_scenario("cli.any"));
  std::filesystem::create_directories(place.path() / "empty");
  const Ran ran = place.run({"kernels", "list", "--kernels", "empty"}, root);
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, StartsWith("empty: expected at least one NAME/kernel.info in it"));
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("TUNECHECK_ROOT")));
}

}  // namespace
}  // namespace tunecheck::test
