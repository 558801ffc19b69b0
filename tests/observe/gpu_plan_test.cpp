// How the GPU probe decides and what it reads, without a GPU.
#include <cstring>
#include <dlfcn.h>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/element_mix.h"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/tensor_view.hpp"
#include "observe/evidence.hpp"
#include "observe/gpu/cupti_library.hpp"
#include "observe/gpu/digest_plan.hpp"
#include "observe/gpu/effect.hpp"
#include "observe/gpu/settings.hpp"
#include "observe/gpu/tensor_argument.hpp"
#include "observe/gpu/watch_file.hpp"
#include "observe/tools.hpp"

namespace tunecheck::gpu {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Layout layout(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  return Layout::strided(shape, strides);
}

const StreamKey stream{1, 7};
const StreamKey other_stream{1, 8};
const Tensors tensors = {{0x1000, DType::f32, layout({4}, {1})}};
const Tensors other_tensors = {{0x2000, DType::f32, layout({4}, {1})}};

// As the probe does: true where digests are taken before the event.
bool event(DigestPlan& plan, const StreamKey& on) {
  if (plan.before_event(on) == nullptr) return false;
  plan.keep(on, {{"digest"}, "stored", 5});
  return true;
}

TEST(DigestPlan, the_first_launch_cannot_be_foreseen) {
  DigestPlan plan;
  EXPECT_FALSE(event(plan, stream));
  EXPECT_FALSE(plan.at_launch(stream, tensors));
}

TEST(DigestPlan, a_measured_launch_that_repeats_is_digested_before_its_event) {
  DigestPlan plan;
  EXPECT_FALSE(event(plan, stream));
  EXPECT_FALSE(plan.at_launch(stream, tensors));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(event(plan, stream)) << "the end of a measurement";
    plan.other_work();  // restoring
    EXPECT_TRUE(event(plan, stream)) << "its beginning";
    const auto taken = plan.at_launch(stream, tensors);
    ASSERT_TRUE(taken);
    EXPECT_THAT(taken->digests, ElementsAre("digest"));
    EXPECT_EQ(taken->stored, "stored");
    EXPECT_EQ(taken->cost_ns, 5);
  }
}

TEST(DigestPlan, an_event_after_waiting_begins_a_measurement) {
  DigestPlan plan;
  (void)plan.at_launch(stream, tensors);  // to warm up
  plan.waited();
  EXPECT_TRUE(event(plan, stream));
  EXPECT_TRUE(plan.at_launch(stream, tensors));
  EXPECT_FALSE(event(plan, stream));
}

class ForeseenLaunch : public testing::Test {
 protected:
  ForeseenLaunch() {
    (void)plan.at_launch(other_stream, tensors);
    (void)plan.at_launch(stream, tensors);
    EXPECT_FALSE(event(plan, stream));
    EXPECT_TRUE(event(plan, stream));
  }
  DigestPlan plan;
};

TEST_F(ForeseenLaunch, is_used_once) {
  EXPECT_TRUE(plan.at_launch(stream, tensors));
  EXPECT_FALSE(plan.at_launch(stream, tensors));
}

TEST_F(ForeseenLaunch, is_not_used_after_other_work) {
  plan.other_work();
  EXPECT_FALSE(plan.at_launch(stream, tensors));
}

TEST_F(ForeseenLaunch, is_not_used_with_other_tensors) {
  EXPECT_FALSE(plan.at_launch(stream, other_tensors));
}

TEST_F(ForeseenLaunch, is_not_used_on_another_stream) {
  EXPECT_FALSE(plan.at_launch(other_stream, tensors));
  EXPECT_FALSE(plan.at_launch(stream, tensors)) << "the other launch may have changed them";
}

TEST_F(ForeseenLaunch, is_not_used_after_another_event) {
  EXPECT_FALSE(event(plan, other_stream));
  EXPECT_FALSE(plan.at_launch(stream, tensors));
}

TEST_F(ForeseenLaunch, is_taken_anew_before_each_event) {
  EXPECT_TRUE(event(plan, stream));
  EXPECT_TRUE(plan.at_launch(stream, tensors));
}

TEST_F(ForeseenLaunch, is_forgotten_with_its_stream) {
  EXPECT_TRUE(plan.at_launch(stream, tensors));
  plan.forget(stream);
  EXPECT_FALSE(event(plan, stream));
  EXPECT_FALSE(event(plan, stream));
}

TEST(Effect, is_judged_by_the_name_of_a_call) {
  for (const char* const name : {"cuCtxGetCurrent", "cuCtxSetCurrent", "cuEventElapsedTime_v2",
                                 "cuPointerGetAttributes", "cuStreamIsCapturing_ptsz"})
    EXPECT_EQ(effect_of(name), Effect::none) << name;
  for (const char* const name : {"cuStreamSynchronize_ptsz", "cuEventSynchronize"})
    EXPECT_EQ(effect_of(name), Effect::wait) << name;
  for (const char* const name :
       {"cuMemcpyAsync", "cuMemsetD8Async_ptsz", "cuMemcpyDtoH_v2", "cuMemAlloc_v2", "cuMemFree_v2",
        "cuStreamWaitEvent", "cuLaunchHostFunc", "cuNeverHeardOf", "cuCtxCreate_v4"})
    EXPECT_EQ(effect_of(name), Effect::any) << name;
}

struct TensorBytes {
  std::uint64_t first = 0x7000;
  std::int64_t shape[8] = {2, 3};
  std::int64_t strides[8] = {5, -1};
  std::int32_t dimensions = 2;
  std::int32_t dtype = static_cast<std::int32_t>(DType::i64);
};

TEST(TensorParameter, is_read_as_the_kernel_gets_it) {
  const TensorBytes bytes;
  const auto tensor = read_tensor(std::as_bytes(std::span(&bytes, 1)));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->first, 0x7000U);
  EXPECT_EQ(tensor->dtype, DType::i64);
  EXPECT_EQ(tensor->layout, layout({2, 3}, {5, -1}));
  const AddressRange range = address_range(*tensor);
  EXPECT_EQ(range.first, 0x7000U - 2 * 8);
  EXPECT_EQ(range.end, 0x7000U + 6 * 8);
  EXPECT_EQ(place_of(*tensor), (TensorPlace{0, {2, 3}, {5, -1}}));
  EXPECT_EQ(place_of({0x7044, DType::f32, {}}), (TensorPlace{4, {}, {}}));
}

TEST(TensorParameter, is_nothing_that_cannot_be_a_tensor) {
  const auto read = [](const TensorBytes& bytes) {
    return read_tensor(std::as_bytes(std::span(&bytes, 1))).has_value();
  };
  TensorBytes bytes;
  EXPECT_TRUE(read(bytes));
  EXPECT_FALSE(read_tensor(std::as_bytes(std::span(&bytes, 1)).first(136)));
  bytes.dimensions = 9;
  EXPECT_FALSE(read(bytes));
  bytes.dimensions = 2;
  bytes.dtype = 7;
  EXPECT_FALSE(read(bytes));
  bytes.dtype = 0;
  bytes.shape[1] = -1;
  EXPECT_FALSE(read(bytes));
}

// What the kernel in digest_kernel.cu computes.
std::string walk(const DigestArguments& arguments, const TensorArgument& tensor) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < arguments.count; ++i) {
    std::uint64_t index = i;
    std::int64_t offset = 0;
    for (std::size_t d = static_cast<std::size_t>(arguments.rank) - 1; d > 0; --d) {
      offset += static_cast<std::int64_t>(index % arguments.shape[d]) * arguments.strides[d];
      index /= arguments.shape[d];
    }
    offset += static_cast<std::int64_t>(index) * arguments.strides[0];
    std::uint64_t element = 0;
    const auto size = static_cast<std::size_t>(arguments.element_size);
    std::memcpy(&element,
                reinterpret_cast<const std::byte*>(arguments.first) +
                    offset * static_cast<std::int64_t>(size),
                size);
    sum += mix_element(element, i);
  }
  return format_digest(finish_digest(sum, arguments.count, static_cast<int>(tensor.dtype)));
}

TEST(DigestArguments, lead_to_the_same_elements_with_fewer_dimensions) {
  std::vector<std::byte> memory(4096);
  for (std::size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<std::byte>(i * 37 + i / 251);
  const struct {
    DType dtype;
    Layout layout;
    std::size_t first;
    int rank;  // of the arguments
  } cases[] = {
      {DType::f32, layout({4, 5, 6}, {30, 6, 1}), 0, 1},
      {DType::f32, layout({4, 5, 6}, {60, 6, 1}), 0, 2},
      {DType::f64, layout({30}, {-2}), 480, 1},
      {DType::f64, layout({5, 6}, {-6, -1}), 480, 1},
      {DType::f16, layout({7, 33}, {0, 1}), 6, 2},
      {DType::f16, layout({7, 33}, {0, 0}), 6, 1},
      {DType::bf16, layout({8, 9, 10}, {90, 1, 9}), 2, 3},
      {DType::i64, layout({}, {}), 16, 1},
      {DType::i32, layout({1, 1}, {9, 3}), 16, 1},
      {DType::i32, layout({2, 1, 3}, {3, 77, 1}), 16, 1},
      {DType::u8, layout({5, 0, 3}, {3, 3, 1}), 0, 2},
      {DType::u8, layout({2, 3, 1, 2, 3, 2, 2, 3}, {1100, 350, 9, 160, 50, 23, 11, 3}), 1, 7},
  };
  for (const auto& tested : cases) {
    const TensorView view{memory.data() + tested.first, tested.dtype, tested.layout};
    const TensorArgument tensor{reinterpret_cast<std::uint64_t>(view.data), tested.dtype,
                                tested.layout};
    const DigestArguments arguments = digest_arguments(tensor, 99);
    EXPECT_EQ(arguments.sum, 99U);
    EXPECT_EQ(arguments.rank, tested.rank);
    EXPECT_EQ(walk(arguments, tensor), digest_elements(view)) << &tested - cases;
  }
}

class Watched : public testing::Test {
 protected:
  void append(const std::string& line) const { std::ofstream(path, std::ios::app) << line << '\n'; }
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-watch").value();
  fs::path path = folder.path() / "watch.jsonl";
  const std::string line =
      R"({"kernel":"add","tensors":[{"parameter":2,"dtype":"bf16","shape":[3,4],"strides":[8,1]}]})";
};

TEST_F(Watched, a_kernels_tensors_are_found_by_its_name) {
  append(line);
  WatchFile file(path);
  const auto* const found = file.find("add");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->as, "add");
  ASSERT_EQ(found->tensors.size(), 1U);
  EXPECT_EQ(found->tensors.front().parameter, 2U);
  EXPECT_EQ(found->tensors.front().dtype, DType::bf16);
  EXPECT_EQ(found->tensors.front().layout, layout({3, 4}, {8, 1}));
  EXPECT_EQ(file.find("other"), nullptr);
}

TEST_F(Watched, a_kernel_may_be_recorded_under_another_name) {
  append(R"({"kernel":"made_up_0","as":"add","tensors":[]})");
  append(R"({"kernel":"made_up_1","as":7,"tensors":[]})");
  WatchFile file(path);
  ASSERT_NE(file.find("made_up_0"), nullptr);
  EXPECT_EQ(file.find("made_up_0")->as, "add");
  EXPECT_EQ(file.find("add"), nullptr);
  EXPECT_EQ(file.find("made_up_1"), nullptr);
  EXPECT_EQ(file.damaged_lines(), 1);
}

TEST_F(Watched, a_line_may_say_how_a_kernels_symbol_begins) {
  append(
      R"({"kernel":"add_*","as":"add","tensors":[{"parameter":0,"dtype":"f32","shape":[2],"strides":[1],"offset":16}]})");
  WatchFile file(path);
  EXPECT_EQ(file.find("add"), nullptr);
  ASSERT_NE(file.find("add_f32_17"), nullptr);
  EXPECT_EQ(file.find("add_f32_17")->as, "add");
  EXPECT_EQ(file.find("add_f32_17")->tensors.front().offset, 16);
  append(R"({"kernel":"add_f32_17","tensors":[]})");
  EXPECT_EQ(file.find("add_f32_17")->as, "add_f32_17");
  EXPECT_EQ(file.find("add_f32_18")->as, "add");
}

TEST_F(Watched, a_file_that_appears_or_changes_is_read_again_and_the_last_line_counts) {
  WatchFile file(path);
  EXPECT_EQ(file.find("add"), nullptr);
  append(line);
  EXPECT_EQ(file.find("add")->tensors.size(), 1U);
  append(R"({"kernel":"add","tensors":[]})");
  EXPECT_EQ(file.find("add")->tensors.size(), 0U);
}

TEST_F(Watched, a_damaged_line_is_counted_and_the_others_hold) {
  append("nonsense");
  append(R"({"kernel":"add","tensors":[{"parameter":0,"dtype":"f7","shape":[],"strides":[]}]})");
  append(R"({"kernel":"add","tensors":[{"parameter":0,"dtype":"f32","shape":[1],"strides":[]}]})");
  append(
      R"({"kernel":"add","tensors":[{"parameter":0,"dtype":"f32","shape":[-1],"strides":[1]}]})");
  append(line);
  WatchFile file(path);
  EXPECT_EQ(file.find("add")->tensors.size(), 1U);
  EXPECT_EQ(file.damaged_lines(), 4);
}

TEST_F(Watched, no_file_watches_nothing) {
  WatchFile file("");
  EXPECT_EQ(file.find("add"), nullptr);
}

TEST(GpuProbeSettings, come_from_the_environment) {
  ::unsetenv("TUNECHECK_PROBE_EVIDENCE");
  EXPECT_FALSE(read_settings());
  ::setenv("TUNECHECK_PROBE_EVIDENCE", "/run/evidence.jsonl", 1);
  ::setenv("TUNECHECK_PROBE_WATCH", "yes", 1);
  ::setenv("TUNECHECK_PROBE_KERNEL", "add,,scale", 1);
  const auto settings = read_settings();
  ::unsetenv("TUNECHECK_PROBE_KERNEL");
  const auto all = read_settings();
  ::unsetenv("TUNECHECK_PROBE_WATCH");
  ::unsetenv("TUNECHECK_PROBE_EVIDENCE");
  ASSERT_TRUE(settings && all);
  EXPECT_TRUE(settings->watch);
  EXPECT_TRUE(settings->is_of_interest("scale"));
  EXPECT_FALSE(settings->is_of_interest("other"));
  EXPECT_TRUE(all->is_of_interest("other"));
}

TEST(Cupti, is_looked_for_where_the_variable_says_or_beside_a_toolkit_or_in_wheels) {
  ::unsetenv("TUNECHECK_CUPTI");
  ::setenv("VIRTUAL_ENV", "/nowhere", 1);
  EXPECT_THAT(cupti_candidates(), Contains(fs::path("libcupti.so.13")));
  ::setenv("TUNECHECK_CUPTI", "/some/libcupti.so", 1);
  EXPECT_THAT(cupti_candidates(), ElementsAre(fs::path("/some/libcupti.so")));
  const auto opened = open_cupti();
  ::unsetenv("TUNECHECK_CUPTI");
  ::unsetenv("VIRTUAL_ENV");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("TUNECHECK_CUPTI"));
}

TEST(Cupti, is_found_in_the_active_environment) {
  const auto folder = TemporaryFolder::create("tunecheck-cupti").value();
  const fs::path package = folder.path() / "lib/python3.11/site-packages/nvidia/cu13/lib";
  ::setenv("VIRTUAL_ENV", folder.path().c_str(), 1);
  fs::create_directories(package);
  EXPECT_THAT(cupti_candidates(), Contains(package / "libcupti.so.13"));
  ::unsetenv("VIRTUAL_ENV");
}

// The adapter of a tuner that is a Python package has loaded libraries of other packages.
TEST(Cupti, is_found_beside_the_packages_that_the_process_has_loaded) {
  const auto folder = TemporaryFolder::create("tunecheck-cupti").value();
  const fs::path packages = folder.path() / "python" / "dist-packages";
  fs::create_directories(packages / "one");
  const fs::path library = packages / "one" / "libone.so";
  fs::copy_file(program_folder() / "libobserve-hip-kernels.so", library);
  EXPECT_THAT(cupti_candidates(), Not(Contains(packages / "nvidia/cu13/lib/libcupti.so.13")));
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  EXPECT_THAT(cupti_candidates(), Contains(packages / "nvidia/cu13/lib/libcupti.so.13"));
  ::dlclose(loaded);
}

class GpuProbeLibrary : public testing::Test {
 protected:
  void SetUp() override {
    const auto found = find_gpu_probe(DeviceKind::cuda);
    if (!found) GTEST_SKIP() << "the GPU probe is not built here";
    if (::dlopen("libcuda.so.1", RTLD_NOW) != nullptr) GTEST_SKIP() << "there is a CUDA driver";
    library = ::dlopen(found->c_str(), RTLD_NOW);
    ASSERT_NE(library, nullptr) << ::dlerror();
    start = reinterpret_cast<int (*)()>(::dlsym(library, "InitializeInjection"));
    ASSERT_NE(start, nullptr);
  }
  void* library = nullptr;
  int (*start)() = nullptr;
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-gpu-probe").value();
  fs::path evidence_file = folder.path() / "evidence.jsonl";
};

TEST_F(GpuProbeLibrary, says_why_it_sees_nothing) {
  ::setenv("TUNECHECK_PROBE_EVIDENCE", evidence_file.c_str(), 1);
  EXPECT_EQ(start(), 1) << "the process goes on";
  ::unsetenv("TUNECHECK_PROBE_EVIDENCE");
  std::uint64_t from = 0;
  const auto evidence = read_evidence(evidence_file, from);
  ASSERT_TRUE(evidence) << evidence.error().text();
  ASSERT_EQ(evidence->troubles.size(), 1U);
  EXPECT_THAT(evidence->troubles[0].what, HasSubstr("there is no CUDA driver"));
}

TEST_F(GpuProbeLibrary, is_inert_without_a_file) {
  EXPECT_EQ(start(), 1);
  EXPECT_FALSE(fs::exists(evidence_file));
}

}  // namespace
}  // namespace tunecheck::gpu
