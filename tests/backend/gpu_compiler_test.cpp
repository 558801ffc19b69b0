// GPU sources through NVRTC and HIPRTC, where they are; no GPU is needed.
#include "backend/gpu/gpu_compiler.hpp"

#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>

#include "backend/gpu/gpu_artifact.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"

namespace tunecheck::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Target {
  DeviceKind backend;
  const char* arch;
};

void PrintTo(const Target& target, std::ostream* out) {
  *out << name_of(target.backend);
}

// A kernel with nothing but a gpu source, y = BLOCK * y in Y_TYPE, or one of the test's own.
class GpuKernel {
 public:
  explicit GpuKernel(const std::string& statement = "y(i) *= BLOCK;")
      : m_folder(*TemporaryFolder::create("tunecheck-test-gpu")) {
    kernel.name = "scale";
    kernel.folder = m_folder.path();
    kernel.tensors.emplace_back().name = "y";
    kernel.gpu = GpuSource{m_folder.path() / "gpu.cu", {"1"}, {"block"}, "", 1};
    const std::string source =
        "#include <tunecheck/gpu_kernel.h>\n#include \"own.h\"\n"
        "extern \"C\" __global__ void __launch_bounds__(BLOCK) scale(tunecheck::Tensor<Y_TYPE> y) "
        "{\n  const int64_t i = tunecheck::global_index();\n  if (i < y.size(0)) {\n    " +
        statement + "\n  }\n}\n";
    if (!write_file(kernel.gpu->source, source) || !write_file(m_folder.path() / "own.h", "\n"))
      throw std::runtime_error("cannot write");
  }

  CompileRequest request(const std::string& arch, std::int64_t block = 64,
                         DType dtype = DType::f32) const {
    return {&kernel, {dtype}, {{"block", block}}, arch, {}};
  }

  KernelDefinition kernel;

 private:
  TemporaryFolder m_folder;
};

class GpuCompiler : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    const GpuCompilerState state = examine_gpu_compiler(GetParam().backend);
    if (!state.missing.empty()) GTEST_SKIP() << state.missing;
  }
  static std::vector<Result<Artifact>> compile(std::vector<CompileRequest> requests, int jobs = 2) {
    return compile_gpu_all(GetParam().backend, requests, jobs);
  }
};

TEST_P(GpuCompiler, every_dtype_compiles_with_the_config) {
  const GpuKernel scale;
  std::vector<CompileRequest> requests;
  for (const DType dtype : all_dtypes)
    requests.push_back(scale.request(GetParam().arch, 128, dtype));
  for (const auto& artifact : compile(requests)) {
    ASSERT_TRUE(artifact) << artifact.error().text();
    EXPECT_GT(artifact->bytes.size(), 500U);
  }
}

TEST_P(GpuCompiler, another_config_is_another_artifact) {
  const GpuKernel scale;
  const auto artifacts =
      compile({scale.request(GetParam().arch, 64), scale.request(GetParam().arch, 128)});
  ASSERT_TRUE(artifacts[0] && artifacts[1]);
  EXPECT_NE(artifacts[0]->bytes, artifacts[1]->bytes);
}

TEST_P(GpuCompiler, helpers_of_the_header_compile) {
  const GpuKernel reduce(
      "y(i) = tunecheck::block_reduce<BLOCK>(static_cast<float>(y(i)), tunecheck::Sum()) + "
      "tunecheck::block_reduce<BLOCK>(1.0f, tunecheck::Maximum()) + tunecheck::global_size();");
  const auto artifacts = compile({reduce.request(GetParam().arch)});
  EXPECT_TRUE(artifacts[0]) << artifacts[0].error().text();
}

TEST_P(GpuCompiler, the_error_is_the_compilers_first_complaint_and_the_others_go_on) {
  const GpuKernel good, bad("y(i) = nothing_like_it;");
  const auto artifacts = compile({bad.request(GetParam().arch), good.request(GetParam().arch)}, 1);
  ASSERT_FALSE(artifacts[0]);
  EXPECT_THAT(artifacts[0].error().message, HasSubstr("nothing_like_it"));
  EXPECT_TRUE(artifacts[1]) << artifacts[1].error().text();
}

TEST_P(GpuCompiler, an_arch_that_it_does_not_know_fails_and_the_others_go_on) {
  const GpuKernel scale;
  for (const int jobs : {1, 3}) {
    const auto artifacts = compile(
        {scale.request(GetParam().arch, 128), scale.request("gfx1"), scale.request(GetParam().arch),
         scale.request("gfx1", 128), scale.request(GetParam().arch, 256)},
        jobs);
    for (const std::size_t unknown : {1U, 3U})
      EXPECT_FALSE(artifacts[unknown]) << jobs;
    for (const std::size_t known : {0U, 2U, 4U})
      EXPECT_TRUE(artifacts[known]) << jobs << artifacts[known].error().text();
    EXPECT_NE(artifacts[0]->bytes, artifacts[2]->bytes);
  }
}

// An instruction that PTX has for sm_90a and for no other arch.
TEST_P(GpuCompiler, a_kernel_that_asks_for_it_gets_the_features_of_the_very_arch) {
  GpuKernel fence(
      "\n#ifdef __CUDA_ARCH_FEAT_SM90_ALL\nasm volatile(\"wgmma.fence.sync.aligned;\");\n"
      "#elif defined(MUST_HAVE_THEM)\n#error there are none\n#endif\ny(i) += 1;");
  auto request = fence.request(GetParam().arch);
  request.options = {"-DMUST_HAVE_THEM"};
  const bool has_them = GetParam().arch == std::string("sm_90");
  const auto without = compile({request});
  ASSERT_FALSE(without[0]);
  EXPECT_THAT(without[0].error().message, HasSubstr("there are none"));
  fence.kernel.gpu->arch_features = true;
  EXPECT_EQ(compile({request})[0].has_value(), has_them);
  EXPECT_EQ(GpuBackend(GetParam().backend).arch_for(fence.kernel, GetParam().arch),
            has_them ? "sm_90a" : GetParam().arch);
  EXPECT_TRUE(compile({fence.request(GetParam().arch)})[0]);  // the other way
}

TEST_P(GpuCompiler, requests_that_differ_in_sizes_alone_share_their_code_and_not_their_launch) {
  GpuKernel scale;
  scale.kernel.gpu->grid = {"ceil_div(n,block)"};
  std::vector<CompileRequest> requests;
  for (const std::int64_t block : {64, 128})
    for (const std::int64_t n : {128, 1024}) {
      requests.push_back(scale.request(GetParam().arch, block));
      requests.back().sizes = {{"n", n}};
    }
  const auto artifacts = GpuBackend(GetParam().backend).compile_all(requests, 1);
  ASSERT_EQ(artifacts.size(), 4U);
  std::vector<gpu::GpuArtifact> read;
  for (const auto& artifact : artifacts)
    read.push_back(gpu::unpack(artifact.value()).value());
  const auto is_same_code = [&](std::size_t a, std::size_t b) {
    return std::equal(read[a].code.begin(), read[a].code.end(), read[b].code.begin(),
                      read[b].code.end());
  };
  EXPECT_TRUE(is_same_code(0, 1));
  EXPECT_TRUE(is_same_code(2, 3));
  EXPECT_FALSE(is_same_code(0, 2));
  const std::vector<std::int64_t> blocks = {2, 16, 1, 8};
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].shape.grid[0], blocks[i]) << i;
    EXPECT_EQ(read[i].shape.threads[0], i < 2 ? 64 : 128) << i;
  }
}

// Also where the compiler's process ends with the request, as HIPRTC 5.2 does for an arch that it
// does not know.
TEST_P(GpuCompiler, each_request_is_told_of_once_with_what_is_returned) {
  const GpuKernel scale;
  const bool is_hip = GetParam().backend == DeviceKind::hip;
  const std::vector<CompileRequest> requests = {scale.request(GetParam().arch, 64),
                                                scale.request(is_hip ? "gfx999" : "sm_1", 64),
                                                scale.request(GetParam().arch, 128)};
  std::vector<int> times(requests.size());
  std::vector<bool> worked(requests.size());
  const auto artifacts = compile_gpu_all(GetParam().backend, requests, 2,
                                         [&](std::size_t at, const Result<Artifact>& artifact) {
                                           ++times.at(at);
                                           worked.at(at) = artifact.has_value();
                                         });
  EXPECT_EQ(times, std::vector<int>({1, 1, 1}));
  EXPECT_EQ(worked, std::vector<bool>({true, false, true}));
  for (std::size_t i = 0; i < artifacts.size(); ++i)
    EXPECT_EQ(artifacts[i].has_value(), worked[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(Each, GpuCompiler,
                         testing::Values(Target{DeviceKind::cuda, "sm_80"},
                                         Target{DeviceKind::cuda, "sm_90"},
                                         Target{DeviceKind::hip, "gfx90a"}),
                         [](const auto& tested) {
                           return std::string(name_of(tested.param.backend)) + "_" +
                                  tested.param.arch;
                         });

TEST(GpuCompilerState, says_what_is_missing_and_how_to_get_it) {
  ::setenv("TUNECHECK_NVRTC", "/nowhere/libnvrtc.so", 1);
  const GpuCompilerState state = examine_gpu_compiler(DeviceKind::cuda);
  const GpuKernel scale;
  const std::vector<CompileRequest> requests = {scale.request("sm_90")};
  const auto artifacts = compile_gpu_all(DeviceKind::cuda, requests, 1);
  ::unsetenv("TUNECHECK_NVRTC");
  EXPECT_EQ(state.version, "");
  EXPECT_THAT(state.missing, StartsWith("there is no NVRTC"));
  EXPECT_THAT(state.missing, HasSubstr("set TUNECHECK_NVRTC"));
  ASSERT_FALSE(artifacts[0]);
  EXPECT_THAT(artifacts[0].error().message, StartsWith("there is no NVRTC"));
}

TEST(GpuCompilerState, names_the_gpus_for_a_device_that_is_none) {
  EXPECT_THAT(examine_gpu_compiler(DeviceKind::cpu).missing,
              HasSubstr("unknown backend \"cpu\". Expected one of: cuda, hip"));
}

}  // namespace
}  // namespace tunecheck::test
