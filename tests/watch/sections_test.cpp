// What a watch says of the parts that a program names. The runs are made up: the order of events is
// what matters.
#include "watch/sections.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up_runs.hpp"

namespace tunecheck::watch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ProgramCompile compile(int pid, std::int64_t time_ns, const std::string& source) {
  ProgramCompile event;
  event.pid = pid;
  event.time_ns = time_ns;
  event.tool = "/usr/bin/c++";
  event.arguments = {source};
  return event;
}

// Two workers at once, each with a test, and one test more.
ProgramRun two_workers() {
  ProgramRun run;
  run.began_ns = 1000;
  run.told.sections = {{11, "a", 1100, 1200}, {12, "b", 1100, 1200}, {11, "c", 1300, 1400}};
  run.told.processes = {{11, 10, "python", "cpu", "", 0}, {12, 10, "python", "cpu", "", 0}};
  return run;
}

TEST(Sections, a_compiler_belongs_to_the_section_of_the_process_that_started_it) {
  ProgramRun run = two_workers();
  run.told.processes.push_back({20, 12, "sh", "cpu", "", 1150});
  run.told.processes.push_back({21, 20, "c++", "cpu", "", 1160});
  run.compiles = {compile(21, 1160, "k.cpp"), compile(11, 1350, "l.cpp")};
  const auto sections = find_sections({run}, false);
  ASSERT_EQ(sections.size(), 3U);
  EXPECT_EQ(sections[0].name, "a");
  EXPECT_EQ(sections[0].compiles, 0);
  EXPECT_EQ(sections[0].from_ns, 100);
  EXPECT_THAT(sections[1].commands, ElementsAre("/usr/bin/c++ k.cpp"));
  EXPECT_EQ(sections[1].compiles, 1);
  EXPECT_EQ(sections[2].compiles, 1);
}

TEST(Sections, a_compiler_between_two_sections_belongs_to_none) {
  ProgramRun run = two_workers();
  run.compiles = {compile(11, 1250, "k.cpp")};
  for (const auto& section : find_sections({run}, false))
    EXPECT_EQ(section.compiles + section.unclear_compiles, 0);
}

TEST(Sections, a_compiler_that_nobody_started_is_unclear_where_two_are_under_way) {
  ProgramRun run = two_workers();
  run.compiles = {compile(99, 1150, "k.cpp"), compile(99, 1350, "k.cpp")};
  const auto sections = find_sections({run}, false);
  EXPECT_EQ(sections[0].unclear_compiles, 1);
  EXPECT_EQ(sections[1].unclear_compiles, 1);
  EXPECT_EQ(sections[0].compiles + sections[1].compiles, 0);
  EXPECT_EQ(sections[2].compiles, 1);
}

TEST(Sections, a_tuning_belongs_to_the_section_that_launched_a_second_code) {
  Process process(11);
  process.burst({code("x", 3, 2), code("y", 3, 3), code("z", 4, 3, 2)}, "z", Replay::same);
  process.bursts.back().codes[0].first_ns = process.bursts.back().first_ns = 1150;
  process.bursts.back().codes[1].first_ns = 1350;
  ProgramRun cold = process.run();
  cold.told.sections = two_workers().told.sections;
  Process again(31);
  again.burst({code("z", 1, 0)}, "z", Replay::none);
  again.bursts.back().codes[0].first_ns = 1350;
  ProgramRun warm = again.run();
  warm.told.sections = {{31, "c", 1300, 1400}};
  const auto sections = find_sections({cold, warm}, false);
  ASSERT_EQ(sections.size(), 4U);
  EXPECT_THAT(sections[0].kernels, ElementsAre("k"));
  EXPECT_THAT(sections[0].tunings, IsEmpty());
  ASSERT_EQ(sections[2].tunings.size(), 1U);
  EXPECT_TRUE(sections[2].tunings[0].is_certain);
  EXPECT_THAT(sections[2].tunings[0].codes, ElementsAre("x", "y", "z"));
  EXPECT_EQ(sections[2].tunings[0].place.line, 9);
  EXPECT_THAT(sections[2].kernels, ElementsAre("k"));
  EXPECT_THAT(sections[3].kernels, ElementsAre("k"));
  EXPECT_THAT(sections[3].tunings, IsEmpty());
  EXPECT_EQ(sections[3].run, 1);
}

TEST(Sections, a_part_of_a_part_has_what_happened_in_it) {
  ProgramRun run = two_workers();
  run.told.sections.push_back({11, "inner", 1120, 1140});
  run.compiles = {compile(11, 1130, "k.cpp"), compile(11, 1150, "k.cpp")};
  for (const auto& section : find_sections({run}, false))
    EXPECT_EQ(section.compiles, section.name == "a" || section.name == "inner" ? 1 : 0)
        << section.name;
}

}  // namespace
}  // namespace tunecheck::watch
