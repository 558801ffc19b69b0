#include <gmock/gmock.h>
#include <sys/stat.h>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Doctor, is_content_where_run_can_work) {
  const Ran ran = Place().run({"doctor"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, Not(HasSubstr("MISSING")));
  for (const char* what : {"cores", "archs", "C++ compiler", "compiler spy", "launch probe",
                           "adapter reference", "mutants", "scenarios"})
    EXPECT_THAT(ran.out, HasSubstr(what));
  EXPECT_THAT(ran.out, HasSubstr("`tunecheck run` can work here"));
}

// An adapter that answers hello with this line.
Environment root_with_adapter(const Place& place, const std::string& answer) {
  const std::string script =
      place.write("adapter.sh", "#!/bin/sh\nread request\necho '" + answer + "'\nread request\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return place.make_root(axpy_scenario("cli.any"), "adapter { name mine  command \"" + script +
                                                       "\"  cache_variable MINE  backends cpu }");
}

TEST(Doctor, says_of_each_adapter_what_its_tuner_lacks_and_how_to_get_it) {
  const Place place;
  const Environment root = root_with_adapter(
      place, R"({"answer":"error","message":"mine is not installed; pip install mine"})");
  const Ran ran = place.run({"doctor"}, root);
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("optional  adapter mine        cannot run on \"cpu\": mine is not "
                                 "installed"));
  EXPECT_THAT(ran.out, HasSubstr("to fix: pip install mine"));
  // A run with it says the same in a line, and judges nothing.
  const Ran judged = place.run({"run", "--adapter", "mine"}, root);
  EXPECT_EQ(judged.status, 4);
  EXPECT_EQ(judged.err,
            "tunecheck: the adapter cannot run on \"cpu\": mine is not installed; pip "
            "install mine\n");
}

TEST(Doctor, says_which_tuner_an_adapter_has) {
  const Place place;
  const Ran ran = place.run(
      {"doctor"},
      root_with_adapter(
          place, R"({"answer":"hello","protocol":2,"tuner":"Mine","version":"2.1","backend":"cpu",)"
                 R"("device":"","arch":"","capabilities":[],"policies":{}})"));
  EXPECT_THAT(ran.out, HasSubstr("ok        adapter mine        Mine 2.1, by"));
}

TEST(Doctor, an_adapter_of_an_older_protocol_gets_one_line_and_so_does_a_run) {
  const Place place;
  const Environment root = root_with_adapter(
      place, R"({"answer":"hello","protocol":1,"tuner":"Mine","version":"2.1","backend":"cpu",)"
             R"("device":"","arch":"","capabilities":[],"policies":{}})");
  const Ran ran = place.run({"doctor"}, root);
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("optional  adapter mine        speaks protocol version 1"));
  EXPECT_THAT(ran.out, HasSubstr("this tunecheck speaks 2"));
  const Ran judged = place.run({"run", "--adapter", "mine"}, root);
  EXPECT_EQ(judged.status, 4);
  EXPECT_EQ(judged.err,
            "tunecheck: the adapter speaks protocol version 1; this tunecheck speaks 2: "
            "docs/adapter-protocol.md says under \"What changed\" what each version is\n");
}

TEST(Doctor, without_a_compiler_says_how_to_get_one) {
  const Place place;
  std::filesystem::create_directories(place.path() / "empty");
  const Ran ran = place.run({"doctor"}, {{"PATH", (place.path() / "empty").string()}});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.out, HasSubstr("MISSING   C++ compiler"));
  EXPECT_THAT(ran.out, HasSubstr("to fix: sudo apt-get install g++"));
  EXPECT_THAT(ran.out, HasSubstr("`tunecheck run` cannot work here"));
}

TEST(Doctor, without_a_compiler_for_gpus_says_how_to_get_one_and_is_content) {
  const Place place;
  const Ran ran = place.run({"doctor"}, {{"TUNECHECK_NVRTC", "/nowhere/libnvrtc.so"},
                                         {"TUNECHECK_HIPRTC", "/nowhere/libhiprtc.so"}});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("optional  cuda compiler       there is no NVRTC"));
  EXPECT_THAT(ran.out, HasSubstr("set TUNECHECK_NVRTC to libnvrtc.so"));
  EXPECT_THAT(ran.out, HasSubstr("optional  hip compiler        there is no HIPRTC"));
}

TEST(Doctor, without_a_gpu_says_what_is_missing_and_is_content) {
  const Place place;
  const Ran ran = place.run({"doctor"}, {{"TUNECHECK_CUDA", "/nowhere/libcuda.so"},
                                         {"TUNECHECK_HIP", "/nowhere/libamdhip64.so"},
                                         {"TUNECHECK_CUPTI", "/nowhere/libcupti.so"}});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  for (const char* what : {"optional  cuda device", "optional  hip device", "optional  CUPTI"})
    EXPECT_THAT(ran.out, HasSubstr(what));
}

// Opening it would wait until a process writes to it.
TEST(Doctor, names_a_library_that_is_a_fifo) {
  const Place place;
  Environment all;
  for (const char* const variable : {"TUNECHECK_NVRTC", "TUNECHECK_HIPRTC", "TUNECHECK_CUDA",
                                     "TUNECHECK_HIP", "TUNECHECK_CUPTI"}) {
    all[variable] = (place.path() / variable).string();
    ASSERT_EQ(::mkfifo(all[variable].c_str(), 0600), 0);
  }
  const Ran ran = place.run({"doctor"}, all);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  // Long lines are broken.
  std::string text;
  for (const char letter : ran.out)
    if (letter != ' ' && letter != '\n') text += letter;
  for (const auto& [variable, file] : all)
    EXPECT_THAT(text, testing::AnyOf(HasSubstr(file + "isnotaregularfile"),
                                     HasSubstr(file + ":expectedaregularfile")))
        << ran.out;
}

TEST(Doctor, and_a_run_say_the_same_of_a_compiler_that_does_not_work) {
  const Place place;
  for (const std::string command : {"doctor", "run"}) {
    std::vector<std::string> arguments = {command};
    if (command == "run") arguments.push_back("reload.winner_survives_restart");
    const Ran ran = place.run(arguments, {{"TUNECHECK_CXX", "/bin/false"}});
    EXPECT_EQ(ran.status, 4) << command;
    EXPECT_THAT(ran.out + ran.err, HasSubstr("/bin/false does not answer --version")) << command;
  }
}

TEST(Doctor, a_program_that_answers_and_compiles_nothing_is_no_compiler) {
  const Place place;
  const Ran ran = place.run({"doctor"}, {{"TUNECHECK_CXX", "/bin/true"}});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.out, HasSubstr("/bin/true does not compile an empty function"));
}

TEST(Doctor, a_second_compiler_is_optional) {
  const Place place;
  std::filesystem::create_directories(place.path() / "empty");
  const Ran ran = place.run({"doctor"}, {{"PATH", (place.path() / "empty").string()},
                                         {"TUNECHECK_CXX", find_program("c++").string()}});
  EXPECT_THAT(ran.out, HasSubstr("optional  clang++"));
  EXPECT_THAT(ran.out, HasSubstr("to fix: sudo apt-get install clang\n"));
}

}  // namespace
}  // namespace tunecheck::test
