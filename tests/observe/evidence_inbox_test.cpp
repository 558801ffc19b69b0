// Evidence on its way from observers to the judge.
#include "observe/evidence_inbox.hpp"

#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "core/files.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_socket.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class EvidenceInboxTest : public testing::Test {
 protected:
  void open(EvidenceInbox::Limits limits = {}) {
    inbox = EvidenceInbox::open(socket(), file(), limits).value();
  }
  void send(const std::string& line) const {
    const auto evidence = open_evidence(socket());
    ASSERT_TRUE(evidence) << evidence.error().text();
    const auto sent = append_line(*evidence, line);
    ASSERT_TRUE(sent) << sent.error().text();
  }
  std::string taken() {
    const auto lines = inbox->take();
    EXPECT_TRUE(lines) << lines.error().text();
    std::string text;
    if (lines)
      for (const SentLines& each : *lines)
        text += each.text;
    return text;
  }
  // Its process number; it has ended.
  template <class Act>
  static int in_child(Act&& act) {
    const pid_t child = ::fork();
    if (child == 0) {
      act();
      ::_exit(0);
    }
    EXPECT_EQ(::waitpid(child, nullptr, 0), child);
    return child;
  }
  fs::path socket() const { return folder.path() / "evidence.sock"; }
  fs::path file() const { return folder.path() / "evidence.jsonl"; }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-inbox").value();
  std::unique_ptr<EvidenceInbox> inbox;
};

TEST_F(EvidenceInboxTest, holds_what_was_sent_before_it_is_asked_in_order_and_once) {
  open();
  std::string all;
  for (int i = 0; i < 500; ++i) {
    const std::string line = fmt::format("line {}\n", i);
    send(line);
    all += line;
  }
  EXPECT_EQ(taken(), all);
  EXPECT_EQ(taken(), "");
  send("more\n");
  EXPECT_EQ(taken(), "more\n");
  EXPECT_EQ(read_text_file(file()).value(), all + "more\n");
}

TEST_F(EvidenceInboxTest, knows_who_sent_a_line) {
  open();
  const int child = in_child([&] { send("from a child\n"); });
  send("from here\n");
  const auto lines = inbox->take().value();
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].sender, child);
  EXPECT_EQ(lines[1].sender, ::getpid());
}

TEST_F(EvidenceInboxTest, a_line_may_be_long) {
  open();
  const std::string line = std::string(10'000'000, 'x') + '\n';
  send(line);
  EXPECT_EQ(taken(), line);
}

TEST_F(EvidenceInboxTest, a_connection_may_be_kept) {
  open();
  const auto evidence = open_evidence(socket()).value();
  for (const std::string line : {"first\n", "second\n"}) {
    ASSERT_TRUE(append_line(evidence, line));
    EXPECT_EQ(taken(), line);
  }
}

TEST_F(EvidenceInboxTest, of_a_process_that_dies_while_it_sends_the_half_line_is_missing) {
  open();
  in_child([&] { send("whole\nhal"); });
  send("another's\n");
  EXPECT_EQ(taken(), "whole\nanother's\n");
}

TEST_F(EvidenceInboxTest, what_is_done_to_the_file_is_not_done_to_the_evidence) {
  open();
  send("one\n");
  fs::resize_file(file(), 0);
  send("two\n");
  fs::remove(file());
  send("three\n");
  EXPECT_EQ(taken(), "one\ntwo\nthree\n");
}

TEST_F(EvidenceInboxTest, writes_to_the_file_although_nobody_takes) {
  open();
  send("seen\n");
  while (read_text_file(file()).value() != "seen\n")
    std::this_thread::yield();
}

TEST_F(EvidenceInboxTest, threads_and_processes_send_at_the_same_moment) {
  open();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 50; ++k)
          send(std::string(100'000, 'y') + '\n');
      });
  }
  EXPECT_EQ(taken().size(), 8U * 50U * 100'001U);
}

TEST_F(EvidenceInboxTest, more_than_its_limit_is_an_error_and_nobody_waits_for_it) {
  open({.bytes = 1000});
  send(std::string(999, 'x') + '\n');
  EXPECT_THAT(taken(), SizeIs(1000));
  in_child([&] { send("x\n"); });
  const auto over = inbox->take();
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().kind, ErrorKind::untrusted);
  EXPECT_THAT(over.error().text(), HasSubstr("more than 1000 bytes were sent"));
  EXPECT_FALSE(open_evidence(socket()));
  EXPECT_FALSE(inbox->take());
}

TEST_F(EvidenceInboxTest, more_senders_than_its_limit_are_an_error) {
  open({.senders = 2});
  std::vector<FileDescriptor> connections;
  for (int i = 0; i < 2; ++i)
    connections.push_back(open_evidence(socket()).value());
  EXPECT_EQ(taken(), "");
  connections.push_back(open_evidence(socket()).value());
  const auto over = inbox->take();
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().text(), HasSubstr("more than 2 senders at one moment"));
}

TEST_F(EvidenceInboxTest, senders_that_have_ended_do_not_count) {
  open({.senders = 2});
  std::string all;
  for (int i = 0; i < 3000; ++i) {
    send("line\n");
    all += "line\n";
  }
  EXPECT_EQ(taken(), all);
}

TEST_F(EvidenceInboxTest, lies_in_a_folder_with_a_path_of_any_length) {
  const fs::path deep = folder.path() / std::string(200, 'd') / "with blanks: and \xc3\xa4";
  fs::create_directories(deep);
  inbox = EvidenceInbox::open(deep / "evidence.sock", file()).value();
  const auto evidence = open_evidence(deep / "evidence.sock").value();
  ASSERT_TRUE(append_line(evidence, "line\n"));
  EXPECT_EQ(taken(), "line\n");
}

TEST_F(EvidenceInboxTest, a_folder_that_is_not_there_is_named) {
  const auto none = EvidenceInbox::open(folder.path() / "no" / "evidence.sock", file());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text(), HasSubstr("/no/evidence.sock"));
}

TEST_F(EvidenceInboxTest, the_socket_goes_with_it_and_the_file_stays) {
  open();
  EXPECT_TRUE(leads_to_socket(socket()));
  send("line\n");
  EXPECT_EQ(taken(), "line\n");
  inbox.reset();
  EXPECT_FALSE(fs::exists(socket()));
  EXPECT_TRUE(fs::exists(file()));
}

}  // namespace
}  // namespace tunecheck
