// What is counted in a file that grows, and the kill that follows.
#include "harness/process/evidence_watch.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "harness/process/evidence_killer.hpp"
#include "observe/event_lines.hpp"

namespace tunecheck::test {
namespace {

class EvidenceWatchTest : public testing::Test {
 protected:
  void compiled(bool query) {
    CompileEvent event;
    event.query = query;
    append(to_line(event));
  }
  void launched(const std::string& kernel, const std::string& config) {
    LaunchEvent event;
    event.launch = ++m_launches;
    event.kernel = kernel;
    event.config = config;
    append(to_begin_line(event));
  }
  void append(const std::string& line) {
    ASSERT_TRUE(append_line(open_evidence(file()).value(), line));
  }
  std::filesystem::path file() const { return m_folder.path() / "evidence.jsonl"; }

  std::uint64_t m_launches = 0;
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-watch").value();
};

TEST_F(EvidenceWatchTest, configs_that_no_launch_names_are_told_apart_by_their_code) {
  EvidenceWatch watch(file(), "toy");
  for (const char* const module : {"aa", "bb", "aa"}) {
    LaunchEvent event;
    event.launch = ++m_launches;
    event.kernel = "toy";
    event.module = module;
    append(to_begin_line(event));
  }
  watch.look();
  EXPECT_EQ(watch.configs(), 2);
}

TEST_F(EvidenceWatchTest, a_file_that_is_not_there_yet_counts_nothing) {
  EvidenceWatch watch(file(), "toy");
  watch.look();
  EXPECT_EQ(watch.compiles() + watch.launches() + watch.configs(), 0);
}

TEST_F(EvidenceWatchTest, what_is_added_is_counted_once) {
  EvidenceWatch watch(file(), "toy");
  compiled(true);
  compiled(false);
  launched("toy", "a=1");
  launched("other", "a=3");
  watch.look();
  watch.look();
  EXPECT_EQ(watch.compiles(), 1);
  EXPECT_EQ(watch.launches(), 1);
  launched("other", "a=4");
  launched("toy", "a=1");
  launched("toy", "a=2");
  watch.look();
  EXPECT_EQ(watch.launches(), 3);
  EXPECT_EQ(watch.configs(), 2);
}

class EvidenceKillerTest : public EvidenceWatchTest {
 protected:
  static ProcessSetup at(KillPoint::When when, std::int64_t count) {
    ProcessSetup setup;
    setup.kill = KillPoint{when, {}, count, ""};
    return setup;
  }
  LineProcess m_sleeper = [this] {
    CommandOptions options;
    options.arguments = {"/bin/sleep", "600"};
    return LineProcess::start(options, m_folder.path() / "log").value();
  }();
};

TEST_F(EvidenceKillerTest, kills_once_it_has_seen_enough) {
  const EvidenceKiller killer(at(KillPoint::When::configs, 2), file(), "toy", m_sleeper.id());
  launched("toy", "a=1");
  launched("toy", "a=1");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(killer.killed_ns(), 0);
  launched("toy", "a=2");
  EXPECT_EQ(m_sleeper.wait(std::chrono::minutes(1)).signal, SIGKILL);
  EXPECT_NE(killer.killed_ns(), 0);
}

TEST_F(EvidenceKillerTest, lets_a_frozen_process_stand_still_while_another_one_needs_it) {
  std::atomic<bool> needed = true;
  ProcessSetup setup = at(KillPoint::When::launches, 1);
  setup.kill->frozen = std::chrono::milliseconds(1);
  setup.kill->longest_frozen = std::chrono::minutes(1);
  setup.still_needed = [&] { return needed.load(); };
  const EvidenceKiller killer(setup, file(), "toy", m_sleeper.id());
  launched("toy", "a=1");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(killer.killed_ns(), 0);
  needed = false;
  EXPECT_EQ(m_sleeper.wait(std::chrono::minutes(1)).signal, SIGKILL);
}

TEST_F(EvidenceKillerTest, does_not_let_it_stand_still_for_ever) {
  ProcessSetup setup = at(KillPoint::When::launches, 1);
  setup.kill->frozen = std::chrono::milliseconds(1);
  setup.kill->longest_frozen = std::chrono::milliseconds(20);
  setup.still_needed = [] { return true; };
  const EvidenceKiller killer(setup, file(), "toy", m_sleeper.id());
  launched("toy", "a=1");
  EXPECT_EQ(m_sleeper.wait(std::chrono::minutes(1)).signal, SIGKILL);
}

TEST_F(EvidenceKillerTest, leaves_a_process_alone_that_does_not_come_to_it) {
  { const EvidenceKiller killer(at(KillPoint::When::compiles, 1), file(), "toy", m_sleeper.id()); }
  EXPECT_TRUE(m_sleeper.wait(std::chrono::milliseconds(1)).timed_out);
}

}  // namespace
}  // namespace tunecheck::test
