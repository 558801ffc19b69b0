#include "core/command.hpp"

#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "process_state.hpp"

namespace tunecheck {
namespace {

using namespace std::chrono_literals;
using test::has_ended;
using testing::HasSubstr;

CommandOptions shell(const std::string& script, std::chrono::milliseconds time_limit = 1min) {
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", script};
  options.time_limit = time_limit;
  return options;
}

CommandResult run_shell(const std::string& script, std::chrono::milliseconds time_limit = 1min) {
  return run_command(shell(script, time_limit)).value();
}

TEST(Command, output_holds_both_streams_and_the_end_holds_the_status) {
  const CommandResult result = run_shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(result.end.exit_status, 3);
  EXPECT_EQ(result.end.signal, 0);
  EXPECT_FALSE(result.end.success());
  EXPECT_EQ(result.end.text(), "exit status 3");
  EXPECT_TRUE(run_shell("true").end.success());
}

TEST(Command, arguments_arrive_as_they_are) {
  CommandOptions options;
  options.arguments = {"printf", "[%s]", "a b", "", "$HOME \"*\"", "c\\d"};
  EXPECT_EQ(run_command(options)->output, "[a b][][$HOME \"*\"][c\\d]");
}

TEST(Command, a_signal_is_told_from_a_status) {
  const CommandResult result = run_shell("kill -SEGV $$");
  EXPECT_EQ(result.end.signal, SIGSEGV);
  EXPECT_FALSE(result.end.success());
  EXPECT_EQ(result.end.text(), "signal 11 (Segmentation fault)");
}

TEST(Command, more_output_than_a_pipe_holds_is_kept_whole) {
  EXPECT_EQ(run_shell("head -c 1000000 /dev/zero").output.size(), 1000000U);
}

TEST(Command, standard_input_is_empty) {
  EXPECT_EQ(run_shell("wc -c").output, "0\n");
}

TEST(Command, the_environment_is_exactly_what_was_given) {
  CommandOptions options = shell("/usr/bin/env");
  options.environment = Environment{{"ONLY", "a=b c"}, {"PATH", "/usr/bin:/bin"}};
  const std::string output = run_command(options)->output;
  EXPECT_THAT(output, HasSubstr("ONLY=a=b c\n"));
  EXPECT_THAT(output, testing::Not(HasSubstr("HOME=")));
}

TEST(Command, the_environment_is_this_process_s_own_where_none_was_given) {
  ::setenv("TUNECHECK_TEST_VARIABLE", "inherited", 1);
  EXPECT_EQ(current_environment().at("TUNECHECK_TEST_VARIABLE"), "inherited");
  EXPECT_EQ(run_shell("echo $TUNECHECK_TEST_VARIABLE").output, "inherited\n");
  ::unsetenv("TUNECHECK_TEST_VARIABLE");
}

TEST(Command, runs_in_the_named_folder) {
  CommandOptions options = shell("pwd -P");
  options.folder = "/";
  EXPECT_EQ(run_command(options)->output, "/\n");
}

TEST(Command, a_program_that_cannot_be_started_is_an_error) {
  CommandOptions options;
  options.arguments = {"tunecheck-no-such-program"};
  EXPECT_EQ(run_command(options).error().message,
            "cannot start \"tunecheck-no-such-program\": no such program");
  const auto folder = TemporaryFolder::create("tunecheck-test");
  const std::filesystem::path file = folder->path() / "not-a-program";
  ASSERT_TRUE(write_file(file,
                         "\x7f"
                         "ELF nonsense"));
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  options.arguments = {file.string()};
  const auto result = run_command(options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("cannot start"));
}

TEST(Command, a_program_is_searched_in_the_path_of_its_own_environment) {
  const auto folder = TemporaryFolder::create("tunecheck-test");
  const std::filesystem::path file = folder->path() / "my-tool";
  ASSERT_TRUE(write_file(file, "#!/bin/sh\necho found\n"));
  CommandOptions options;
  options.arguments = {"my-tool"};
  options.environment = Environment{{"PATH", "/nonexistent::" + folder->path().string()}};
  EXPECT_FALSE(run_command(options)) << "a file that may not be executed is no program";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  EXPECT_EQ(run_command(options)->output, "found\n");
  EXPECT_EQ(find_program("my-tool", folder->path().string()), file);
  EXPECT_EQ(find_program(file.string(), ""), file);
  EXPECT_TRUE(find_program("my-tool").empty());
  EXPECT_TRUE(find_program("", "/bin").empty());
  EXPECT_TRUE(find_program("/bin").empty());
}

TEST(Command, the_time_limit_ends_the_whole_group) {
  const CommandResult result = run_shell("sleep 600 & echo $!; sleep 600", 500ms);
  EXPECT_TRUE(result.end.timed_out);
  EXPECT_FALSE(result.end.success());
  EXPECT_EQ(result.end.text(), "no end within the time limit");
  EXPECT_TRUE(has_ended(std::stoi(result.output)));
}

TEST(Command, the_time_limit_holds_for_a_child_that_closed_its_output) {
  EXPECT_TRUE(run_shell("exec >&- 2>&-; sleep 600", 300ms).end.timed_out);
}

TEST(Command, the_time_limit_holds_for_a_child_that_ignores_requests_to_end) {
  EXPECT_TRUE(run_shell("trap '' TERM INT HUP; while :; do sleep 1; done", 300ms).end.timed_out);
}

TEST(Command, what_a_child_leaves_behind_is_ended_and_not_waited_for) {
  const CommandResult result = run_shell("sleep 600 & echo $!");
  EXPECT_TRUE(result.end.success()) << result.end.text();
  EXPECT_TRUE(has_ended(std::stoi(result.output)));
}

TEST(Command, accounting_covers_time_and_memory) {
  const ProcessEnd end = run_shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").end;
  EXPECT_GT(end.wall_ns, 0);
  EXPECT_GT(end.cpu_ns, 0);
  EXPECT_GT(end.peak_memory_kib, 0);
  // Where the system says it: what sleeps is not ready, and what computes is.
  const ProcessEnd slept = run_shell("exec sleep 0.2").end;
  EXPECT_EQ(slept.ready_ns >= 0, std::filesystem::exists("/proc/self/schedstat"));
  EXPECT_LT(slept.ready_ns, slept.wall_ns - 100'000'000);
  if (slept.ready_ns >= 0) {
    EXPECT_GT(end.ready_ns, end.cpu_ns / 2);
  }
}

TEST(Command, something_may_be_set_up_in_the_child_alone) {
  CommandOptions options = shell("umask");
  options.in_child = [] { ::umask(0123); };
  EXPECT_EQ(run_command(options)->output, "0123\n");
}

TEST(Command, several_threads_may_run_commands_at_once) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i, &right] {
      const std::string text = std::to_string(i) + "\n";
      for (int k = 0; k < 5; ++k)
        if (run_shell("sleep 0.01; echo " + text).output == text) ++right;
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(right, 40);
}

}  // namespace
}  // namespace tunecheck
