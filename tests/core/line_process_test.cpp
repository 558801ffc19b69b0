#include <barrier>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/command.hpp"
#include "process_state.hpp"

namespace tunecheck {
namespace {

using namespace std::chrono_literals;
using State = LineProcess::ReadState;

class LineProcessTest : public testing::Test {
 protected:
  LineProcess start(const std::string& script) {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", script};
    return LineProcess::start(options, log()).value();
  }
  std::filesystem::path log() const { return m_folder.path() / "log"; }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-lines").value();
};

TEST_F(LineProcessTest, lines_go_in_and_come_out) {
  LineProcess process = start("while read -r line; do echo \"<$line>\"; done; exit 4");
  for (const std::string line : {"one", "two words", ""}) {
    ASSERT_TRUE(process.write_line(line));
    const auto read = process.read_line(1min);
    EXPECT_EQ(read.state, State::line);
    EXPECT_EQ(read.line, "<" + line + ">");
  }
  process.close_input();
  EXPECT_EQ(process.wait(1min).exit_status, 4);
}

TEST_F(LineProcessTest, a_log_does_not_grow_without_end) {
  LineProcess process =
      start("echo first >&2; head -c 100000000 /dev/zero >&2; sleep 0.3; echo more >&2; echo done");
  EXPECT_EQ(process.read_line(1min).line, "done");
  (void)process.wait(1min);
  // What is written while it is cut comes after the cut.
  EXPECT_LT(std::filesystem::file_size(log()), 64U << 20);
  const std::string text = read_text_file(log()).value();
  EXPECT_EQ(text.substr(0, 6), "first\n");
  EXPECT_NE(text.find("[cut here: the log had grown over 64 MiB]"), text.npos);
  EXPECT_EQ(text.substr(text.size() - 5), "more\n");
}

bool lives(int process) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

// A child that inherits what another thread is starting its own child with would keep that thread
// waiting until the first child ends.
TEST_F(LineProcessTest, those_that_are_started_at_the_same_moment_do_not_wait_for_each_other) {
  constexpr int at_once = 32;
  for (int round = 0; round < 8; ++round) {
    std::vector<std::optional<LineProcess>> processes(at_once);
    {
      std::barrier everybody(at_once);
      std::vector<std::jthread> threads;
      for (auto& process : processes)
        threads.emplace_back([&] {
          everybody.arrive_and_wait();
          process = start("exec sleep 3");
        });
    }
    for (const auto& process : processes)
      ASSERT_TRUE(lives(process->id())) << "in round " << round;
  }
}

TEST_F(LineProcessTest, several_lines_written_at_once_are_read_one_by_one) {
  LineProcess process = start("printf 'a\\n\\nb\\nrest'");
  EXPECT_EQ(process.read_line(1min).line, "a");
  EXPECT_EQ(process.read_line(1min).line, "");
  EXPECT_EQ(process.read_line(1min).line, "b");
  const auto rest = process.read_line(1min);
  EXPECT_EQ(rest.state, State::closed);
  EXPECT_EQ(rest.line, "rest");
  EXPECT_TRUE(process.wait(1min).success());
}

TEST_F(LineProcessTest, silence_is_timed_out_with_what_had_come) {
  LineProcess process = start("printf half; sleep 600");
  const auto read = process.read_line(500ms);
  EXPECT_EQ(read.state, State::timed_out);
  EXPECT_EQ(read.line, "half");
  EXPECT_TRUE(process.wait(1ms).timed_out);
}

TEST_F(LineProcessTest, an_end_is_noticed_though_a_child_of_its_own_holds_the_pipe) {
  LineProcess process = start("sleep 600 & echo last; printf rest; exit 3");
  EXPECT_EQ(process.read_line(1min).line, "last");
  const auto read = process.read_line(1min);
  EXPECT_EQ(read.state, State::closed);
  EXPECT_EQ(read.line, "rest");
  EXPECT_EQ(process.wait(1min).exit_status, 3);
}

TEST_F(LineProcessTest, an_early_exit_closes_and_its_status_is_kept) {
  LineProcess process = start("exit 7");
  EXPECT_EQ(process.read_line(1min).state, State::closed);
  EXPECT_EQ(process.wait(1min).exit_status, 7);
}

TEST_F(LineProcessTest, a_signal_closes_and_is_kept) {
  LineProcess process = start("kill -ABRT $$");
  EXPECT_EQ(process.read_line(1min).state, State::closed);
  EXPECT_EQ(process.wait(1min).signal, SIGABRT);
}

TEST_F(LineProcessTest, writing_to_a_child_that_is_gone_is_false_and_no_signal) {
  LineProcess process = start("exit 0");
  EXPECT_TRUE(process.wait(1min).success());
  EXPECT_FALSE(process.write_line("anybody there?"));
  EXPECT_FALSE(process.write_line("still not?"));
}

TEST_F(LineProcessTest, writing_to_a_child_that_does_not_read_ends_at_the_time_limit) {
  LineProcess process = start("sleep 600");
  EXPECT_FALSE(process.write_line(std::string(1 << 20, 'x'), 200ms));
}

TEST_F(LineProcessTest, a_long_line_is_written_as_fast_as_the_child_reads) {
  LineProcess process = start("sleep 0.2; head -n 1 | wc -c");
  ASSERT_TRUE(process.write_line(std::string(1 << 20, 'x')));
  EXPECT_EQ(process.read_line(1min).line, std::to_string((1 << 20) + 1));
}

TEST_F(LineProcessTest, garbage_is_passed_on_as_it_came) {
  LineProcess process = start("printf '\\000\\377{\\n'");
  using namespace std::string_literals;
  EXPECT_EQ(process.read_line(1min).line, "\0\377{"s);
}

TEST_F(LineProcessTest, a_line_without_end_is_refused) {
  LineProcess process = start("head -c 70000000 /dev/zero; sleep 600");
  const auto read = process.read_line(1min);
  EXPECT_EQ(read.state, State::too_long);
  EXPECT_EQ(read.line.size(), 200U);
}

TEST_F(LineProcessTest, the_error_stream_goes_to_the_log_after_what_is_there) {
  ASSERT_TRUE(write_file(log(), "before\n"));
  LineProcess process = start("echo complaint >&2");
  EXPECT_TRUE(process.wait(1min).success());
  EXPECT_EQ(read_text_file(log()), "before\ncomplaint\n");
}

TEST_F(LineProcessTest, waiting_past_the_time_limit_ends_the_whole_group) {
  LineProcess process = start("sleep 600 & echo $!; sleep 600");
  const pid_t grandchild = std::stoi(process.read_line(1min).line);
  const ProcessEnd end = process.wait(100ms);
  EXPECT_TRUE(end.timed_out);
  EXPECT_TRUE(test::has_ended(grandchild));
}

TEST_F(LineProcessTest, a_process_nobody_waits_for_ends_with_its_owner) {
  int id = 0;
  {
    LineProcess process = start("echo ready; sleep 600");
    EXPECT_EQ(process.read_line(1min).line, "ready");
    id = process.id();
    const LineProcess moved = std::move(process);
    EXPECT_EQ(moved.id(), id);
  }
  EXPECT_TRUE(test::has_ended(id));
}

TEST_F(LineProcessTest, a_log_that_cannot_be_written_is_an_error) {
  CommandOptions options;
  options.arguments = {"/bin/sh", "-c", "true"};
  const auto process = LineProcess::start(options, "/nonexistent/log");
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().message, "cannot write /nonexistent/log: No such file or directory");
}

}  // namespace
}  // namespace tunecheck
