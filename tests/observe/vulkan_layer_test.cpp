// The Vulkan observer, in a program that uses Vulkan on a CPU. Where there is no such device, there
// is nothing to observe.
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/tensor_view.hpp"
#include "observe/evidence.hpp"
#include "observe/launch_counts.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"
#include "vulkan_shader.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using vulkan_case::elements;
using vulkan_case::entry_point;

std::string digest_of(float value) {
  std::vector<float> values(elements, value);
  return digest_elements({reinterpret_cast<std::byte*>(values.data()), DType::f32,
                          Layout::contiguous({&elements, 1})});
}

std::string module_digest() {
  return artifact_digest(std::as_bytes(std::span(vulkan_case::shader)));
}

constexpr const char* line_of_watch_file =
    R"({"kernel": "add_*", "as": "add", "tensors": [)"
    R"({"parameter": 0, "dtype": "f32", "shape": [1000], "strides": [1], "bytes": 4000},)"
    R"({"parameter": 1, "dtype": "f32", "shape": [1000], "strides": [1], "offset": 0}]})"
    "\n";

class VulkanLayer : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_vulkan_layer()) GTEST_SKIP() << "the observer is not built: no headers of Vulkan";
    if (status_of("device", {}) == 2) GTEST_SKIP() << "no Vulkan device that is a CPU";
    ASSERT_TRUE(write_file(watch_file, line_of_watch_file));
  }

  static int status_of(const std::string& work, const Environment& more) {
    const auto result = result_of(work, more);
    EXPECT_TRUE(result) << result.error().text();
    return result ? result->end.exit_status : -1;
  }

  static Result<CommandResult> result_of(const std::string& work, const Environment& more) {
    CommandOptions options;
    options.arguments = {(program_folder() / "observe-vulkan-work").string(), work};
    options.environment = current_environment();
    for (const auto& [name, value] : more)
      (*options.environment)[name] = value;
    return run_command(options);
  }

  // What the driver says of itself, by name, where its compiler is what these settings say.
  std::map<std::string, std::string> driver_with(const SpySettings& settings) const {
    const fs::path file = folder.path() / "vulkan.spy.json";
    EXPECT_TRUE(write_file(file, to_text(settings)));
    const auto result =
        result_of("driver", observed({{"TUNECHECK_VULKAN_COMPILER", file.string()}}));
    std::map<std::string, std::string> driver;
    std::istringstream lines(result ? result->output : "");
    for (std::string name, text; lines >> name && std::getline(lines, text);)
      driver[name] = text;
    EXPECT_THAT(driver, SizeIs(4));
    return driver;
  }

  Environment observed(Environment more = {}) const {
    more.merge(Environment{{"VK_ADD_LAYER_PATH", find_vulkan_layer()->parent_path().string()},
                           {"VK_INSTANCE_LAYERS", std::string(vulkan_layer_name)},
                           {"TUNECHECK_PROBE_EVIDENCE", evidence_file.string()},
                           {"TUNECHECK_PROBE_WATCH", "yes"},
                           {"TUNECHECK_PROBE_WATCH_FILE", watch_file.string()}});
    return more;
  }

  Evidence run(const std::string& work, const Environment& more = {}, int status = 0) const {
    EXPECT_EQ(status_of(work, observed(more)), status);
    std::uint64_t from = 0;
    auto evidence = read_evidence(evidence_file, from);
    EXPECT_TRUE(evidence) << evidence.error().text();
    return evidence ? std::move(*evidence) : Evidence();
  }

  TemporaryFolder folder = TemporaryFolder::create("vulkan").value();
  fs::path evidence_file = folder.path() / "evidence.jsonl";
  fs::path watch_file = folder.path() / "watch.jsonl";
};

TEST_F(VulkanLayer, each_launch_is_recorded_with_its_code_and_the_content_of_its_tensors) {
  const Evidence evidence = run("add");
  EXPECT_THAT(evidence.troubles, IsEmpty());
  ASSERT_THAT(evidence.launches, SizeIs(2));
  for (std::size_t i = 0; i < 2; ++i) {
    const LaunchEvent& launch = evidence.launches[i];
    const auto sum = 5 + static_cast<float>(i);
    EXPECT_EQ(launch.kernel, "add");
    EXPECT_EQ(launch.module, module_digest());
    EXPECT_EQ(launch.launch, i + 1);
    EXPECT_TRUE(launch.ended);
    EXPECT_EQ(launch.status, 0);
    EXPECT_THAT(launch.digests, ElementsAre(digest_of(1), digest_of(sum)));
    EXPECT_THAT(launch.left, ElementsAre(digest_of(1), digest_of(sum + 1)));
    ASSERT_THAT(launch.places, SizeIs(2));
    EXPECT_THAT(launch.places[1].shape, ElementsAre(1000));
  }
}

TEST_F(VulkanLayer, what_the_driver_compiles_is_recorded) {
  const Evidence evidence = run("add");
  ASSERT_THAT(evidence.compiles, SizeIs(1));
  EXPECT_EQ(evidence.compiles[0].tool, "vulkan");
  EXPECT_THAT(evidence.compiles[0].arguments, ElementsAre(entry_point));
  EXPECT_EQ(evidence.compiles[0].output_digest, module_digest());
  EXPECT_EQ(evidence.compiles[0].exit_status, 0);
  ASSERT_THAT(evidence.modules, SizeIs(1));
  EXPECT_EQ(evidence.modules[0].module, module_digest());
  EXPECT_EQ(evidence.modules[0].kind, "spirv");
}

TEST_F(VulkanLayer, a_command_buffer_that_is_submitted_again_launches_again) {
  const Evidence evidence = run("again");
  ASSERT_THAT(evidence.launches, SizeIs(4));
  EXPECT_EQ(evidence.launches[3].left.at(1), digest_of(9));
}

TEST_F(VulkanLayer, what_is_recorded_and_never_submitted_is_no_launch) {
  const Evidence evidence = run("recorded");
  EXPECT_THAT(evidence.compiles, SizeIs(1));
  EXPECT_THAT(evidence.launches, IsEmpty());
}

TEST_F(VulkanLayer, without_watching_nothing_is_digested) {
  const Evidence evidence = run("add", {{"TUNECHECK_PROBE_WATCH", "no"}});
  ASSERT_THAT(evidence.launches, SizeIs(2));
  EXPECT_TRUE(evidence.launches[1].ended);
  EXPECT_THAT(evidence.launches[1].digests, IsEmpty());
  EXPECT_THAT(evidence.launches[1].left, IsEmpty());
}

TEST_F(VulkanLayer, only_the_kernel_of_interest_is_recorded) {
  EXPECT_THAT(run("add", {{"TUNECHECK_PROBE_KERNEL", "another"}}).launches, IsEmpty());
  EXPECT_THAT(run("add", {{"TUNECHECK_PROBE_KERNEL", "add"}}).launches, SizeIs(2));
}

TEST_F(VulkanLayer, a_tensor_that_is_not_where_the_watch_file_says_has_no_digest) {
  ASSERT_TRUE(write_file(watch_file,
                         R"({"kernel": "add_*", "as": "add", "tensors": [)"
                         R"({"parameter": 0, "dtype": "f32", "shape": [1001], "strides": [1]},)"
                         R"({"parameter": 7, "dtype": "f32", "shape": [1], "strides": [1]}]})"
                         "\n"));
  const Evidence evidence = run("add");
  ASSERT_THAT(evidence.launches, SizeIs(2));
  EXPECT_THAT(evidence.launches[0].digests, ElementsAre("", ""));
}

TEST_F(VulkanLayer, of_several_lines_the_last_one_counts_whose_bindings_have_these_sizes) {
  const auto line = [](int bytes, const char* as) {
    return fmt::format(R"({{"kernel": "add_*", "as": "{}", "tensors": [{{"parameter": 0, )"
                       R"("dtype": "f32", "shape": [1], "strides": [1], "bytes": {}}}]}})"
                       "\n",
                       as, bytes);
  };
  ASSERT_TRUE(write_file(watch_file, line(4000, "old") + line(4000, "new") + line(8, "other")));
  const Evidence evidence = run("add");
  ASSERT_THAT(evidence.launches, SizeIs(2));
  EXPECT_EQ(evidence.launches[0].kernel, "new");
}

TEST_F(VulkanLayer, a_poisoned_compiler_compiles_nothing) {
  SpySettings settings;
  settings.mode = "poisoned";
  const fs::path file = folder.path() / "vulkan.spy.json";
  ASSERT_TRUE(write_file(file, to_text(settings)));
  const Evidence evidence = run("add", {{"TUNECHECK_VULKAN_COMPILER", file.string()}}, 3);
  ASSERT_THAT(evidence.compiles, SizeIs(1));
  EXPECT_EQ(evidence.compiles[0].mode, "poisoned");
  EXPECT_EQ(evidence.compiles[0].exit_status, 86);
  EXPECT_EQ(evidence.compiles[0].output_digest, "");
  EXPECT_THAT(evidence.launches, IsEmpty());
}

TEST_F(VulkanLayer, compiles_of_other_kernels_are_not_refused) {
  SpySettings settings;
  settings.mode = "poisoned";
  const fs::path file = folder.path() / "vulkan.spy.json";
  ASSERT_TRUE(write_file(file, to_text(settings)));
  Environment more = {{"TUNECHECK_VULKAN_COMPILER", file.string()},
                      {"TUNECHECK_PROBE_KERNEL", "another"}};
  EXPECT_EQ(run("add", more).compiles.at(0).mode, "pass");
  more["TUNECHECK_PROBE_KERNEL"] = "add";
  EXPECT_EQ(status_of("add", observed(more)), 3);
}

TEST_F(VulkanLayer, counted_launches_are_not_recorded) {
  const fs::path counts = folder.path() / "counts";
  ASSERT_TRUE(make_launch_counts(counts));
  ASSERT_TRUE(start_counting(counts, 1));
  EXPECT_THAT(run("add", {{"TUNECHECK_PROBE_COUNTS", counts.string()}}).launches, IsEmpty());
  const auto counted = stop_counting(counts);
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->trial_launches, 2U);  // by a process that is not the adapter's own
}

TEST_F(VulkanLayer, without_an_evidence_file_it_does_nothing) {
  EXPECT_EQ(status_of("add", observed({{"TUNECHECK_PROBE_EVIDENCE", ""}})), 0);
  EXPECT_FALSE(fs::exists(evidence_file));
}

TEST_F(VulkanLayer, a_driver_of_another_release_says_another_version_and_has_other_digests) {
  SpySettings another;
  another.version_suffix = " (another build)";
  auto own = driver_with({});
  auto other = driver_with(another);
  EXPECT_NE(other["version"], own["version"]);
  EXPECT_EQ(other["information"], own["information"] + " (another build)");
  EXPECT_NE(other["code"], own["code"]);
  EXPECT_NE(other["compiler"], own["compiler"]);
}

TEST_F(VulkanLayer, a_driver_that_was_rebuilt_says_the_same_version_and_has_other_digests) {
  SpySettings rebuilt;
  rebuilt.mode = "rebuilt";
  auto own = driver_with({});
  auto other = driver_with(rebuilt);
  EXPECT_EQ(other["version"], own["version"]);
  EXPECT_EQ(other["information"], own["information"]);
  EXPECT_NE(other["code"], own["code"]);
  EXPECT_NE(other["compiler"], own["compiler"]);
  EXPECT_EQ(driver_with(rebuilt), other);
}

}  // namespace
}  // namespace tunecheck
