// The same kind of mistake has the same exit status in every command that can be given it.
#include <gmock/gmock.h>

#include "core/resources.hpp"
#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;

/// What a command is given that it cannot use, and a part of what it says about it.
struct MistakeInCommand {
  std::vector<std::string> arguments;
  std::string says;
};

/// "run --scenarios none.info", for what a test prints.
std::string line_of(const std::vector<std::string>& arguments) {
  std::string line = "tunecheck";
  for (const std::string& argument : arguments)
    line += " " + argument;
  return line;
}

class ExitStatusOf : public testing::Test {
 protected:
  ExitStatusOf() {
    place.write("bad.json", "{\"schema\": ");
    place.write("other.json", "{\"schema\": \"9.0.0\"}");
    place.write("bad.info", "scenario\n{\n  name cli.mine\n");
    place.write("word.info", "frobnicate yes\n");
    place.write("file", "");
    place.write("h.sqlite", std::string(9000, '?'));
    place.write("mine.info", axpy_scenario("cli.mine"));
    place.write("kernels/mine/kernel.info", "kernel\n{\n  name mine\n  flavour sweet\n}\n");
    place.write("adapter/adapter.info", "adapter\n{\n  flavour sweet\n}\n");
    place.write("good.json", R"({"context": {"date": "2024-01-01T00:00:00+00:00", "host_name": "h",
      "executable": "b", "num_cpus": 2, "mhz_per_cpu": 1000, "caches": []},
      "benchmarks": [{"name": "copy", "run_name": "copy", "run_type": "iteration",
                      "real_time": 5, "cpu_time": 5, "time_unit": "ns"}]})");
  }

  void expect(int status, const std::vector<MistakeInCommand>& mistakes) const {
    for (const auto& [arguments, says] : mistakes) {
      const Ran ran = place.run(arguments, {{"XDG_DATA_HOME", (place.path() / "data").string()}});
      EXPECT_EQ(ran.status, status) << line_of(arguments) << '\n' << ran.out << ran.err;
      EXPECT_THAT(ran.err, HasSubstr(says)) << line_of(arguments);
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
      EXPECT_FALSE(place.has("out")) << line_of(arguments);
    }
  }

  const Place place;
};

TEST_F(ExitStatusOf, a_file_that_is_not_there_is_3) {
  expect(3, {{{"run", "--scenarios", "none.info"}, "none.info"},
             {{"run", "--known", "none.info"}, "none.info"},
             {{"run", "--adapter", "./none/adapter.info"}, "none/adapter.info"},
             {{"run", "--kernels", "none"}, "--kernels"},
             {{"scenarios", "check", "none.info"}, "none.info"},
             {{"scenarios", "list", "none.info"}, "none.info"},
             {{"kernels", "list", "--kernels", "none"}, "--kernels"},
             {{"kernels", "tune", "rmsnorm", "--adapter", "./none/adapter.info"}, "adapter.info"},
             {{"report", "markdown", "none.json"}, "none.json"},
             {{"report", "markdown", "good.json", "--base", "none.json"}, ".json"},
             {{"matrix", "none.json"}, "none.json"},
             {{"matrix", "--adapter", "./none/adapter.info"}, "none/adapter.info"},
             {{"gate", "--base", "none.json", "--head", "none.json"}, "none.json"},
             {{"gate", "--base", "good.json", "--head", "none.json"}, "none.json"},
             {{"gate", "--against", "none.json", "--head", "."}, "none.json"},
             {{"gate", "--against", "last", "--db", "none.sqlite", "--head", "."}, "none.sqlite"},
             {{"gate", "--base", "good.json", "--head", "good.json", "--resume"}, "gate.json"},
             {{"history", "add", "none.json"}, "none.json"},
             {{"history", "list", "--db", "none.sqlite"}, "none.sqlite"},
             {{"history", "show", "1", "--db", "none.sqlite"}, "none.sqlite"},
             {{"history", "plot", "copy", "--db", "none.sqlite"}, "none.sqlite"},
             {{"history", "changes", "--db", "none.sqlite"}, "none.sqlite"},
             {{"history", "rename", "a", "b", "--db", "none.sqlite"}, "none.sqlite"},
             {{"cache", "list", "--cache", "none"}, "none"},
             {{"cache", "import", "none.bundle", "--cache", "."}, "none.bundle"}});
}

TEST_F(ExitStatusOf, a_file_that_cannot_be_read_as_what_it_should_be_is_3) {
  expect(3, {{{"run", "--scenarios", "bad.info"}, "bad.info"},
             {{"run", "--scenarios", "word.info"}, "word.info"},
             {{"run", "--scenarios", "mine.info", "--known", "bad.info"}, "bad.info"},
             {{"run", "--kernels", "kernels"}, "kernel.info"},
             {{"run", "--adapter", "./adapter/adapter.info"}, "adapter.info"},
             {{"scenarios", "check", "bad.info"}, "bad.info"},
             {{"scenarios", "check", "--kernels", "kernels"}, "kernel.info"},
             {{"kernels", "list", "--kernels", "kernels"}, "kernel.info"},
             {{"kernels", "prove", "mine", "--kernels", "kernels"}, "kernel.info"},
             {{"kernels", "tune", "mine", "--kernels", "kernels"}, "kernel.info"},
             {{"kernels", "tune", "rmsnorm", "--adapter", "./adapter/adapter.info"}, "flavour"},
             {{"report", "terminal", "bad.json"}, "bad.json"},
             {{"report", "terminal", "other.json"}, "other.json"},
             {{"report", "html", "good.json"}, "good.json"},
             {{"matrix", "bad.json"}, "bad.json"},
             {{"matrix", "other.json"}, "other.json"},
             {{"matrix", "--adapter", "./adapter/adapter.info"}, "adapter.info"},
             {{"gate", "--base", "bad.json", "--head", "good.json"}, "bad.json"},
             {{"gate", "--base", "good.json", "--head", "other.json"}, "other.json"},
             {{"gate", "--against", "bad.json", "--head", "."}, "bad.json"},
             {{"gate", "--against", "other.json", "--head", "."}, "other.json"},
             {{"gate", "--against", "last", "--db", "h.sqlite", "--head", "."}, "h.sqlite"},
             {{"history", "add", "bad.json"}, "bad.json"},
             {{"history", "add", "other.json"}, "other.json"},
             {{"history", "add", "good.json", "--db", "h.sqlite"}, "h.sqlite"},
             {{"history", "list", "--db", "h.sqlite"}, "h.sqlite"},
             {{"history", "show", "1", "--db", "h.sqlite"}, "h.sqlite"},
             {{"history", "plot", "copy", "--db", "h.sqlite"}, "h.sqlite"},
             {{"history", "changes", "--db", "h.sqlite"}, "h.sqlite"},
             {{"cache", "import", "bad.json", "--cache", "."}, "bad.json"}});
}

TEST_F(ExitStatusOf, a_mistake_in_a_scenario_of_the_audit_is_3) {
  for (const char* const scenarios : {"frobnicate yes\n", "scenario\n{\n  name cli.mine\n"}) {
    const Place other;
    const Ran ran = other.run({"audit"}, other.make_root(scenarios));
    EXPECT_EQ(ran.status, 3) << ran.out << ran.err;
    EXPECT_FALSE(other.has("out"));
  }
}

TEST_F(ExitStatusOf, a_name_that_nothing_has_is_3) {
  expect(3, {{{"run", "--adapter", "refrence"}, "refrence"},
             {{"run", "--adapter", "mutant:no_restoer"}, "no_restoer"},
             {{"run", "--backend", "cpuu"}, "cpuu"},
             {{"audit", "--backend", "cpuu"}, "cpuu"},
             {{"matrix", "--adapter", "refrence"}, "refrence"},
             {{"matrix", "--adapter", "reference", "--backend", "cpuu"}, "cpuu"},
             {{"gate", "--base", ".", "--head", ".", "--backend", "cpuu"}, "cpuu"},
             {{"matrix", "good.json", "--format", "pdf"}, "pdf"},
             {{"report", "pdf", "good.json"}, "pdf"},
             {{"kernels", "prove", "rmsnrom"}, "rmsnrom"},
             {{"kernels", "prove", "rmsnorm", "--size", "huge"}, "huge"},
             {{"kernels", "prove", "rmsnorm", "--backend", "cpuu"}, "cpuu"},
             {{"kernels", "prove", "rmsnorm", "--arch", "z80"}, "z80"},
             {{"kernels", "tune", "rmsnrom"}, "rmsnrom"},
             {{"kernels", "tune", "rmsnorm", "--size", "huge"}, "huge"},
             {{"kernels", "tune", "rmsnorm", "--dtype", "f65"}, "f65"},
             {{"kernels", "tune", "rmsnorm", "--adapter", "refrence"}, "refrence"},
             {{"kernels", "tune", "rmsnorm", "--arch", "z80"}, "z80"},
             {{"gate", "--base", "nowhere", "--head", "nowhere"}, "nowhere"},
             {{"gate", "--base", "a", "--head", "b", "--metric", "warm"}, "warm"},
             {{"scenarios", "chekc"}, "chekc"},
             {{"history", "chnages"}, "chnages"},
             {{"new", "kernel", "x", "--purr"}, "purr"},
             {{"cache", "lsit"}, "lsit"}});
  ASSERT_EQ(place.run({"history", "add", "good.json", "--db", "good.sqlite"}).status, 0);
  expect(3, {{{"history", "show", "7", "--db", "good.sqlite"}, "7"},
             {{"history", "plot", "cpoy", "--db", "good.sqlite"}, "cpoy"},
             {{"history", "rename", "cpoy", "copy", "--db", "good.sqlite"}, "cpoy"},
             {{"gate", "--against", "7", "--db", "good.sqlite", "--head", "."},
              "--against: expected the number of a run"}});
}

TEST_F(ExitStatusOf, a_selection_of_nothing_is_3) {
  std::filesystem::create_directories(place.path() / "empty");
  expect(3, {{{"run", "nothing.*"}, "nothing.*"},
             {{"run", "--scenarios", "empty"}, "empty"},
             {{"scenarios", "check", "empty"}, "empty"},
             {{"audit", "--scenarios", "empty"}, "empty"},
             {{"audit", "--mutant", "nothing_*"}, "nothing_*"},
             {{"history", "list", "--db", "empty"}, "empty"},
             {{"matrix", "--adapter", "reference", "--only", "nothing.*"}, "nothing.*"}});
}

TEST_F(ExitStatusOf, a_result_that_cannot_be_written_is_4) {
  const std::string own_build = program_folder().parent_path().string();
  place.write("two.json", place.read("good.json"));
  ASSERT_EQ(place.run({"run", "--scenarios", "mine.info", "--out", "run"}).status, 0);
  expect(4,
         {{{"run", "--scenarios", "mine.info", "--out", "file/out"}, "file/out"},
          {{"audit", "--mutant", "no_restore", "--out", "file/out"}, "file/out"},
          {{"report", "markdown", "run/result.json", "--out", "file/page"}, "file/page"},
          {{"gate", "--base", "good.json", "--head", "two.json", "--out", "file/out"}, "file/out"},
          {{"gate", "--base", own_build, "--head", own_build, "--out", "file/out"}, "file/out"},
          {{"history", "add", "good.json", "--db", "file/h.sqlite"}, "file"},
          {{"new", "kernel", "mine", "--pure", "--in", "file/kernels"}, "file/kernels"}});
  // Which may run tuners for hours first.
  expect(3, {{{"matrix", "run/result.json", "--out", "file/table"}, "file/table"}});
}

}  // namespace
}  // namespace tunecheck::test
