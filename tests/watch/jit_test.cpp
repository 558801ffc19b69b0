// Compilers inside the program: what is seen of them, and what is said not to be.
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watched.hpp"

namespace tunecheck::watch {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::set<std::string>;

WatchResult watch(const std::string& cache) {
  Watched watched("jit-" + cache);
  watched.options.command = {"python3", WATCHED_JIT_PROGRAM, WATCHED_CODE_MAKER, cache};
  return watched.run();
}

TEST(Jit, what_numba_compiles_in_each_start_is_named_with_its_line) {
  const WatchResult result = watch("none");
  EXPECT_EQ(words_of(result), Words{"COMPILED"});
  EXPECT_THAT(result.findings.at(0).text, HasSubstr("it ran numba"));
  EXPECT_THAT(result.findings.at(0).details.at(0), HasSubstr("program.py:19 (compile_both)"));
  EXPECT_THAT(result.notes, IsEmpty());
  EXPECT_GE(result.runs.at(0).compiles, 1);
  EXPECT_LE(result.runs.at(0).compiles, 2);
}

TEST(Jit, what_numba_loads_from_its_cache_is_right) {
  const WatchResult result = watch("cache");
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_GE(result.runs.at(0).compiles, 1);
  EXPECT_EQ(result.runs.at(1).compiles, 0);
  EXPECT_THAT(result.notes, IsEmpty());
  EXPECT_EQ(result.exit_status(), 0);
}

TEST(Jit, of_another_library_it_is_said_that_nothing_is_seen) {
  const WatchResult result = watch("unknown");
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_THAT(result.notes, Contains(HasSubstr("libllvmlite-stand-in.so makes code in memory")));
  EXPECT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.exit_status(), 4);
}

// The real one, where it is installed.
TEST(Jit, numba_itself) {
  if (std::system("python3 -c 'import numba' 2> /dev/null") != 0)
    GTEST_SKIP() << "numba is not installed";
  for (const bool has_cache : {false, true}) {
    Watched watched("numba");
    watched.options.command = {"python3", "-c",
                               "import numba, sys\n"
                               "import colorsys as m\n"
                               "f = numba.njit(cache=bool(" +
                                   std::to_string(static_cast<int>(has_cache)) +
                                   "))(m.rgb_to_yiq)\nf(0.5, 0.5, 0.5)\n"};
    const WatchResult result = watched.run();
    EXPECT_EQ(words_of(result), has_cache ? Words{} : Words{"COMPILED"});
    EXPECT_GE(result.runs.at(0).compiles, 1);
    EXPECT_THAT(result.notes, IsEmpty());
  }
}

}  // namespace
}  // namespace tunecheck::watch
