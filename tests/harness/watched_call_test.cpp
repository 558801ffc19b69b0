// What observers recorded, and which call is told of it.
#include "harness/process/watched_call.hpp"

#include <gmock/gmock.h>

#include "observe/event_lines.hpp"

namespace tunecheck::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int adapter = 7;

class EvidenceReaderTest : public testing::Test {
 protected:
  void append(const std::string& line) {
    ASSERT_TRUE(append_line(open_evidence(file()).value(), line));
  }
  void compiled(const std::string& output, bool query = false) {
    CompileEvent event;
    event.output_digest = output;
    event.query = query;
    append(to_line(event));
  }
  // On a GPU: a launch is one line.
  void launched(const std::string& config, int pid = adapter, bool captured = false,
                const std::string& kernel = "toy") {
    LaunchEvent event;
    event.time_ns = static_cast<std::int64_t>(++m_launches);
    event.launch = m_launches;
    event.pid = pid;
    event.kernel = kernel;
    event.config = config;
    event.device = "cuda";
    event.captured = captured;
    append(to_gpu_line(event));
  }
  void troubled(const std::string& what) {
    TroubleEvent event;
    event.what = what;
    append(to_line(event));
  }
  static WatchedCall answered(protocol::CacheState cache) {
    WatchedCall call;
    call.answer.emplace();
    call.answer->done = true;
    call.answer->cache = cache;
    return call;
  }
  static std::vector<std::string> configs(const std::vector<LaunchEvent>& launches) {
    std::vector<std::string> found;
    for (const LaunchEvent& launch : launches)
      found.push_back(launch.config);
    return found;
  }
  std::filesystem::path file() const { return m_folder.path() / "evidence.jsonl"; }

  std::uint64_t m_launches = 0;
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-evidence").value();
  EvidenceReader m_reader{evidence_in(file()), "toy"};
};

TEST_F(EvidenceReaderTest, a_probe_that_sees_nothing_and_says_why_is_no_evidence) {
  compiled("artifact");
  troubled("there is no CUPTI");
  WatchedCall call;
  const auto given = m_reader.give_to({&call}, adapter);
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().text(), "the probe sees no launch: there is no CUPTI");
}

TEST_F(EvidenceReaderTest, a_trouble_beside_launches_is_no_blindness) {
  troubled("no digest: the context is gone");
  launched("step=1");
  WatchedCall call;
  EXPECT_TRUE(m_reader.give_to({&call}, adapter));
  EXPECT_THAT(call.launches, SizeIs(1));
}

TEST_F(EvidenceReaderTest, a_file_that_is_gone_is_no_evidence) {
  WatchedCall call;
  EXPECT_FALSE(m_reader.give_to({&call}, adapter));
}

TEST_F(EvidenceReaderTest, gives_a_call_what_came_since_the_last_one) {
  WatchedCall first = answered(protocol::CacheState::miss);
  WatchedCall second = answered(protocol::CacheState::hit);
  compiled("version", true);
  compiled("artifact");
  launched("step=1");
  launched("n=1", adapter, false, "helper of the tuner's");
  launched("step=2", adapter, true);
  launched("step=2");
  ASSERT_TRUE(m_reader.give_to({&first}, adapter));
  EXPECT_THAT(first.compiles, SizeIs(1)) << "queries left out";
  EXPECT_THAT(configs(first.launches), ElementsAre("step=1", "step=2"));
  EXPECT_THAT(configs(first.captured), ElementsAre("step=2"));
  EXPECT_TRUE(first.tuned());
  launched("step=2");
  ASSERT_TRUE(m_reader.give_to({&second}, adapter));
  EXPECT_THAT(configs(second.launches), ElementsAre("step=2"));
  EXPECT_FALSE(second.tuned());
}

TEST_F(EvidenceReaderTest, of_calls_at_the_same_moment_each_has_its_launch_and_one_the_tuning) {
  WatchedCall hit = answered(protocol::CacheState::hit);
  WatchedCall tuned = answered(protocol::CacheState::miss);
  compiled("artifact");
  launched("step=1", adapter + 1);  // a process that the tuner starts for its trials
  launched("step=2", adapter);
  launched("step=2", adapter, true);
  launched("step=2", adapter);
  ASSERT_TRUE(m_reader.give_to({&hit, &tuned}, adapter));
  EXPECT_THAT(hit.launches, SizeIs(1));
  EXPECT_THAT(hit.compiles, IsEmpty());
  EXPECT_THAT(hit.captured, IsEmpty());
  EXPECT_FALSE(hit.tuned());
  EXPECT_THAT(configs(tuned.launches), ElementsAre("step=1", "step=2"));
  EXPECT_THAT(tuned.compiles, SizeIs(1));
  EXPECT_THAT(tuned.captured, SizeIs(1)) << "what is recorded into a graph is no caller's launch";
}

TEST_F(EvidenceReaderTest, a_call_that_hit_before_another_tuned_has_its_launch) {
  WatchedCall hit = answered(protocol::CacheState::hit);
  WatchedCall tuned = answered(protocol::CacheState::miss);
  launched("step=1");
  launched("step=2", adapter + 1);
  launched("step=3");
  ASSERT_TRUE(m_reader.give_to({&hit, &tuned}, adapter));
  EXPECT_THAT(configs(hit.launches), ElementsAre("step=1"));
  EXPECT_THAT(configs(tuned.launches), ElementsAre("step=2", "step=3"));
}

TEST_F(EvidenceReaderTest, what_comes_after_the_answer_counts_as_the_calls_own) {
  WatchedCall hit = answered(protocol::CacheState::hit);
  launched("step=2");
  ASSERT_TRUE(m_reader.give_to({&hit}, adapter));
  EXPECT_FALSE(hit.tuned());
  compiled("late");
  launched("step=1");
  ASSERT_TRUE(m_reader.note_late());
  WatchedCall next = answered(protocol::CacheState::hit);
  launched("step=2");
  ASSERT_TRUE(m_reader.give_to({&next}, adapter));
  m_reader.give_late_to({&hit});
  EXPECT_THAT(hit.compiles, SizeIs(1));
  EXPECT_THAT(configs(hit.launches), ElementsAre("step=1", "step=2"));
  EXPECT_EQ(hit.real_launch()->config, "step=2") << "the last one before the answer";
  EXPECT_TRUE(hit.tuned());
  EXPECT_THAT(next.compiles, IsEmpty()) << "it is not the next call's";
  EXPECT_FALSE(next.tuned());
  m_reader.give_late_to({&next});
  EXPECT_FALSE(next.tuned()) << "it is given once";
}

TEST_F(EvidenceReaderTest, what_comes_after_a_burst_is_not_taken_for_its_real_launch) {
  WatchedCall burst = answered(protocol::CacheState::hit);
  burst.burst.emplace();
  burst.burst->calls = 3;
  burst.burst->counts.launches = 3;
  compiled("", true);
  ASSERT_TRUE(m_reader.give_to({&burst}, adapter));
  EXPECT_EQ(burst.trial_launch_count(), 0u);
  launched("step=1");
  ASSERT_TRUE(m_reader.note_late());
  m_reader.give_late_to({&burst});
  EXPECT_EQ(burst.real_launch(), nullptr);
  EXPECT_EQ(burst.launch_count(), 4u);
  EXPECT_EQ(burst.trial_launch_count(), 1u);
}

TEST_F(EvidenceReaderTest, of_calls_at_the_same_moment_the_one_that_tuned_did_what_came_after) {
  WatchedCall hit = answered(protocol::CacheState::hit);
  WatchedCall tuned = answered(protocol::CacheState::miss);
  compiled("late");
  ASSERT_TRUE(m_reader.note_late());
  m_reader.give_late_to({&hit, &tuned});
  EXPECT_THAT(hit.compiles, IsEmpty());
  EXPECT_THAT(tuned.compiles, SizeIs(1));
}

// A search goes on in children and after the answer; one line is late because another thread wrote
// first.
TEST(WatchedCallTest,
     of_a_search_beside_it_the_real_launch_is_the_adapters_last_before_the_answer) {
  WatchedCall call;
  call.answer.emplace();
  call.answer->done = true;
  call.asked_ns = 100;
  call.wall_ns = 50;
  const auto launch = [&](int pid, std::int64_t time_ns, const std::string& config) {
    LaunchEvent& event = call.launches.emplace_back();
    event.pid = pid;
    event.time_ns = time_ns;
    event.config = config;
  };
  launch(adapter, 120, "default");
  launch(adapter + 1, 130, "a");
  launch(adapter + 1, 160, "b");
  launch(adapter, 170, "c");
  call.put_real_launch_last(adapter);
  EXPECT_EQ(call.real_launch()->config, "default");
  ASSERT_THAT(call.trial_launches(), SizeIs(3));
  EXPECT_EQ(call.trial_launches()[2].config, "c");
  call.put_real_launch_last(adapter + 2);
  EXPECT_EQ(call.real_launch()->config, "default") << "nothing of its own: all stays";
}

TEST(WatchedCallTest, says_how_it_failed) {
  WatchedCall call;
  call.trouble = "the adapter ended";
  EXPECT_EQ(call.failure_text(), "the adapter ended");
  call.answer.emplace().message = "no config works";
  EXPECT_EQ(call.failure_text(), "the call failed: no config works");
  call.answer->done = true;
  EXPECT_EQ(call.failure_text(), "");
}

// A hit that launched these configs, the last one for the caller.
WatchedCall hit_with(const std::vector<std::string>& configs, std::int64_t may_warm_up) {
  WatchedCall call;
  call.answer.emplace();
  call.answer->done = true;
  call.may_warm_up = may_warm_up;
  for (const std::string& config : configs) {
    LaunchEvent& launch = call.launches.emplace_back();
    launch.config = config;
    launch.module = "artifact of " + config;
  }
  return call;
}

TEST(WarmUp, of_the_winner_as_often_as_declared_is_no_trial) {
  const WatchedCall call = hit_with({"a", "a", "a"}, 2);
  EXPECT_THAT(call.warm_up_launches(), SizeIs(2));
  EXPECT_THAT(call.trial_launches(), IsEmpty());
  EXPECT_FALSE(call.tuned());
  EXPECT_THAT(hit_with({"a"}, 2).warm_up_launches(), IsEmpty());
}

TEST(WarmUp, is_nothing_else) {
  EXPECT_TRUE(hit_with({"a", "a"}, 0).tuned()) << "not declared";
  EXPECT_TRUE(hit_with({"a", "a", "a"}, 1).tuned()) << "more often";
  EXPECT_TRUE(hit_with({"b", "a"}, 2).tuned()) << "another config";
  WatchedCall call = hit_with({"", ""}, 2);
  for (LaunchEvent& launch : call.launches)
    launch.module.clear();
  EXPECT_TRUE(call.tuned()) << "not known which";
  call = hit_with({"a", "a"}, 2);
  call.launches[0].module = "another artifact of a";
  EXPECT_TRUE(call.tuned());
  call = hit_with({"a", "a"}, 2);
  call.launches[0].pid = 8;
  EXPECT_TRUE(call.tuned()) << "another process";
  call = hit_with({"a", "a"}, 2);
  call.compiles.emplace_back();
  EXPECT_THAT(call.warm_up_launches(), IsEmpty());
  EXPECT_THAT(call.trial_launches(), SizeIs(1));
}

}  // namespace
}  // namespace tunecheck::test
