// The probe for HIP in processes that use HIP on the host.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/tensor_view.hpp"
#include "gpu_case.hpp"
#include "observe/evidence.hpp"
#include "observe/gpu/tensor_argument.hpp"
#include "observe/tools.hpp"
#include "runtime_libraries.hpp"
#include "shim/code_object.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string digest_after(int launches) {
  std::vector<float> values = gpu_case::step_values(launches);
  const std::int64_t size = gpu_case::step_elements;
  return digest_elements(
      {reinterpret_cast<std::byte*>(values.data()), DType::f32, Layout::contiguous({&size, 1})});
}

// "step" changes its tensor, "plain" gets pointers, "look" as many tensors as there are cases.
std::string object_for_work() {
  using gpu::Parameter;
  std::vector<Parameter> looked_at;
  for (std::size_t i = 0; i < gpu_case::tensors().size(); ++i)
    looked_at.push_back({i * gpu::tensor_parameter_size, gpu::tensor_parameter_size});
  return shim::make_code_object(
      {{"step", {Parameter{0, gpu::tensor_parameter_size}, Parameter{144, 4}}},
       {"plain", {Parameter{0, 4}, Parameter{8, 8}, Parameter{16, 8}}},
       {"look", looked_at}},
      gpu_case::config, read_text_file(program_folder() / "libobserve-hip-kernels.so").value());
}

class HipProbe : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(write_file(folder.path() / "step.hsaco", object)); }

  // The evidence of a child that does this work; without a failure in it.
  Evidence run_program(std::vector<std::string> arguments, const Environment& more = {}) const {
    fs::remove(evidence_file);
    CommandOptions options;
    options.arguments = std::move(arguments);
    options.environment = current_environment();
    (*options.environment)["LD_AUDIT"] = find_gpu_probe(DeviceKind::hip).value().string();
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
    return evidence ? std::move(*evidence) : Evidence();
  }

  Evidence run(const std::string& work, const Environment& more = {},
               const std::string& library = TUNECHECK_HOST_HIP) const {
    Evidence evidence = run_program(
        {(program_folder() / "observe-hip-work").string(), library, work, folder.path().string()},
        more);
    if (library == TUNECHECK_HOST_HIP)
      for (const TroubleEvent& trouble : evidence.troubles)
        ADD_FAILURE() << trouble.what;
    return evidence;
  }

  [[nodiscard]] std::string object_digest() const {
    return artifact_digest(std::as_bytes(std::span(object)));
  }

  const std::string object = object_for_work();
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-hip-probe").value();
  fs::path evidence_file = folder.path() / "evidence.jsonl";
};

TEST_F(HipProbe, each_launch_is_recorded_with_its_tensors_as_they_were_before_it) {
  const Evidence evidence = run("streams");
  ASSERT_EQ(evidence.launches.size(), 4U);
  std::vector<int> streams;
  for (int index = 0; index < 4; ++index) {
    const LaunchEvent& launch = evidence.launches[static_cast<std::size_t>(index)];
    EXPECT_EQ(launch.launch, static_cast<std::uint64_t>(index + 1));
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.config, gpu_case::config);
    EXPECT_EQ(launch.module, object_digest());
    EXPECT_THAT(launch.digests, ElementsAre(digest_after(index)));
    ASSERT_EQ(launch.places.size(), 1U);
    EXPECT_THAT(launch.places[0].shape, ElementsAre(gpu_case::step_elements));
    EXPECT_EQ(launch.digested, "at_launch");
    EXPECT_EQ(launch.device, "hip");
    EXPECT_EQ(launch.context, 1);
    EXPECT_TRUE(launch.ended);
    EXPECT_FALSE(launch.captured || launch.graph);
    EXPECT_EQ(launch.status, 0);
    EXPECT_GT(launch.cost_ns, 0);
    streams.push_back(launch.stream);
  }
  EXPECT_THAT(streams, ElementsAre(1, 2, 1, 0));
}

TEST_F(HipProbe, a_loaded_code_object_is_recorded) {
  const Evidence evidence = run("streams");
  ASSERT_EQ(evidence.modules.size(), 1U);
  EXPECT_EQ(evidence.modules[0].module, object_digest());
  EXPECT_EQ(evidence.modules[0].kind, "cubin");
  EXPECT_EQ(evidence.modules[0].size, object.size());
  EXPECT_EQ(evidence.modules[0].config, gpu_case::config);
  EXPECT_EQ(evidence.modules[0].code.size(), 64U);
  EXPECT_EQ(evidence.modules[0].status, 0);
}

TEST_F(HipProbe, a_code_object_that_is_loaded_by_its_path_is_recorded) {
  const std::string damaged = "\177ELF nonsense";
  ASSERT_TRUE(write_file(folder.path() / "damaged.hsaco", damaged));
  const Evidence evidence = run("load files");
  ASSERT_EQ(evidence.modules.size(), 3U);
  for (const ModuleEvent& module : evidence.modules)
    EXPECT_EQ(module.kind, "file");
  EXPECT_EQ(evidence.modules[0].module, object_digest());
  EXPECT_EQ(evidence.modules[0].config, gpu_case::config);
  EXPECT_EQ(evidence.modules[0].size, object.size());
  EXPECT_EQ(evidence.modules[1].module, artifact_digest(damaged));
  EXPECT_NE(evidence.modules[1].status, 0);
  EXPECT_EQ(evidence.modules[2].module, "");
  EXPECT_NE(evidence.modules[2].status, 0);
}

TEST_F(HipProbe, every_dtype_and_layout_is_digested) {
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

TEST_F(HipProbe, launches_with_events_and_through_found_functions_are_seen) {
  const Evidence evidence = run("other launches");
  ASSERT_EQ(evidence.launches.size(), 2U);
  for (int index = 0; index < 2; ++index) {
    const LaunchEvent& launch = evidence.launches[static_cast<std::size_t>(index)];
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.stream, index + 1);
    EXPECT_THAT(launch.digests, ElementsAre(digest_after(index)));
  }
}

TEST_F(HipProbe, a_graph_is_recorded_when_captured_and_when_launched) {
  const Evidence evidence = run("graph");
  ASSERT_EQ(evidence.graph_launches.size(), 2U);
  EXPECT_EQ(evidence.graph_launches[0].kernels, 1);
  ASSERT_EQ(evidence.launches.size(), 3U);
  EXPECT_TRUE(evidence.launches[0].captured);
  EXPECT_THAT(evidence.launches[0].digests, IsEmpty());
  for (int index = 0; index < 2; ++index) {
    const LaunchEvent& launch = evidence.launches[static_cast<std::size_t>(index + 1)];
    EXPECT_FALSE(launch.captured);
    EXPECT_TRUE(launch.graph);
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.module, object_digest());
    EXPECT_THAT(launch.digests, ElementsAre(digest_after(index)));
  }
}

TEST_F(HipProbe, a_kernel_of_a_graph_that_is_changed_is_digested_as_it_is_now) {
  const Evidence evidence = run("changed graph");
  ASSERT_EQ(evidence.launches.size(), 3U);
  EXPECT_THAT(evidence.launches[1].digests, ElementsAre(digest_after(0)));
  EXPECT_THAT(evidence.launches[2].digests, ElementsAre(digest_after(0)));
  EXPECT_EQ(evidence.launches[2].kernel, "step");
}

TEST_F(HipProbe, inputs_that_are_restored_are_told_from_those_that_are_not) {
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

TEST_F(HipProbe, a_measured_launch_that_can_be_foreseen_is_digested_before_its_event) {
  const auto digested = [](const Evidence& evidence) {
    std::vector<std::string> when;
    for (const LaunchEvent& launch : evidence.launches)
      when.push_back(launch.digested);
    EXPECT_EQ(when.size(), 5U);
    when.resize(5);
    when.erase(when.begin());  // the first cannot be foreseen
    return when;
  };
  EXPECT_THAT(digested(run("timed")), Each("before_event"));
  EXPECT_THAT(digested(run("timed and disturbed")), Each("at_launch"));
}

// Its line was held back, so that writing it is not measured.
TEST_F(HipProbe, a_launch_in_a_measurement_is_recorded_though_the_process_ends) {
  const Evidence evidence = run("unfinished");
  ASSERT_EQ(evidence.launches.size(), 6U);
  EXPECT_EQ(evidence.launches.back().digested, "before_event");
}

TEST_F(HipProbe, a_launch_is_recorded_though_the_process_is_killed_after_it) {
  EXPECT_EQ(run("killed").launches.size(), 1U);
}

TEST_F(HipProbe, tensors_that_it_has_read_before_a_measurement_do_not_stay_in_the_cache) {
  EXPECT_THAT(run("cold").launches, SizeIs(5));
}

TEST_F(HipProbe, an_error_of_the_process_is_left_to_it) {
  EXPECT_THAT(run("own error").launches, SizeIs(1));
}

TEST_F(HipProbe, the_watch_file_says_which_plain_pointers_are_tensors) {
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
  EXPECT_THAT(evidence.launches[0].digests, ElementsAre(digest_after(0), "", ""));
}

// What such an answer allows to read may be something else.
TEST_F(HipProbe, memory_whose_beginning_the_runtime_does_not_say_is_not_read) {
  const fs::path watch_file = folder.path() / "watch.jsonl";
  ASSERT_TRUE(write_file(
      watch_file,
      std::string_view(
          R"({"kernel":"plain","tensors":[{"parameter":1,"dtype":"f32","shape":[1000],"strides":[1]},)"
          R"({"parameter":2,"dtype":"f32","shape":[4],"strides":[1]}]})"
          "\n")));
  const Evidence evidence =
      run("registered memory", {{"TUNECHECK_PROBE_WATCH_FILE", watch_file.string()}});
  ASSERT_EQ(evidence.launches.size(), 1U);
  EXPECT_THAT(evidence.launches[0].digests, ElementsAre(digest_after(0), ""));
}

// It is an exception in the library, and must not leave it.
TEST_F(HipProbe, a_damaged_watch_file_is_trouble_and_the_process_goes_on) {
  const fs::path watch_file = folder.path() / "watch.jsonl";
  ASSERT_TRUE(write_file(watch_file, std::string_view("nonsense\n")));
  const Evidence evidence = run_program({(program_folder() / "observe-hip-work").string(),
                                         TUNECHECK_HOST_HIP, "streams", folder.path().string()},
                                        {{"TUNECHECK_PROBE_WATCH_FILE", watch_file.string()}});
  EXPECT_EQ(evidence.launches.size(), 4U);
  ASSERT_EQ(evidence.troubles.size(), 1U);
  EXPECT_EQ(evidence.troubles[0].what, "the watch file has damaged lines");
}

TEST_F(HipProbe, only_kernels_of_interest_are_recorded) {
  EXPECT_THAT(run("streams", {{"TUNECHECK_PROBE_KERNEL", "other,look"}}).launches, IsEmpty());
  EXPECT_EQ(run("all tensors", {{"TUNECHECK_PROBE_KERNEL", "other,look"}}).launches.size(), 2U);
}

TEST_F(HipProbe, an_image_that_the_runtime_refuses_harms_nobody) {
  const Evidence evidence = run("damaged image");
  ASSERT_EQ(evidence.modules.size(), 2U);
  EXPECT_EQ(evidence.modules[1].module, "");
  EXPECT_NE(evidence.modules[1].status, 0);
}

TEST_F(HipProbe, a_launch_of_no_function_is_refused_as_without_the_probe) {
  EXPECT_THAT(run("no function").launches, IsEmpty());
}

TEST_F(HipProbe, a_program_that_was_linked_with_the_runtime_and_a_kernel_is_seen) {
  const Evidence evidence =
      run_program({(program_folder() / "observe-hip-linked").string(), folder.path().string(),
                   (program_folder() / "libobserve-hip-kernels.so").string()});
  ASSERT_EQ(evidence.launches.size(), 2U);
  ASSERT_EQ(evidence.modules.size(), 2U);
  EXPECT_EQ(evidence.launches[0].module, object_digest());
  EXPECT_EQ(evidence.modules[1].kind, "bundle");
  EXPECT_EQ(evidence.launches[1].module, evidence.modules[1].module);
  for (const LaunchEvent& launch : evidence.launches) {
    EXPECT_EQ(launch.kernel, "step");
    EXPECT_EQ(launch.config, gpu_case::config);
    EXPECT_EQ(launch.digests.size(), 1U);
  }
}

TEST_F(HipProbe, a_runtime_that_it_cannot_watch_is_said_in_one_line) {
  const Evidence evidence = run("streams", {}, TUNECHECK_POOR_HIP);
  EXPECT_THAT(evidence.launches, IsEmpty());
  ASSERT_EQ(evidence.troubles.size(), 1U);
  EXPECT_EQ(evidence.troubles[0].what,
            "the GPU probe sees nothing: HIP's runtime lacks hipMemcpyDtoHAsync");
}

TEST_F(HipProbe, a_runtime_is_known_by_its_own_name_or_its_files_or_as_the_user_named_it) {
  const std::string bytes = read_text_file(TUNECHECK_HOST_HIP).value();
  std::string nameless = bytes;
  const std::string name = "libamdhip64.so";
  const std::string other_name = "libnameless.so";
  ASSERT_EQ(name.size(), other_name.size());
  for (std::size_t at = 0; (at = nameless.find(name, at)) != nameless.npos;)
    nameless.replace(at, name.size(), other_name);
  const auto launches = [&](const char* file, const std::string& content, bool is_named) {
    const std::string library = (folder.path() / file).string();
    EXPECT_TRUE(write_file(library, content));
    return run("streams", {{"TUNECHECK_HIP", is_named ? library : ""}}, library).launches.size();
  };
  EXPECT_EQ(launches("libamdhip64.so.6", nameless, false), 4U);
  EXPECT_EQ(launches("runtime.so", bytes, false), 4U);
  EXPECT_EQ(launches("other.so", nameless, false), 0U);
  EXPECT_EQ(launches("other.so", nameless, true), 4U);
}

// AMD's own, which refuses what is loaded where it has no device.
TEST_F(HipProbe, the_runtime_of_this_machine_is_watched) {
  const fs::path runtime = test::find_hip();
  if (runtime.empty()) GTEST_SKIP() << "there is no HIP runtime";
  const Evidence evidence = run_program({(program_folder() / "observe-hip-work").string(),
                                         runtime.string(), "load", folder.path().string()});
  EXPECT_THAT(evidence.troubles, IsEmpty());
  ASSERT_EQ(evidence.modules.size(), 1U);
  EXPECT_NE(evidence.modules[0].status, 0);
}

TEST_F(HipProbe, without_a_file_nothing_is_recorded) {
  (void)run("streams", {{"TUNECHECK_PROBE_EVIDENCE", ""}});
  EXPECT_FALSE(fs::exists(evidence_file));
}

}  // namespace
}  // namespace tunecheck
