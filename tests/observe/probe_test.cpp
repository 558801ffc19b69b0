#include <csignal>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/tensor_view.hpp"
#include "observe/evidence.hpp"
#include "observe/tools.hpp"
#include "probe_case.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Probe : public testing::Test {
 protected:
  // Compiles a kernel as the CPU backend does, with the config as macros.
  [[nodiscard]] fs::path kernel(const std::string& name, const std::string& body,
                                const std::string& config = "",
                                const std::string& before = "") const {
    const fs::path source = folder.path() / (name + ".cpp");
    const fs::path artifact = folder.path() / (name + ".so");
    const std::string text =
        "#include <tunecheck/cpu_kernel.h>\n"
        "using F = tunecheck::Tensor<float>;\n" +
        before + "int " + name + "(F plain, F, F, F, F, F, float step) {" + body +
        "  plain(0, 0) += step; return 0; }\n"
        "TUNECHECK_KERNEL(" +
        name + ")\n";
    EXPECT_TRUE(write_file(source, text).has_value());
    CommandOptions options;
    options.arguments = {"c++",           "-std=c++17", "-O1",
                         "-shared",       "-fPIC",      "-I" + find_resources().include.string(),
                         source.string(), "-o",         artifact.string()};
    if (!config.empty()) options.arguments.push_back("-DTUNECHECK_CONFIG=" + config);
    const auto result = run_command(options);
    EXPECT_TRUE(result && result->end.success()) << (result ? result->output : "");
    return artifact;
  }

  [[nodiscard]] ProcessEnd run(const std::vector<std::string>& arguments,
                               const Environment& more = {}) const {
    CommandOptions options;
    options.arguments = {(program_folder() / "observe-launch-helper").string()};
    options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
    options.environment = current_environment();
    (*options.environment)["LD_PRELOAD"] = find_launch_probe().value().string();
    (*options.environment)["TUNECHECK_PROBE_EVIDENCE"] = evidence_file.string();
    (*options.environment)["TUNECHECK_PROBE_WATCH"] = "yes";
    for (const auto& [name, value] : more)
      (*options.environment)[name] = value;
    const auto result = run_command(options);
    EXPECT_TRUE(result.has_value());
    return result ? result->end : ProcessEnd{};
  }

  [[nodiscard]] std::vector<LaunchEvent> recorded() const {
    std::uint64_t from = 0;
    const auto evidence = read_evidence(evidence_file, from);
    EXPECT_TRUE(evidence.has_value()) << evidence.error().text();
    return evidence ? evidence->launches : std::vector<LaunchEvent>();
  }

  [[nodiscard]] static std::string digest_of(const fs::path& file) {
    return artifact_digest(read_binary_file(file).value());
  }

  // What the tensors' digests are after so many launches.
  [[nodiscard]] static std::vector<std::string> expected_digests(int launches) {
    std::vector<std::string> digests;
    for (const probe_case::Tensor& tensor : probe_case::tensors) {
      std::vector<float> values = probe_case::values();
      if (digests.empty()) values[0] += probe_case::step * static_cast<float>(launches);
      const auto rank = static_cast<std::size_t>(tensor.rank);
      digests.push_back(
          digest_elements({reinterpret_cast<std::byte*>(values.data() + tensor.first), DType::f32,
                           Layout::strided(std::span(tensor.shape).first(rank),
                                           std::span(tensor.strides).first(rank))}));
    }
    return digests;
  }

  TemporaryFolder folder = TemporaryFolder::create("tunecheck-probe").value();
  fs::path evidence_file = folder.path() / "evidence.jsonl";
};

TEST_F(Probe, each_launch_is_recorded_with_its_tensors_as_they_were_before_it) {
  const fs::path artifact = kernel("scale", "", "block=64,vec=4");
  EXPECT_EQ(run({"twice", artifact}).exit_status, 0);
  const auto launches = recorded();
  ASSERT_EQ(launches.size(), 2u);
  for (int index = 0; index < 2; ++index) {
    const LaunchEvent& launch = launches[static_cast<std::size_t>(index)];
    EXPECT_EQ(launch.launch, static_cast<std::uint64_t>(index + 1));
    EXPECT_EQ(launch.kernel, "scale");
    EXPECT_EQ(launch.config, "block=64,vec=4");
    EXPECT_EQ(launch.module, digest_of(artifact));
    EXPECT_EQ(launch.digests, expected_digests(index));
    EXPECT_EQ(launch.stored, "");
    EXPECT_TRUE(launch.ended);
    EXPECT_EQ(launch.status, 0);
    EXPECT_GT(launch.time_ns, 0);
    EXPECT_GT(launch.cost_ns, 0);
    EXPECT_GT(launch.elapsed_ns, 0);
  }
  EXPECT_NE(launches[0].digests[0], launches[1].digests[0]);
}

TEST_F(Probe, each_launch_is_recorded_with_where_its_tensors_lie) {
  EXPECT_EQ(run({"once", kernel("scale", "")}).exit_status, 0);
  const auto launches = recorded();
  ASSERT_EQ(launches.size(), 1u);
  const std::vector<TensorPlace>& places = launches[0].places;
  ASSERT_EQ(places.size(), probe_case::tensors.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const probe_case::Tensor& tensor = probe_case::tensors[i];
    const auto rank = static_cast<std::ptrdiff_t>(tensor.rank);
    using Numbers = std::vector<std::int64_t>;
    EXPECT_EQ(places[i].shape, Numbers(tensor.shape.begin(), tensor.shape.begin() + rank));
    EXPECT_EQ(places[i].strides, Numbers(tensor.strides.begin(), tensor.strides.begin() + rank));
    // Each lies in memory of its own, which is aligned to 16 bytes.
    EXPECT_EQ(places[i].address_mod_64 % 16, tensor.first * 4 % 16);
    EXPECT_LT(places[i].address_mod_64, 64);
  }
}

TEST_F(Probe, digests_and_places_are_left_out_where_nothing_is_to_be_watched) {
  EXPECT_EQ(run({"once", kernel("scale", "")}, {{"TUNECHECK_PROBE_WATCH", "no"}}).exit_status, 0);
  ASSERT_EQ(recorded().size(), 1u);
  EXPECT_TRUE(recorded()[0].digests.empty());
  EXPECT_TRUE(recorded()[0].places.empty());
  EXPECT_EQ(recorded()[0].config, "");
}

TEST_F(Probe, the_kernels_status_is_recorded) {
  EXPECT_EQ(run({"once", kernel("refuse", "return tunecheck::launch_out_of_resources - 700;")})
                .exit_status,
            1);
  EXPECT_EQ(recorded().at(0).status, 1);
}

TEST_F(Probe, a_kernel_that_crashes_has_begun_and_not_ended) {
  EXPECT_EQ(run({"once", kernel("crash", "__builtin_trap();")}).signal, SIGILL);
  ASSERT_EQ(recorded().size(), 1u);
  EXPECT_FALSE(recorded()[0].ended);
  EXPECT_EQ(recorded()[0].digests, expected_digests(0));
}

TEST_F(Probe, the_watched_folder_is_listed_at_each_launch) {
  const fs::path cache = folder.path() / "cache";
  fs::create_directories(cache);
  ASSERT_TRUE(write_file(cache / "entry", std::string_view("content")).has_value());
  const std::string before = listing_digest(cache);
  const fs::path artifact = kernel("store", "creat(\"" + (cache / "late").string() + "\", 0600);",
                                   "", "extern \"C\" int creat(const char*, unsigned);\n");
  EXPECT_EQ(run({"twice", artifact}, {{"TUNECHECK_PROBE_FOLDER", cache}}).exit_status, 0);
  ASSERT_EQ(recorded().size(), 2u);
  EXPECT_EQ(recorded()[0].stored, before);
  EXPECT_EQ(recorded()[1].stored, listing_digest(cache));
  EXPECT_NE(recorded()[1].stored, before);
}

TEST_F(Probe, a_forked_child_has_its_own_number_and_counts_anew) {
  EXPECT_EQ(run({"fork", kernel("scale", "")}).exit_status, 0);
  const auto launches = recorded();
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[1].pid, launches[0].pid);
  EXPECT_EQ(launches[1].launch, 2u);
  EXPECT_NE(launches[2].pid, launches[0].pid);
  EXPECT_EQ(launches[2].launch, 1u);
  for (const LaunchEvent& launch : launches)
    EXPECT_TRUE(launch.ended);
}

TEST_F(Probe, threads_launch_at_once) {
  EXPECT_EQ(run({"threads", kernel("scale", "")}).exit_status, 0);
  const auto launches = recorded();
  ASSERT_EQ(launches.size(), 200u);
  std::set<std::uint64_t> numbers;
  for (const LaunchEvent& launch : launches) {
    EXPECT_TRUE(launch.ended);
    numbers.insert(launch.launch);
  }
  EXPECT_EQ(numbers.size(), 200u);
  EXPECT_EQ(*numbers.rbegin(), 200u);
}

TEST_F(Probe, an_artifact_loaded_from_memory_is_known_by_its_content) {
  const fs::path artifact = kernel("scale", "");
  EXPECT_EQ(run({"memory", artifact}).exit_status, 0);
  EXPECT_EQ(recorded().at(0).module, digest_of(artifact));
}

TEST_F(Probe, another_artifact_at_the_same_address_is_told_apart) {
  const fs::path first = kernel("scale", "");
  const fs::path second = kernel("raise", "");
  EXPECT_EQ(run({"reloaded", first, second}).exit_status, 0);
  ASSERT_EQ(recorded().size(), 2u);
  EXPECT_EQ(recorded()[0].module, digest_of(first));
  EXPECT_EQ(recorded()[1].module, digest_of(second));
}

TEST_F(Probe, an_artifact_whose_file_is_gone_or_another_has_no_digest) {
  const fs::path second = kernel("raise", "");
  const fs::path first = kernel("scale", "");
  EXPECT_EQ(run({"replaced", first, second}).exit_status, 0);
  EXPECT_EQ(run({"closed memory", first}).exit_status, 0);
  ASSERT_EQ(recorded().size(), 2u);
  EXPECT_EQ(recorded()[0].module, "");
  EXPECT_EQ(recorded()[1].module, "");
}

TEST_F(Probe, a_process_that_clears_its_environment_or_descriptors_is_still_watched) {
  const fs::path artifact = kernel("scale", "");
  EXPECT_EQ(run({"cleared environment", artifact}).exit_status, 0);
  EXPECT_EQ(run({"closed descriptors", artifact}).exit_status, 0);
  EXPECT_EQ(recorded().size(), 3u);
}

// The probe holds a descriptor while the kernel runs, which is not the process's.
TEST_F(Probe, a_kernel_that_closes_every_descriptor_is_recorded_and_keeps_its_own) {
  const fs::path own = folder.path() / "own";
  const fs::path artifact = kernel(
      "closes",
      "if (opened) { for (int d = 3; d < 64; ++d) if (fcntl(d, F_GETFD) < 0) return 1; }"
      "else { for (int d = 3; d < 64; ++d) close(d);"
      "  for (int d = 3; d < 64; ++d) open(\"" +
          own.string() + "\", O_CREAT | O_RDWR, 0644); }" + "opened = true; errno = 42;",
      "", "#include <cerrno>\n#include <fcntl.h>\n#include <unistd.h>\nbool opened = false;\n");
  EXPECT_EQ(run({"twice", artifact}).exit_status, 0);
  EXPECT_EQ(read_text_file(own).value(), "");
  ASSERT_EQ(recorded().size(), 2u);
  EXPECT_TRUE(recorded()[0].ended);
  EXPECT_TRUE(recorded()[1].ended);
}

TEST_F(Probe, without_preloading_or_without_a_file_nothing_is_recorded) {
  const fs::path artifact = kernel("scale", "");
  EXPECT_EQ(run({"once", artifact}, {{"LD_PRELOAD", ""}}).exit_status, 0);
  EXPECT_EQ(run({"once", artifact}, {{"TUNECHECK_PROBE_EVIDENCE", ""}}).exit_status, 0);
  EXPECT_FALSE(fs::exists(evidence_file));
}

TEST_F(Probe, a_file_that_cannot_be_written_does_not_harm_the_process) {
  EXPECT_EQ(run({"twice", kernel("scale", "")},
                {{"TUNECHECK_PROBE_EVIDENCE", "/nonexistent/evidence.jsonl"}})
                .exit_status,
            0);
}

TEST_F(Probe, exports_nothing_but_its_two_hooks) {
  CommandOptions options;
  options.arguments = {"nm", "-D", "--defined-only", "-j", find_launch_probe().value()};
  const auto result = run_command(options);
  ASSERT_TRUE(result && result->end.success());
  EXPECT_EQ(result->output, "tunecheck_probe_begin\ntunecheck_probe_end\n");
}

}  // namespace
}  // namespace tunecheck
