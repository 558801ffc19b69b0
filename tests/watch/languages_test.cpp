// Programs in Python, and programs with the tuners that run on a CPU.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watched.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

using Words = std::set<std::string>;

const fs::path python_programs = fs::path(WATCHED_KERNELS).parent_path() / "python_tuner";

Words watch(const std::string& name, const std::vector<std::string>& command, WatchResult* result) {
  const Variable compiler("COMPILER", WATCHED_COMPILER);
  const Variable include("INCLUDE", WATCHED_INCLUDE);
  const Variable kernels("KERNELS", WATCHED_KERNELS);
  const Variable no_bytecode("PYTHONDONTWRITEBYTECODE", "1");
  Watched watched(name);
  watched.options.command = command;
  *result = watched.run();
  return words_of(*result);
}

struct PythonProgram {
  std::string name;
  Words words;
  std::int64_t warm_launches;
};
void PrintTo(const PythonProgram& program, std::ostream* out) {
  *out << program.name;
}
class Python : public testing::TestWithParam<PythonProgram> {};

TEST_P(Python, is_told_by_the_right_words) {
  WatchResult result;
  EXPECT_EQ(watch(GetParam().name,
                  {"python3", (python_programs / "program.py").string(), GetParam().name}, &result),
            GetParam().words);
  ASSERT_EQ(result.runs.size(), 3U);
  for (const WatchResult::Run& run : result.runs)
    EXPECT_EQ(run.end, "exit status 0") << run.name;
  EXPECT_EQ(result.runs[0].compiles, 3);
  // What a process did in its last moments before it was killed may be missing.
  if (GetParam().name == "pool_is_terminated") return;
  EXPECT_EQ(result.runs[0].launches, GetParam().warm_launches + 9);
  EXPECT_EQ(result.runs[2].launches, GetParam().warm_launches);
}

std::string name_of_program(const testing::TestParamInfo<PythonProgram>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(
    Programs, Python,
    testing::Values(PythonProgram{"train", {}, 3}, PythonProgram{"spawn", {}, 9},
                    PythonProgram{"forkserver", {}, 9}, PythonProgram{"fork", {}, 9},
                    PythonProgram{"pool_by_spawn", {}, 15},
                    PythonProgram{"pool_by_forkserver", {}, 15},
                    PythonProgram{"pool_is_terminated", {}, 3},
                    PythonProgram{"by_subprocesses", {}, 12}, PythonProgram{"by_threads", {}, 27},
                    PythonProgram{"tunes_in_a_thread", {}, 6}, PythonProgram{"ends_at_once", {}, 3},
                    PythonProgram{"forgets_in_a_worker", {"WRONG sgd"}, 3}),
    name_of_program);

// The config that is tried last may win as well as any other, and no cache gives it away.
TEST(Tuners, one_that_tunes_in_each_process_is_seen_whichever_config_wins) {
  for (const char* const winner : {"0", "1", "3"})
    for (const bool restores : {true, false}) {
      WatchResult result;
      const Words words = watch(std::string("each-process-") + winner,
                                {"python3", (python_programs / "each_process_program.py").string(),
                                 winner, restores ? "restores" : "forgets"},
                                &result);
      EXPECT_EQ(words.contains("WRONG sgd"), !restores) << winner;
      EXPECT_TRUE(words.contains("AGAIN sgd")) << winner;
      EXPECT_EQ(words.size(), restores ? 1U : words.contains("SPOILT sgd") ? 3U : 2U) << winner;
      EXPECT_GT(result.runs.at(2).trials, 3 * 20) << winner;
    }
}

// A program that uses the reference tuner as a library, as tests/consumer builds it.
TEST(Tuners, the_reference_tuner_as_a_library_is_right) {
  WatchResult result;
  const std::string kernel = (fs::path(WATCHED_ROOT) / "kernels/axpy_inplace").string();
  EXPECT_EQ(
      watch("reference",
            {"/bin/sh", "-c", "exec " WATCHED_CONSUMER " " + kernel + " \"$HOME/.cache/mine\""},
            &result),
      Words{});
  EXPECT_GT(result.runs.at(0).compiles, 1);
  EXPECT_EQ(result.runs.at(0).end, "exit status 0");
  EXPECT_EQ(result.runs.at(1).compiles, 0);
  EXPECT_EQ(result.runs.at(1).launches, 3);
  EXPECT_EQ(result.exit_status(), 0);
}

// Those that ci/bootstrap --adapters installs.
class OtherTuners : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(m_python)) GTEST_SKIP() << m_python << " is missing: ci/bootstrap --adapters";
  }
  const std::string m_python = std::string(WATCHED_ROOT) + "/.venv-adapters/bin/python";
  const std::string m_stand_in =
      std::string(WATCHED_ROOT) + "/framework/adapter/python/flydsl/stand_in";
};

TEST_F(OtherTuners, kernel_tuner_with_its_cache_file_is_right) {
  WatchResult result;
  EXPECT_EQ(watch("kernel_tuner",
                  {m_python, (python_programs / "kernel_tuner_program.py").string()}, &result),
            Words{});
  EXPECT_GE(result.runs.at(0).compiles, 3);
  EXPECT_EQ(result.runs.at(0).end, "exit status 0");
  EXPECT_EQ(result.runs.at(2).compiles, 0);
}

TEST_F(OtherTuners, flydsl_is_right_where_its_user_says_what_it_restores) {
  WatchResult result;
  const std::string program = (python_programs / "flydsl_program.py").string();
  EXPECT_EQ(watch("flydsl", {m_python, program, m_stand_in}, &result), Words{});
  EXPECT_GT(result.runs.at(0).trials, 0);
  EXPECT_EQ(result.runs.at(1).trials, 0);
  EXPECT_EQ(result.runs.at(1).compiles, 0);
  EXPECT_THAT(watch("flydsl-forgets", {m_python, program, m_stand_in, "forgets"}, &result),
              testing::Contains("WRONG sgd"));
}

}  // namespace
}  // namespace tunecheck::watch
