#include "observe/evidence.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "observe/event_lines.hpp"

namespace tunecheck {
namespace {

using testing::HasSubstr;

class EvidenceFile : public testing::Test {
 protected:
  void append(const std::string& text) {
    std::ofstream(file, std::ios::app | std::ios::binary) << text;
  }
  Evidence read() {
    auto evidence = read_evidence(file, position);
    EXPECT_TRUE(evidence.has_value()) << evidence.error().text();
    return evidence.value_or(Evidence{});
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-evidence").value();
  std::filesystem::path file = folder.path() / "evidence.jsonl";
  std::uint64_t position = 0;
};

LaunchEvent some_launch(int pid, std::uint64_t number) {
  LaunchEvent event;
  event.time_ns = 12;
  event.pid = pid;
  event.launch = number;
  event.kernel = "scale";
  event.config = "block=64,vec=4";
  event.module = "ab";
  event.digests = {"01", "02"};
  event.places = {{4, {3, 5}, {-8, 1}}, {0, {}, {}}};
  event.stored = "cd";
  event.cost_ns = 17;
  event.status = 5;
  event.elapsed_ns = 1234;
  return event;
}

TEST_F(EvidenceFile, a_missing_file_is_an_error) {
  EXPECT_FALSE(read_evidence(file, position).has_value());
}

TEST_F(EvidenceFile, a_launch_is_joined_with_its_end) {
  append(to_begin_line(some_launch(7, 1)) + to_begin_line(some_launch(8, 1)) +
         to_end_line(some_launch(8, 1)));
  const Evidence evidence = read();
  ASSERT_EQ(evidence.launches.size(), 2u);
  EXPECT_FALSE(evidence.launches[0].ended);
  const LaunchEvent& launch = evidence.launches[1];
  EXPECT_TRUE(launch.ended);
  EXPECT_EQ(launch.pid, 8);
  EXPECT_EQ(launch.launch, 1u);
  EXPECT_EQ(launch.kernel, "scale");
  EXPECT_EQ(launch.config, "block=64,vec=4");
  EXPECT_EQ(launch.module, "ab");
  EXPECT_EQ(launch.digests, (std::vector<std::string>{"01", "02"}));
  EXPECT_EQ(launch.places, some_launch(8, 1).places);
  EXPECT_EQ(launch.stored, "cd");
  EXPECT_EQ(launch.cost_ns, 17);
  EXPECT_EQ(launch.status, 5);
  EXPECT_EQ(launch.elapsed_ns, 1234);
}

TEST_F(EvidenceFile, a_launch_on_a_gpu_is_one_line_and_no_other_launchs_end_joins_it) {
  LaunchEvent launch = some_launch(7, 1);
  launch.digested = "before_event";
  launch.device = "cuda";
  launch.code = "ef";
  launch.stream = 2;
  launch.context = 3;
  launch.captured = true;
  launch.graph = true;
  append(to_begin_line(some_launch(7, 1)) + to_gpu_line(launch) + to_end_line(some_launch(7, 1)));
  const Evidence evidence = read();
  ASSERT_EQ(evidence.launches.size(), 2u);
  EXPECT_TRUE(evidence.launches[0].ended);
  EXPECT_EQ(evidence.launches[0].elapsed_ns, 1234);
  EXPECT_EQ(evidence.launches[0].device, "");
  const LaunchEvent& read = evidence.launches[1];
  EXPECT_TRUE(read.ended);
  EXPECT_EQ(read.elapsed_ns, 0);
  EXPECT_EQ(read.status, 5);
  EXPECT_EQ(read.digests, launch.digests);
  EXPECT_EQ(read.places, launch.places);
  EXPECT_EQ(read.digested, "before_event");
  EXPECT_EQ(read.device, "cuda");
  EXPECT_EQ(read.code, "ef");
  EXPECT_EQ(read.stream, 2);
  EXPECT_EQ(read.context, 3);
  EXPECT_TRUE(read.captured);
  EXPECT_TRUE(read.graph);
}

TEST_F(EvidenceFile, modules_graph_launches_and_troubles_are_read_back) {
  append(to_line(ModuleEvent{12, 7, "ab", "cubin", 99, "block=64", 200, "ef"}) +
         to_line(GraphLaunchEvent{13, 7, 2, 1, 4, 5}) + to_line(TroubleEvent{14, 7, "no CUPTI"}));
  const Evidence evidence = read();
  ASSERT_EQ(evidence.modules.size(), 1u);
  EXPECT_EQ(evidence.modules[0].time_ns, 12);
  EXPECT_EQ(evidence.modules[0].pid, 7);
  EXPECT_EQ(evidence.modules[0].module, "ab");
  EXPECT_EQ(evidence.modules[0].kind, "cubin");
  EXPECT_EQ(evidence.modules[0].size, 99u);
  EXPECT_EQ(evidence.modules[0].config, "block=64");
  EXPECT_EQ(evidence.modules[0].status, 200);
  EXPECT_EQ(evidence.modules[0].code, "ef");
  ASSERT_EQ(evidence.graph_launches.size(), 1u);
  EXPECT_EQ(evidence.graph_launches[0].stream, 2);
  EXPECT_EQ(evidence.graph_launches[0].context, 1);
  EXPECT_EQ(evidence.graph_launches[0].kernels, 4);
  EXPECT_EQ(evidence.graph_launches[0].status, 5);
  ASSERT_EQ(evidence.troubles.size(), 1u);
  EXPECT_EQ(evidence.troubles[0].what, "no CUPTI");
}

TEST_F(EvidenceFile, a_reused_process_number_begins_a_launch_of_its_own) {
  append(to_begin_line(some_launch(7, 1)) + to_begin_line(some_launch(7, 1)) +
         to_end_line(some_launch(7, 1)));
  const Evidence evidence = read();
  ASSERT_EQ(evidence.launches.size(), 2u);
  EXPECT_FALSE(evidence.launches[0].ended);
  EXPECT_TRUE(evidence.launches[1].ended);
}

TEST_F(EvidenceFile, each_slice_holds_only_what_was_appended_since) {
  append(to_begin_line(some_launch(7, 1)));
  EXPECT_EQ(read().launches.size(), 1u);
  append(to_end_line(some_launch(7, 1)) + to_begin_line(some_launch(7, 2)));
  const Evidence later = read();
  ASSERT_EQ(later.launches.size(), 1u);
  EXPECT_EQ(later.launches[0].launch, 2u);
  EXPECT_TRUE(read().launches.empty());
}

TEST_F(EvidenceFile, a_line_still_being_written_belongs_to_the_next_slice) {
  const std::string line = to_begin_line(some_launch(7, 1));
  append(line.substr(0, 20));
  EXPECT_TRUE(read().launches.empty());
  EXPECT_EQ(position, 0u);
  append(line.substr(20));
  EXPECT_EQ(read().launches.size(), 1u);
  EXPECT_EQ(position, line.size());
}

TEST_F(EvidenceFile, a_line_that_is_no_event_is_an_error_that_names_its_place) {
  const std::string good = to_begin_line(some_launch(7, 1));
  for (const char* const bad : {"{\"event\":\"launch\"}\n", "{\"event\":\"dance\"}\n", "[]\n", "\n",
                                "{\"event\":\"launch\",\n"}) {
    std::filesystem::remove(file);
    append(good + bad);
    position = 0;
    const auto evidence = read_evidence(file, position);
    ASSERT_FALSE(evidence.has_value()) << bad;
    EXPECT_THAT(evidence.error().text(), HasSubstr(fmt::format("byte {}", good.size())));
    EXPECT_EQ(position, 0u);
  }
}

TEST_F(EvidenceFile, a_file_that_became_shorter_is_an_error) {
  append(to_begin_line(some_launch(7, 1)));
  (void)read();
  std::filesystem::resize_file(file, 3);
  EXPECT_FALSE(read_evidence(file, position).has_value());
}

TEST_F(EvidenceFile, arguments_that_are_not_utf_8_are_recorded_all_the_same) {
  CompileEvent event;
  event.arguments = {"-DNAME=\xff", "a\nb"};
  append(to_line(event));
  const Evidence evidence = read();
  ASSERT_EQ(evidence.compiles.size(), 1u);
  EXPECT_EQ(evidence.compiles[0].arguments[1], "a\nb");
}

TEST_F(EvidenceFile, the_lines_in_the_documentation_are_what_observers_write) {
  std::ifstream page(find_resources().kernels.parent_path() / "docs" / "evidence.md");
  std::string all;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("{\"event\"")) all += line + '\n';
  append(all);
  const Evidence evidence = read();
  ASSERT_EQ(evidence.compiles.size(), 1u);
  ASSERT_EQ(evidence.launches.size(), 2u);
  ASSERT_TRUE(evidence.launches[0].ended);
  ASSERT_EQ(evidence.graph_launches.size(), 1u);
  ASSERT_EQ(evidence.modules.size(), 1u);
  ASSERT_EQ(evidence.troubles.size(), 1u);
  ASSERT_EQ(evidence.faults.size(), 1u);
  ASSERT_EQ(evidence.files.size(), 1u);
  ASSERT_EQ(evidence.programs.size(), 1u);
  ASSERT_EQ(evidence.unseen_code.size(), 1u);
  EXPECT_EQ(all, to_line(evidence.compiles[0]) + to_begin_line(evidence.launches[0]) +
                     to_end_line(evidence.launches[0]) + to_gpu_line(evidence.launches[1]) +
                     to_line(evidence.graph_launches[0]) + to_line(evidence.modules[0]) +
                     to_line(evidence.programs[0]) + to_line(evidence.unseen_code[0]) +
                     to_line(evidence.troubles[0]) + to_line(evidence.faults[0]) +
                     to_line(evidence.files[0]));
}

}  // namespace
}  // namespace tunecheck
