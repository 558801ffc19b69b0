// Programs with one planted mistake each, and right ones, watched as a user would watch them.
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watched.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Program {
  std::string name;
  std::set<std::string> words;
};
void PrintTo(const Program& program, std::ostream* out) {
  *out << program.name;
}

class Programs : public testing::TestWithParam<Program> {};

TEST_P(Programs, is_told_by_the_right_words) {
  Watched watched(GetParam().name);
  const WatchResult result = watched.run();
  EXPECT_EQ(words_of(result), GetParam().words);
  for (const WatchResult::Run& run : result.runs)
    EXPECT_EQ(run.end, "exit status 0") << run.name;
}

const std::vector<Program> mistaken = {
    {"forgotten_restore", {"WRONG sgd"}},
    {"misspelt_restore", {"WRONG sgd"}},
    {"reset_on_miss_only", {"WRONG add"}},
    {"moving_cache", {"AGAIN sgd", "COMPILED"}},
    {"forgetful_tuner", {"AGAIN sgd", "COMPILED"}},
    {"key_with_step", {"EVERY_STEP scale"}},
    {"coordinate_descent", {"AGAIN sgd"}},
    {"ranks_disagree", {"RANKS total"}},
    {"winner_changes_bits", {"CHANGED total", "AGAIN total", "COMPILED"}},
    {"spoilt_trials", {"SPOILT sgd"}},
    {"worker_is_ended", {"WRONG sgd"}},
    {"becomes_another_program", {"WRONG sgd"}},
    {"first_launch_is_cached", {"WRONG add"}},
    {"deletes_its_cache", {"AGAIN sgd", "COMPILED"}},
};
const std::vector<Program> right = {
    {"restores", {}},
    {"one_call", {}},
    {"on_copies", {}},
    {"on_fresh_copies", {}},
    {"pure_output", {}},
    {"accumulates", {}},
    {"two_phases", {}},
    {"scratch_first", {}},
    {"threads", {}},
    {"forks", {}},
    {"other_work_warm", {}},
    {"unseeded", {"unclear WRONG noisy"}},
    {"logs_its_time", {}},
    {"tunes_late", {}},
    {"layers", {}},
    {"workspace", {"unclear WRONG parts"}},
    {"signals_its_group", {}},
    {"spawns_workers", {}},
    {"workers_wait_for_one_that_tunes", {}},
    {"seeds_by_time", {}},
    {"limits_its_cache", {}},
    {"uses_temporary_files", {}},
    {"waits_for_its_service", {}},
    {"pool_of_threads", {}},
    {"fresh_data_for_each_trial", {}},
    {"warms_up", {}},
    {"tunes_when_ready", {}},  // nobody said how to tell
};
// What is not certain of these is of no importance: nothing certain may be said.
const std::vector<Program> on_purpose = {
    {"benchmark_with_a_control", {}},
    {"layers_of_one_name", {}},
    {"layers_with_outputs", {}},
    {"prepares_once", {}},
    {"keeps_a_model", {}},
    {"ranks_of_a_pipeline", {}},
    {"ranks_with_stages", {}},
    {"order_by_chance", {}},
    {"new_length_each_start", {}},
    {"few_lengths", {}},
};
class OnPurpose : public testing::TestWithParam<Program> {};
TEST_P(OnPurpose, is_not_blamed) {
  Watched watched(GetParam().name);
  const WatchResult result = watched.run();
  for (const std::string& word : words_of(result))
    EXPECT_THAT(word, testing::StartsWith("unclear ")) << GetParam().name;
  EXPECT_EQ(result.exit_status(), 0);
}

std::string name_of_test(const testing::TestParamInfo<Program>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Mistaken, Programs, testing::ValuesIn(mistaken), name_of_test);
INSTANTIATE_TEST_SUITE_P(Right, Programs, testing::ValuesIn(right), name_of_test);
INSTANTIATE_TEST_SUITE_P(Programs, OnPurpose, testing::ValuesIn(on_purpose), name_of_test);

// Later starts may go on from what a program saved: no tuning need have changed it.
TEST(Watch, state_of_the_programs_own_makes_it_unclear) {
  Watched watched("checkpoints");
  const fs::path state = watched.options.out.string() + "-state";
  fs::create_directories(state);
  ::setenv("CHECKPOINT", (state / "model").c_str(), 1);
  EXPECT_EQ(words_of(watched.run()), std::set<std::string>{"unclear WRONG sgd"});
  ::unsetenv("CHECKPOINT");
  fs::remove_all(state);
}

// What stands at the input's place while it lives.
class StandardInput {
 public:
  explicit StandardInput(int file) : m_before(::dup(0)) { ::dup2(file, 0); }
  ~StandardInput() {
    ::dup2(m_before, 0);
    ::close(m_before);
  }

 private:
  int m_before;
};

TEST(Watch, each_run_reads_a_file_from_its_beginning) {
  Watched watched("reads_input");
  const fs::path file = watched.options.out.string() + "-input";
  std::ofstream(file) << "5\n";
  const int opened = ::open(file.c_str(), O_RDONLY);
  {
    const StandardInput input(opened);
    EXPECT_EQ(words_of(watched.run()), std::set<std::string>{});
  }
  ::close(opened);
  fs::remove(file);
}

TEST(Watch, a_pipe_is_read_by_the_first_run_alone_and_that_is_said) {
  Watched watched("reads_input");
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "5\n", 2), 2);
  ::close(ends[1]);
  {
    const StandardInput input(ends[0]);
    const WatchResult result = watched.run();
    EXPECT_EQ(words_of(result), std::set<std::string>{});
    EXPECT_THAT(result.notes, Contains(HasSubstr("was a pipe")));
  }
  ::close(ends[0]);
}

TEST(Watch, names_line_bytes_and_launches) {
  Watched watched("forgotten_restore");
  const WatchResult result = watched.run();
  ASSERT_EQ(result.findings.size(), 1U);
  const WatchResult::Finding& finding = result.findings.front();
  EXPECT_THAT(finding.place.file, HasSubstr("small_tuner.cpp"));
  EXPECT_GT(finding.place.line, 0);
  EXPECT_EQ(finding.run, "cold");
  EXPECT_THAT(finding.details, Contains(HasSubstr("16 launches in 4 codes")));
  EXPECT_THAT(finding.details, Contains(HasSubstr("argument 0 (16384 bytes)")));
  EXPECT_THAT(finding.details, Each(testing::Not(HasSubstr("argument 1"))));
  EXPECT_EQ(result.exit_status(), 1);
}

TEST(Watch, counts_compiles_launches_and_trials_of_each_run) {
  Watched watched("restores");
  const WatchResult result = watched.run();
  ASSERT_EQ(result.runs.size(), 3U);
  EXPECT_EQ(result.runs[0].compiles, 4);
  EXPECT_EQ(result.runs[0].launches, 16);
  EXPECT_GE(result.runs[0].trials, 9);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(result.runs[i].compiles, 0);
    EXPECT_EQ(result.runs[i].launches, 4);
    EXPECT_EQ(result.runs[i].trials, 0);
  }
  EXPECT_EQ(result.exit_status(), 0);
}

// A program that fails is no reason to keep silent about what was seen, and none to call it right.
TEST(Watch, keeps_what_was_seen_of_a_program_that_fails) {
  for (const char* const name : {"fails", "crashes"}) {
    Watched watched(name);
    const WatchResult result = watched.run();
    EXPECT_GE(result.runs.at(0).launches, 1) << name;
    EXPECT_EQ(result.exit_status(), 4) << name;
  }
}

TEST(Watch, a_time_limit_ends_a_program_that_hangs) {
  Watched watched("restores");
  watched.options.command = {"/bin/sleep", "1000"};
  watched.options.time_limit = std::chrono::seconds(1);
  watched.options.warm_runs = 0;
  const WatchResult result = watched.run();
  EXPECT_THAT(result.notes, Contains(HasSubstr("time limit")));
  EXPECT_EQ(result.exit_status(), 4);
}

TEST(Watch, a_program_that_is_not_there_is_one_error) {
  Watched watched("restores");
  watched.options.command = {"no-such-program"};
  const auto result = watch_program(watched.options, [](const std::string&) {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(result.error().text(), HasSubstr("no such program"));
}

// What it leaves running could still write to the caches of the next run.
TEST(Watch, ends_what_a_program_leaves_behind) {
  Watched watched("restores");
  watched.options.command = {"/bin/sh", "-c", "sleep 1000 & " WATCHED_PROGRAMS " restores"};
  watched.options.warm_runs = 0;
  const WatchResult result = watched.run();
  EXPECT_THAT(result.notes, Contains(HasSubstr("1 process outlived the program and was ended")));
}

TEST(Watch, without_looking_at_arguments_it_still_counts_and_compares_codes) {
  Watched watched("forgetful_tuner");
  watched.options.at_most = 0;
  const WatchResult result = watched.run();
  EXPECT_THAT(words_of(result), Contains("AGAIN sgd"));
  EXPECT_EQ(result.runs.at(0).launches, 16);
}

TEST(Watch, the_users_own_caches_are_neither_read_nor_written) {
  Watched watched("restores");
  const fs::path home = watched.options.out.string() + "-home";
  fs::create_directories(home / ".cache/small_tuner");
  // A winner that the program would believe.
  std::ofstream(home / ".cache/small_tuner/sgd-4096-4096.winner") << 2;
  std::ofstream(home / "data.txt") << "mine";
  const std::string before = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  ::setenv("HOME", home.c_str(), 1);
  watched.options.cache_variables = {};
  const WatchResult unknown = watched.run();
  EXPECT_EQ(unknown.runs.at(0).launches, 16);
  EXPECT_THAT(unknown.notes, IsEmpty());
  EXPECT_FALSE(fs::exists(home / ".cache/small_tuner/sgd-0.so"));
  ::setenv("HOME", before.c_str(), 1);
  fs::remove_all(home);
}

}  // namespace
}  // namespace tunecheck::watch
