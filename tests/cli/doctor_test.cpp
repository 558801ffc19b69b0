#include <gmock/gmock.h>

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

TEST(Doctor, without_a_compiler_says_how_to_get_one) {
  const Place place;
  std::filesystem::create_directories(place.path() / "empty");
  const Ran ran = place.run({"doctor"}, {{"PATH", (place.path() / "empty").string()}});
  EXPECT_EQ(ran.status, 4);
  EXPECT_THAT(ran.out, HasSubstr("MISSING   C++ compiler"));
  EXPECT_THAT(ran.out, HasSubstr("to mend: sudo apt-get install g++"));
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

TEST(Doctor, a_second_compiler_is_optional) {
  const Place place;
  std::filesystem::create_directories(place.path() / "empty");
  const Ran ran = place.run({"doctor"}, {{"PATH", (place.path() / "empty").string()},
                                         {"TUNECHECK_CXX", find_program("c++").string()}});
  EXPECT_THAT(ran.out, HasSubstr("optional  clang++"));
  EXPECT_THAT(ran.out, HasSubstr("to mend: sudo apt-get install clang\n"));
}

}  // namespace
}  // namespace tunecheck::test
