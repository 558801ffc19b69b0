// Lines of a watch, written and read back.
#include "observe/watch/watch_events.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck::watch {
namespace {

void read(const std::string& line, Told& told) {
  EXPECT_TRUE(is_watch_line(line)) << line;
  EXPECT_EQ(line.back(), '\n');
  read_line(std::string_view(line).substr(0, line.size() - 1), told);
}

TEST(WatchEvents, a_burst_survives_its_line) {
  BurstEvent burst;
  burst.pid = 7;
  burst.number = 3;
  burst.kernel = "sgd";
  burst.shapes = "0:16";
  burst.scalars = "0.5";
  burst.place = "a \"b\".py:3 (f)";
  burst.codes = {{"x", "m", 4, 1, 2, 1, 10, 20, {7}, false}};
  burst.winner = "x";
  burst.replay = Replay::not_steady;
  burst.was_on_copies = true;
  burst.arguments = {{1, 64, "ab", 3, 1, 2, true, true}};
  Told told;
  read(to_line(burst), told);
  ASSERT_EQ(told.bursts.size(), 1U);
  const BurstEvent& back = told.bursts.front();
  EXPECT_EQ(to_line(back), to_line(burst));
  EXPECT_EQ(back.place, burst.place);
  EXPECT_EQ(back.replay, Replay::not_steady);
  EXPECT_EQ(back.arguments.at(0).spoilt, 2);
  EXPECT_TRUE(back.arguments.at(0).is_read);
  EXPECT_EQ(back.codes.at(0).paths, std::vector<std::uint64_t>{7});
  EXPECT_FALSE(back.codes.at(0).has_all_paths);
}

TEST(WatchEvents, of_totals_the_last_of_each_process_counts) {
  TotalEvent total;
  total.kernel = "sgd";
  Told told;
  for (const auto& [pid, launches] : {std::pair(1, 5), {2, 6}, {1, 7}}) {
    total.pid = pid;
    total.codes = {{"x", "", launches, 0, 0, 0, 0, 0, {}, true}};
    read(to_line(total), told);
  }
  ASSERT_EQ(told.totals.size(), 2U);
  EXPECT_EQ(told.totals[0].codes.at(0).launches, 7);
  EXPECT_EQ(told.totals[1].codes.at(0).launches, 6);
}

TEST(WatchEvents, the_others_too) {
  Told told;
  read(to_line(ProcessEvent{1, 2, "/bin/x", "cuda", "3", 4}), told);
  read(to_line(WriteEvent{1, "/a", "/a/b"}), told);
  read(to_line(SectionEvent{1, "test_a", 5, 6}), told);
  read(to_line(JitEvent{1, 2, "/lib", "nvrtc", "a.py:3 (f)", "ab", "a.cu", "k", 6, 7}), told);
  read(to_line(TroubleEvent{1, "what"}), told);
  EXPECT_EQ(told.processes.at(0).rank, "3");
  EXPECT_EQ(told.writes.at(0).folder, "/a");
  EXPECT_EQ(to_line(told.jits.at(0)),
            to_line(JitEvent{1, 2, "/lib", "nvrtc", "a.py:3 (f)", "ab", "a.cu", "k", 6, 7}));
  EXPECT_EQ(told.jits.at(0).source, "ab");
  EXPECT_EQ(told.jits.at(0).result, 6);
  EXPECT_EQ(told.sections.at(0).name, "test_a");
  EXPECT_EQ(told.sections.at(0).to_ns, 6);
  EXPECT_EQ(told.troubles.at(0).what, "what");
  EXPECT_EQ(told.damaged_lines, 0);
}

TEST(WatchEvents, every_answer_of_a_replay_survives) {
  Told told;
  for (const Replay replay : {Replay::none, Replay::same, Replay::differs, Replay::not_steady}) {
    BurstEvent burst;
    burst.replay = replay;
    read(to_line(burst), told);
    EXPECT_EQ(told.bursts.back().replay, replay);
  }
}

TEST(WatchEvents, a_damaged_line_is_counted) {
  Told told;
  for (const char* const line : {R"({"watch":"burst"})", R"({"watch":"nothing"})",
                                 R"({"watch":"total","pid":"x"})", R"({"watch":)", R"([])"})
    read_line(line, told);
  EXPECT_EQ(told.damaged_lines, 5);
  EXPECT_FALSE(is_watch_line(R"({"event":"compile"})"));
}

}  // namespace
}  // namespace tunecheck::watch
