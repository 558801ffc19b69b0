// Several processes append to one file of sessions: each session is played once, and a process that
// is killed costs its own session alone.
#include "gate/measure/session_log.hpp"

#include <csignal>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "core/files.hpp"

namespace tunecheck::gate {
namespace {

using testing::HasSubstr;

class SessionLogs : public testing::Test {
 protected:
  SessionLogs() {
    kind.machine = "CPU, 2 cores";
    kind.build = "0123456789ab";
    kind.kernels = "rmsnorm";
    kind.size = "smoke";
    kind.metrics = "winner_time";
    kind.delta = 0.02;
    kind.tolerance = 0.05;
  }

  [[nodiscard]] SessionLog open() const { return SessionLog::open(file, kind).value(); }
  [[nodiscard]] RealSession session(std::size_t number) const {
    RealSession session;
    session.kind = kind;
    session.number = number;
    session.started = "2026-11-25T20:00:00Z";
    session.answer = Answer::pass;
    session.benchmarks = 1;
    return session;
  }
  [[nodiscard]] std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> numbers;
    for (const RealSession& each : read_sessions(file).value().sessions)
      numbers.push_back(each.number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  // Runs `play` in a process of its own; it must come back with 0.
  template <class Play>
  static pid_t in_a_process(Play play) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(play());
    return child;
  }
  static int status_of(pid_t child) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
  }
  // Claims and appends until nothing is left; how long each session takes.
  [[nodiscard]] int play_all(std::size_t last, useconds_t each_us) const {
    auto log = SessionLog::open(file, kind);
    while (log) {
      const auto number = log->claim(last);
      if (!number) break;
      if (!*number) return 0;
      ::usleep(each_us);
      if (!log->append(session(**number))) break;
    }
    return 1;
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-sessions").value();
  std::filesystem::path file = folder.path() / "sessions.jsonl";
  SessionKind kind;
};

TEST_F(SessionLogs, hand_out_what_is_missing) {
  SessionLog log = open();
  EXPECT_EQ(log.claim(2).value(), 1U);
  ASSERT_TRUE(log.append(session(1)));
  EXPECT_EQ(log.played(), 1U);
  EXPECT_EQ(log.claim(2).value(), 2U);
  ASSERT_TRUE(log.append(session(2)));
  EXPECT_EQ(log.claim(2).value(), std::nullopt);
  EXPECT_EQ(log.claim(3).value(), 3U) << "a rerun that wants more goes on";
}

TEST_F(SessionLogs, count_each_kind_for_itself) {
  {
    SessionLog log = open();
    ASSERT_TRUE(log.append(session(1)));
  }
  kind.head = 0.05;
  SessionLog log = open();
  EXPECT_EQ(log.played(), 0U);
  EXPECT_EQ(log.claim(1).value(), 1U);
}

TEST_F(SessionLogs, of_several_processes_share_the_sessions) {
  constexpr std::size_t last = 40;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i)
    children.push_back(in_a_process([this] { return play_all(last, 500); }));
  for (const pid_t child : children)
    EXPECT_EQ(status_of(child), 0);
  std::vector<std::size_t> all(last);
  for (std::size_t i = 0; i < last; ++i)
    all[i] = i + 1;
  EXPECT_EQ(numbers(), all);
}

TEST_F(SessionLogs, hand_out_no_session_that_another_process_plays_until_that_is_killed) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = in_a_process([&] {
    SessionLog log = open();
    const char claimed = log.claim(5).value() == 1U ? 'y' : 'n';
    if (::write(pipe[1], &claimed, 1) != 1) return 1;
    ::pause();
    return 1;
  });
  char claimed = 0;
  ASSERT_EQ(::read(pipe[0], &claimed, 1), 1);
  ASSERT_EQ(claimed, 'y');
  SessionLog log = open();
  EXPECT_EQ(log.claim(5).value(), 2U);
  ::kill(child, SIGKILL);
  (void)status_of(child);
  EXPECT_EQ(log.claim(5).value(), 1U) << "the lock ended with its process";
  for (const int end : pipe)
    ::close(end);
}

TEST_F(SessionLogs, do_not_hand_out_again_what_another_process_has_appended) {
  SessionLog log = open();
  EXPECT_EQ(status_of(in_a_process([this] { return play_all(2, 0); })), 0);
  EXPECT_EQ(log.claim(3).value(), 3U);
}

TEST_F(SessionLogs, remove_a_last_line_that_was_cut_and_say_so) {
  const std::string line = to_line(session(1));
  ASSERT_TRUE(write_file(file, line + to_line(session(2)).substr(0, 30)));
  SessionLog log = open();
  EXPECT_THAT(log.removed(), HasSubstr("sessions.jsonl:2: removed the last line, which was cut "
                                       "after 30 bytes"));
  EXPECT_EQ(read_text_file(file).value(), line);
  EXPECT_EQ(log.claim(2).value(), 2U);
  ASSERT_TRUE(log.append(session(2)));
  EXPECT_EQ(open().removed(), "");
  EXPECT_EQ(read_text_file(file).value(), line + to_line(session(2)));
}

// What a process that was killed while it wrote leaves to one that has opened the file before.
TEST_F(SessionLogs, append_behind_whole_lines_alone) {
  SessionLog log = open();
  ASSERT_TRUE(log.append(session(1)));
  ASSERT_TRUE(write_file(file, to_line(session(1)) + "{\"number\":"));
  ASSERT_TRUE(log.append(session(2)));
  EXPECT_EQ(read_text_file(file).value(), to_line(session(1)) + to_line(session(2)));
}

TEST_F(SessionLogs, refuse_a_damaged_line_and_sessions_of_something_else) {
  ASSERT_TRUE(write_file(file, to_line(session(1)) + "damaged\n"));
  EXPECT_THAT(SessionLog::open(file, kind).error().text(), HasSubstr("sessions.jsonl:2: expected"));
  ASSERT_TRUE(write_file(file, to_line(session(1))));
  SessionKind other = kind;
  other.kernels = "axpy_inplace";
  const auto refused = SessionLog::open(file, other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(refused.error().text(),
              HasSubstr("sessions.jsonl:1: kernels: expected sessions of \"axpy_inplace\""));
}

// Later lines are read as they come, and their errors have the line of the whole file.
TEST_F(SessionLogs, name_the_line_of_what_is_damaged_later) {
  SessionLog log = open();
  ASSERT_TRUE(log.append(session(1)));
  EXPECT_EQ(log.claim(9).value(), 2U);
  ASSERT_TRUE(write_file(file, to_line(session(1)) + to_line(session(2)) + "damaged\n"));
  EXPECT_THAT(log.claim(9).error().text(), HasSubstr("sessions.jsonl:3: "));
}

TEST_F(SessionLogs, say_where_a_file_cannot_be_made) {
  file = folder.path() / "missing" / "sessions.jsonl";
  EXPECT_THAT(SessionLog::open(file, kind).error().text(), HasSubstr("cannot open the file"));
}

}  // namespace
}  // namespace tunecheck::gate
