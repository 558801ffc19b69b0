// Kernels for GPUs with a loop in them: their sources, and what NVRTC makes of those. No GPU is
// needed. On an H100 a launch with one took no longer: docs/gate-measurements.md.
#include "gate/measure/planted_loop.hpp"

#include <gmock/gmock.h>

#include "backend/gpu/gpu_backend.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::gate {
namespace {

using testing::HasSubstr;

// Where in the source the loop came, by what stands before it.
std::string before_loop(const std::string& source, const std::string& entry) {
  const auto planted = with_planted_loop(source, entry, 700);
  if (!planted) return "nothing";
  const std::size_t at = planted->find(" if (blockIdx.x + 1 == gridDim.x");
  EXPECT_EQ(planted->substr(0, at) + planted->substr(planted->size() - (source.size() - at)),
            source);
  EXPECT_THAT(*planted, HasSubstr("< 700ull"));
  return planted->substr(0, at);
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
  EXPECT_THAT(read_text_file(planted.gpu->source).value(), HasSubstr("< 5000ull"));
  EXPECT_EQ(read_text_file(kernel.gpu->source).value(), before);
  KernelDefinition without = kernel;
  without.gpu.reset();
  EXPECT_EQ(plant_loop(without, 1, folder.path() / "none").error().text(),
            "the kernel \"rmsnorm\" has no source for GPUs");
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
    const auto ptx = [&](const KernelDefinition& of) {
      // PTX, which is a text: the device's own code would say nothing to a reader.
      const CompileRequest request{&of, of.variant(0), of.default_for(sizes).value(), "compute_80",
                                   {},  sizes};
      const auto artifact = backend.compile(request);
      EXPECT_TRUE(artifact) << name << artifact.error().text();
      return artifact ? std::string(reinterpret_cast<const char*>(artifact->bytes.data()),
                                    artifact->bytes.size())
                      : "";
    };
    EXPECT_THAT(ptx(planted), HasSubstr("%globaltimer")) << name;
    EXPECT_THAT(ptx(planted), HasSubstr("12345")) << name;
    EXPECT_THAT(ptx(kernel), testing::Not(HasSubstr("%globaltimer"))) << name;
    ++compiled;
  }
  EXPECT_GT(compiled, 10U);
}

}  // namespace
}  // namespace tunecheck::gate
