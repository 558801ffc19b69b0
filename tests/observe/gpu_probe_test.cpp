// The GPU probe in a process that uses the CUDA driver. Skipped where there is no GPU.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/tensor_view.hpp"
#include "gpu_case.hpp"
#include "gpu_work.hpp"
#include "observe/evidence.hpp"
#include "observe/tools.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

std::string digest_of_step(int launches) {
  std::vector<float> values = gpu_case::step_values(launches);
  const std::int64_t size = gpu_case::step_elements;
  return digest_elements(
      {reinterpret_cast<std::byte*>(values.data()), DType::f32, Layout::contiguous({&size, 1})});
}

class GpuProbe : public testing::Test {
 protected:
  void SetUp() override {
    static const std::string missing = gpu_work::missing();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }

  // The evidence of a child that does this work; without a failure in it and without trouble.
  Evidence run(const std::string& work, const Environment& more = {}) const {
    fs::remove(evidence_file);
    CommandOptions options;
    options.arguments = {(program_folder() / "tunecheck-test-gpu-observe").string(), "work", work,
                         folder.path().string()};
    options.environment = current_environment();
    (*options.environment)["CUDA_INJECTION64_PATH"] =
        find_gpu_probe(DeviceKind::cuda).value().string();
    (*options.environment)["TUNECHECK_PROBE_EVIDENCE"] = evidence_file.string();
    (*options.environment)["TUNECHECK_PROBE_WATCH"] = "yes";
    for (const auto& [name, value] : more)
      (*options.environment)[name] = value;
    const auto result = run_command(options);
    EXPECT_TRUE(result && result->end.success()) << (result ? result->output : "");
    if (!fs::exists(evidence_file)) return {};
    std::uint64_t from = 0;
    auto evidence = read_evidence(evidence_file, from);
    EXPECT_TRUE(evidence) << evidence.error().text();
    if (!evidence) return {};
    for (const TroubleEvent& trouble : evidence->troubles)
      ADD_FAILURE() << trouble.what;
    return std::move(*evidence);
  }

  [[nodiscard]] std::string cubin_digest() const {
    return artifact_digest(read_binary_file(folder.path() / "step.cubin").value());
  }

  [[nodiscard]] std::int64_t median_time_ns() const {
    std::ifstream file(folder.path() / "times");
    std::vector<std::int64_t> times;
    for (std::int64_t time; file >> time;)
      times.push_back(time);
    EXPECT_EQ(times.size(), 11U);
    if (times.empty()) return 0;
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-gpu-probe").value();
  fs::path evidence_file = folder.path() / "evidence.jsonl";
};

TEST_F(GpuProbe, each_launch_is_recorded_with_its_tensors_as_they_were_before_it) {
  const Evidence evidence = run("streams");
  ASSERT_EQ(evidence.launches.size(), 4U);
  std::vector<int> streams;
  for (int index = 0; index < 4; ++index) {
    const LaunchEvent& launch = evidence.launches[static_cast<std::size_t>(index)];
    EXPECT_EQ(launch.launch, static_cast<std::uint64_t>(index + 1));
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.config, gpu_case::config);
    EXPECT_EQ(launch.module, cubin_digest());
    EXPECT_THAT(launch.digests, ElementsAre(digest_of_step(index)));
    EXPECT_EQ(launch.digested, "at_launch");
    EXPECT_EQ(launch.device, "cuda");
    EXPECT_EQ(launch.context, 1);
    EXPECT_EQ(launch.stored, "");
    EXPECT_TRUE(launch.ended);
    EXPECT_FALSE(launch.captured || launch.graph);
    EXPECT_EQ(launch.status, 0);
    EXPECT_GT(launch.time_ns, 0);
    EXPECT_GT(launch.cost_ns, 0);
    EXPECT_EQ(launch.elapsed_ns, 0);
    streams.push_back(launch.stream);
  }
  EXPECT_THAT(streams, ElementsAre(1, 2, 1, 0));
}

TEST_F(GpuProbe, a_loaded_image_is_recorded) {
  const Evidence evidence = run("streams");
  ASSERT_EQ(evidence.modules.size(), 1U);
  EXPECT_EQ(evidence.modules[0].module, cubin_digest());
  EXPECT_EQ(evidence.modules[0].kind, "cubin");
  EXPECT_EQ(evidence.modules[0].size, fs::file_size(folder.path() / "step.cubin"));
  EXPECT_EQ(evidence.modules[0].config, gpu_case::config);
  EXPECT_EQ(evidence.modules[0].status, 0);
}

TEST_F(GpuProbe, the_device_digests_every_dtype_and_layout_as_the_host_does) {
  const Evidence evidence = run("all tensors");
  ASSERT_EQ(evidence.launches.size(), 2U);
  std::vector<std::byte> memory = gpu_case::memory();
  std::vector<std::string> expected;
  for (const gpu_case::Tensor& tensor : gpu_case::tensors())
    expected.push_back(digest_elements({memory.data() + tensor.first, tensor.dtype,
                                        Layout::strided(tensor.shape, tensor.strides)}));
  EXPECT_EQ(evidence.launches[0].digests, expected);
  EXPECT_EQ(evidence.launches[1].digests, expected) << "given as a buffer";
}

TEST_F(GpuProbe, kernels_of_a_library_are_known) {
  const Evidence evidence = run("library");
  ASSERT_EQ(evidence.modules.size(), 2U);
  ASSERT_EQ(evidence.launches.size(), 2U);
  for (int index = 0; index < 2; ++index) {
    const LaunchEvent& launch = evidence.launches[static_cast<std::size_t>(index)];
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.module, cubin_digest());
    EXPECT_THAT(launch.digests, ElementsAre(digest_of_step(index)));
  }
  EXPECT_EQ(evidence.launches[1].stream, 2);
}

TEST_F(GpuProbe, a_graph_is_recorded_when_captured_and_when_launched) {
  const Evidence evidence = run("graph");
  ASSERT_EQ(evidence.graph_launches.size(), 2U);
  for (const GraphLaunchEvent& launch : evidence.graph_launches) {
    EXPECT_EQ(launch.kernels, 1);
    EXPECT_EQ(launch.stream, 1);
    EXPECT_EQ(launch.status, 0);
  }
  ASSERT_EQ(evidence.launches.size(), 3U);
  EXPECT_TRUE(evidence.launches[0].captured);
  EXPECT_FALSE(evidence.launches[0].graph);
  EXPECT_THAT(evidence.launches[0].digests, IsEmpty());
  for (int index = 0; index < 2; ++index) {
    const LaunchEvent& launch = evidence.launches[static_cast<std::size_t>(index + 1)];
    EXPECT_FALSE(launch.captured);
    EXPECT_TRUE(launch.graph);
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.module, cubin_digest());
    EXPECT_THAT(launch.digests, ElementsAre(digest_of_step(index)));
  }
}

TEST_F(GpuProbe, inputs_that_are_restored_are_told_from_those_that_are_not) {
  const auto different_inputs = [](const Evidence& evidence) {
    std::set<std::string> inputs;
    EXPECT_EQ(evidence.launches.size(), 4U);
    for (const LaunchEvent& launch : evidence.launches)
      inputs.insert(launch.digests.at(0));
    return inputs.size();
  };
  EXPECT_EQ(different_inputs(run("restored")), 1U);
  EXPECT_EQ(different_inputs(run("not restored")), 4U);
}

TEST_F(GpuProbe, a_measurement_is_not_disturbed_by_digests) {
  const auto digested = [](const Evidence& evidence) {
    std::vector<std::string> when;
    for (const LaunchEvent& launch : evidence.launches)
      when.push_back(launch.digested);
    EXPECT_EQ(when.size(), 11U);
    when.resize(11);
    when.erase(when.begin());  // the first cannot be foreseen
    return when;
  };
  const Evidence foreseen = run("timed");
  EXPECT_THAT(digested(foreseen), Each("before_event"));
  const std::int64_t undisturbed_ns = median_time_ns();
  for (const LaunchEvent& launch : foreseen.launches)
    EXPECT_EQ(launch.digests, foreseen.launches[0].digests);
  // What it would be otherwise.
  EXPECT_THAT(digested(run("timed and disturbed")), Each("at_launch"));
  const std::int64_t disturbed_ns = median_time_ns();
  EXPECT_LT(undisturbed_ns * 2, disturbed_ns);
  RecordProperty("undisturbed_ns", std::to_string(undisturbed_ns));
  RecordProperty("disturbed_ns", std::to_string(disturbed_ns));
}

TEST_F(GpuProbe, a_large_tensor_costs_milliseconds) {
  const Evidence evidence = run("timed");
  ASSERT_EQ(evidence.launches.size(), 11U);
  EXPECT_LT(evidence.launches.back().cost_ns, 20'000'000) << "512 MiB";
}

TEST_F(GpuProbe, the_watch_file_says_which_plain_pointers_are_tensors) {
  const fs::path watch_file = folder.path() / "watch.jsonl";
  ASSERT_TRUE(write_file(
      watch_file,
      std::string_view(
          R"({"kernel":"plain","tensors":[{"parameter":1,"dtype":"f32","shape":[1000],"strides":[1]},)"
          R"({"parameter":2,"dtype":"f32","shape":[4],"strides":[1]},)"
          R"({"parameter":7,"dtype":"f32","shape":[4],"strides":[1]}]})"
          "\n")));
  const Evidence evidence =
      run("plain pointers", {{"TUNECHECK_PROBE_WATCH_FILE", watch_file.string()}});
  ASSERT_EQ(evidence.launches.size(), 1U);
  EXPECT_THAT(evidence.launches[0].digests, ElementsAre(digest_of_step(0), "", ""));
}

TEST_F(GpuProbe, the_watch_file_names_kernels_whose_symbol_is_another) {
  const fs::path watch_file = folder.path() / "watch.jsonl";
  const auto launches = [&](std::string_view line) {
    EXPECT_TRUE(write_file(watch_file, line));
    return run("plain pointers", {{"TUNECHECK_PROBE_WATCH_FILE", watch_file.string()},
                                  {"TUNECHECK_PROBE_KERNEL", "under_test"}})
        .launches;
  };
  EXPECT_THAT(launches("{\"kernel\":\"plain\",\"tensors\":[]}\n"), IsEmpty());
  const auto named = launches(
      R"({"kernel":"plain","as":"under_test","tensors":[{"parameter":1,"dtype":"f32","shape":[1000],"strides":[1]}]})"
      "\n");
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named[0].kernel, "under_test");
  EXPECT_THAT(named[0].digests, ElementsAre(digest_of_step(0)));
}

TEST_F(GpuProbe, only_kernels_of_interest_are_recorded) {
  EXPECT_THAT(run("streams", {{"TUNECHECK_PROBE_KERNEL", "other,look"}}).launches, IsEmpty());
  EXPECT_EQ(run("all tensors", {{"TUNECHECK_PROBE_KERNEL", "other,look"}}).launches.size(), 2U);
}

TEST_F(GpuProbe, digests_are_left_out_where_nothing_is_to_be_watched) {
  const Evidence evidence = run("streams", {{"TUNECHECK_PROBE_WATCH", "no"}});
  ASSERT_EQ(evidence.launches.size(), 4U);
  EXPECT_THAT(evidence.launches[0].digests, IsEmpty());
  EXPECT_EQ(evidence.launches[0].digested, "");
}

TEST_F(GpuProbe, the_watched_folder_is_listed_at_each_launch) {
  const fs::path cache = folder.path() / "cache";
  fs::create_directories(cache);
  ASSERT_TRUE(write_file(cache / "entry", std::string_view("content")));
  const Evidence evidence = run("timed", {{"TUNECHECK_PROBE_FOLDER", cache.string()}});
  ASSERT_EQ(evidence.launches.size(), 11U);
  for (const LaunchEvent& launch : evidence.launches)
    EXPECT_EQ(launch.stored, listing_digest(cache));
}

TEST_F(GpuProbe, an_image_that_the_driver_refuses_harms_nobody) {
  const Evidence evidence = run("damaged image");
  ASSERT_EQ(evidence.modules.size(), 2U);
  EXPECT_EQ(evidence.modules[1].module, "");
  EXPECT_NE(evidence.modules[1].status, 0);
}

TEST_F(GpuProbe, without_a_file_nothing_is_recorded) {
  (void)run("streams", {{"TUNECHECK_PROBE_EVIDENCE", ""}});
  EXPECT_FALSE(fs::exists(evidence_file));
}

}  // namespace
}  // namespace tunecheck

// The program is its own child: "work NAME FOLDER".
int main(int count, char** arguments) {
  if (count == 4 && std::string(arguments[1]) == "work") {
    try {
      tunecheck::gpu_work::run(arguments[2], arguments[3]);
      return 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
