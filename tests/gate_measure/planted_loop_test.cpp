// Kernels for GPUs with a loop in them: their sources, what NVRTC makes of those, and launches of
// one whose blocks are threads of this machine. No GPU is needed.
#include "gate/measure/planted_loop.hpp"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "backend/gpu/gpu_backend.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::gate {
namespace {

using testing::HasSubstr;

// Where in the source the loop came, by what stands before it.
std::string before_loop(const std::string& source, const std::string& entry) {
  const auto planted = with_planted_loop(source, entry, 700);
  if (!planted) return "nothing";
  EXPECT_THAT(*planted, HasSubstr("= 700ull"));
  const std::string first_line = "\n#line 1\n";
  const std::size_t begin = planted->find(first_line) + first_line.size();
  const std::size_t at = planted->find(" __shared__ unsigned int tunecheck_threads_done;");
  const std::size_t end = planted->find(';', planted->find("tunecheck_planted_loop(")) + 1;
  EXPECT_EQ(planted->substr(begin, at - begin) + planted->substr(end), source);
  EXPECT_EQ(planted->substr(at, end - at).find('\n'), std::string::npos);
  return planted->substr(begin, at - begin);
}

TEST(PlantedLoop, stands_at_the_begin_of_the_kernels_body_and_nowhere_else) {
  const std::string begin =
      "// scale(x) { }\n__device__ void scale_up(int) { scaled(3); }\n"
      "extern \"C\" __global__ void __launch_bounds__(BLOCK)\n    scale(T x, "
      "int (*f)(int)) {";
  EXPECT_EQ(before_loop(begin + "\n  x *= 2;\n}\nvoid scale(int) {}\n", "scale"), begin);
  EXPECT_EQ(before_loop("__global__ void scale(int);\n", "scale"), "nothing");
  EXPECT_EQ(before_loop("__global__ void other(int) {}\nvoid scale(int) {}\n", "scale"), "nothing");
  EXPECT_EQ(before_loop("__global__ void scale(int", "scale"), "nothing");
}

TEST(PlantedLoop, leaves_the_kernels_own_folder_as_it_is) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-planted").value();
  const KernelDefinition kernel = read_kernel(find_resources().kernels / "rmsnorm").value();
  const std::string before = read_text_file(kernel.gpu->source).value();
  const KernelDefinition planted = plant_loop(kernel, 5000, folder.path() / "looped").value();
  EXPECT_EQ(planted.folder, folder.path() / "looped");
  EXPECT_THAT(read_text_file(planted.gpu->source).value(), HasSubstr("= 5000ull"));
  EXPECT_EQ(read_text_file(kernel.gpu->source).value(), before);
  KernelDefinition without = kernel;
  without.gpu.reset();
  EXPECT_EQ(plant_loop(without, 1, folder.path() / "none").error().text(),
            "the kernel \"rmsnorm\" has no source for GPUs");
}

// What CUDA gives a kernel, for one that is compiled for this machine: a block is a thread, and has
// one of the device's threads. All blocks run at once, as those of a small launch do.
constexpr std::string_view cuda_on_threads = R"(
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>
#define __device__
#define __global__
#define __shared__ thread_local
struct Index { unsigned x = 0, y = 0, z = 0; };
thread_local Index threadIdx, blockIdx;
Index blockDim{1, 1, 1}, gridDim{1, 1, 1};
unsigned long long device_ns() {
  return (unsigned long long)std::chrono::steady_clock::now().time_since_epoch().count();
}
void __syncthreads() {}
unsigned atomicAdd(unsigned* at, unsigned more) { return std::atomic_ref(*at).fetch_add(more); }
unsigned atomicInc(unsigned* at, unsigned most) {
  unsigned old = std::atomic_ref(*at).load();
  while (!std::atomic_ref(*at).compare_exchange_weak(old, old >= most ? 0 : old + 1)) {
  }
  return old;
}
)";
// The last block finds in a cache what the others wait for.
constexpr std::string_view kernel_with_a_fast_last_block = R"(
extern "C" __global__ void waits(int launch) {
  const bool is_last = blockIdx.x + 1 == gridDim.x;
  std::this_thread::sleep_for(std::chrono::milliseconds(is_last ? 1 : 200));
  if (launch == 1 && is_last) return;
}
)";
constexpr std::string_view three_launches = R"(
int main() {
  gridDim.x = 8;
  for (int launch = 0; launch < 3; ++launch) {
    const auto begun = device_ns();
    std::vector<std::thread> blocks;
    for (unsigned i = 0; i < gridDim.x; ++i)
      blocks.emplace_back([=] { blockIdx.x = i; waits(launch); });
    for (std::thread& block : blocks) block.join();
    std::printf("%llu\n", (device_ns() - begun) / 1000000);
  }
}
)";

// The least of three launches, in ms.
int launch_on_threads(std::int64_t loop_ns) {
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-planted").value();
  std::string source =
      with_planted_loop(std::string(kernel_with_a_fast_last_block), "waits", loop_ns).value();
  const std::string clock = "asm volatile(\"mov.u64 %0, %%clock64;\" : \"=l\"(now));";
  const std::size_t at = source.find(clock);
  if (at == source.npos) return -1;
  source.replace(at, clock.size(), "now = device_ns();");
  source = std::string(cuda_on_threads) + source + std::string(three_launches);
  const std::string program = (folder.path() / "program").string();
  EXPECT_TRUE(write_file(program + ".cpp", std::string_view(source)));
  CommandOptions command;
  command.arguments = {"c++", "-std=c++20", "-pthread", program + ".cpp", "-o", program};
  const auto compiled = run_command(command);
  EXPECT_TRUE(compiled && compiled->end.success()) << (compiled ? compiled->output : "");
  command.arguments = {program};
  const auto ran = run_command(command);
  if (!ran || !ran->end.success()) return -1;
  std::istringstream lines(ran->output);
  int least_ms = 0, count = 0;
  for (int ms = 0; lines >> ms; ++count)
    least_ms = count == 0 ? ms : std::min(least_ms, ms);
  EXPECT_EQ(count, 3) << ran->output;
  return least_ms;
}

// On an H100 launches with a loop in the last block's first line took no longer.
TEST(PlantedLoop, begins_when_nothing_is_left_that_could_hide_it) {
  const int without_ms = launch_on_threads(0);
  const int with_ms = launch_on_threads(100'000'000);
  EXPECT_GE(without_ms, 200);
  EXPECT_GE(with_ms, 300);
}

TEST(PlantedLoop, has_as_many_cycles_as_a_long_one_says_that_it_needs) {
  // 100,000 cycles of 0.6 ns; a tenth of 6 us is 600 ns.
  EXPECT_EQ(loop_cycles_for(6'000, 66'000, 0.1).value(), 1'000);
  EXPECT_EQ(loop_cycles_for(6'000, 66'000, 0.03).value(), 300);
  // The loop is hidden, or something else took that long.
  EXPECT_THAT(loop_cycles_for(6'000, 6'100, 0.1).error().text(),
              HasSubstr("a launch of 6000 ns take 6100 ns; expected 20000 to 500000 ns more"));
  EXPECT_FALSE(loop_cycles_for(6'000, 900'000, 0.1));
  EXPECT_FALSE(loop_cycles_for(66'000, 6'000, 0.1));
}

TEST(PlantedLoop, has_no_effect_unless_launches_are_about_as_much_slower_as_it_says) {
  const std::vector<double> without = {5'000, 5'010, 9'000};
  const auto why = [&](std::vector<double> with) { return why_no_effect(without, with, 0.1); };
  EXPECT_EQ(why({5'500, 5'510, 5'520}), "");
  EXPECT_EQ(why({5'270, 5'280, 5'280}), "");
  EXPECT_EQ(why({5'040, 5'010, 9'900}),
            "a launch with a loop of 10.0 % of its time takes 0.6 % longer than one with a loop of "
            "0");
  EXPECT_NE(why({5'800, 5'900, 5'990}), "");
}

// Each kernel of tunecheck's own can have one, and the compiler keeps it.
TEST(PlantedLoop, of_every_kernel_is_compiled_by_nvrtc) {
  if (const auto state = examine_gpu_compiler(DeviceKind::cuda); !state.missing.empty())
    GTEST_SKIP() << state.missing;
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-planted").value();
  const GpuBackend backend(DeviceKind::cuda);
  std::size_t compiled = 0;
  const auto kernels = read_kernels({find_resources().kernels}).value();
  for (const auto& [name, kernel] : kernels) {
    if (!kernel.gpu) continue;
    const KernelDefinition planted = plant_loop(kernel, 12345, folder.path() / name).value();
    const Sizes& sizes = kernel.sizes.at("smoke");
    const auto ptx = [&, &kernel_name = name](const KernelDefinition& of) {
      // PTX, which is a text: the device's own code would say nothing to a reader.
      const CompileRequest request{&of, of.variant(0), of.default_for(sizes).value(), "compute_80",
                                   {},  sizes};
      const auto artifact = backend.compile(request);
      EXPECT_TRUE(artifact) << kernel_name << artifact.error().text();
      return artifact ? std::string(reinterpret_cast<const char*>(artifact->bytes.data()),
                                    artifact->bytes.size())
                      : "";
    };
    EXPECT_THAT(ptx(planted), HasSubstr("%clock64")) << name;
    EXPECT_THAT(ptx(planted), HasSubstr("12345")) << name;
    EXPECT_THAT(ptx(kernel), testing::Not(HasSubstr("%clock64"))) << name;
    ++compiled;
  }
  EXPECT_GT(compiled, 10U);
}

}  // namespace
}  // namespace tunecheck::gate
