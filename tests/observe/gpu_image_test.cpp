// What the GPU probe reads out of images; no GPU is needed.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "observe/gpu/image.hpp"
#include "runtime_libraries.hpp"

namespace tunecheck::gpu {
namespace {

namespace fs = std::filesystem;

void run(const std::vector<std::string>& arguments) {
  CommandOptions options;
  options.arguments = arguments;
  const auto result = run_command(options);
  ASSERT_TRUE(result && result->end.success()) << (result ? result->output : "");
}

class GpuImage : public testing::Test {
 protected:
  [[nodiscard]] fs::path put(const std::string& name, const std::string& content) const {
    EXPECT_TRUE(write_file(folder.path() / name, content));
    return folder.path() / name;
  }
  TemporaryFolder folder = TemporaryFolder::create("tunecheck-gpu-image").value();
};

TEST_F(GpuImage, an_elf_file_ends_with_what_lies_last) {
  const fs::path source = put("code.cpp", "char zeros[100000];\nint main() { return zeros[5]; }\n");
  const fs::path object = folder.path() / "code.o";
  const fs::path program = folder.path() / "code";
  run({"c++", "-c", source, "-o", object});
  run({"c++", source, "-o", program});
  for (const fs::path& file : {object, program}) {
    std::string bytes = read_text_file(file).value();
    const std::size_t size = bytes.size();
    bytes += "what follows";
    const Image image = examine_image(bytes.data());
    EXPECT_EQ(image.kind, "cubin");
    EXPECT_EQ(image.bytes.size(), size) << file;
    EXPECT_EQ(config_in(image), "");
  }
}

TEST_F(GpuImage, the_config_is_read_out_of_an_elf_file) {
  const fs::path source =
      put("code.cpp",
          "char other[] = \"no\";\n"
          "extern \"C\" { char tunecheck_config[] = \"block=64,vec=4\"; char more[] = \"no\"; }\n");
  const fs::path object = folder.path() / "code.o";
  const fs::path library = folder.path() / "code.so";
  run({"c++", "-c", source, "-o", object});
  run({"c++", "-shared", "-fPIC", source, "-o", library});
  for (const fs::path& file : {object, library}) {
    const std::string bytes = read_text_file(file).value();
    EXPECT_EQ(config_in(examine_image(bytes.data())), "block=64,vec=4") << file;
  }
}

TEST_F(GpuImage, a_cubin_of_nvrtc_has_its_size_and_its_config) {
  const fs::path nvrtc = test::find_nvrtc();
  if (nvrtc.empty()) GTEST_SKIP() << "there is no NVRTC";
  const fs::path source =
      put("scale.cu",
          "#include <tunecheck/gpu_kernel.h>\n"
          "extern \"C\" __global__ void scale(tunecheck::Tensor<float> y) { y(0) *= 2; }\n");
  ::setenv("LD_LIBRARY_PATH", nvrtc.parent_path().c_str(), 1);
  for (const char* const arch : {"sm_80", "sm_90", "sm_100"})
    for (const std::string config : {"", "block=64,vec=4"}) {
      std::vector<std::string> command = {
          (program_folder() / "observe-runtime-compile-helper").string(),
          nvrtc,
          "nvrtc",
          source,
          "scale.cu",
          "-",
          std::string("--gpu-architecture=") + arch,
          "-I" + find_resources().gpu_include.string()};
      if (!config.empty()) command.push_back("-DTUNECHECK_CONFIG=\"" + config + "\"");
      run(command);
      const auto bytes = read_text_file(source.string() + ".CUBIN");
      ASSERT_TRUE(bytes);
      const Image image = examine_image(bytes->data());
      EXPECT_EQ(image.kind, "cubin");
      EXPECT_EQ(image.bytes.size(), bytes->size()) << arch;
      EXPECT_EQ(config_in(image), config) << arch;
      fs::remove(source.string() + ".CUBIN");
    }
  ::unsetenv("LD_LIBRARY_PATH");
}

TEST_F(GpuImage, a_code_object_of_hiprtc_has_its_config) {
  const fs::path hiprtc = test::find_hiprtc();
  if (hiprtc.empty()) GTEST_SKIP() << "there is no HIPRTC";
  const fs::path source =
      put("scale.hip",
          "#include <tunecheck/gpu_kernel.h>\n"
          "extern \"C\" __global__ void scale(tunecheck::Tensor<float> y) { y(0) *= 2; }\n");
  run({(program_folder() / "observe-runtime-compile-helper").string(), hiprtc, "hiprtc", source,
       "scale.hip", "-", "--offload-arch=gfx90a", "-I" + find_resources().gpu_include.string(),
       "-DTUNECHECK_CONFIG=\"block=64,vec=4\""});
  const auto bytes = read_text_file(source.string() + ".Code");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(examine_image(bytes->data()).bytes.size(), bytes->size());
  EXPECT_EQ(config_in(examine_image(bytes->data())), "block=64,vec=4");
}

TEST_F(GpuImage, a_fatbin_says_its_size_and_its_wrapper_leads_to_it) {
  struct {
    std::uint32_t magic = 0xba55ed50;
    std::uint16_t version = 1;
    std::uint16_t header_size = 16;
    std::uint64_t data_size = 1000;
  } fatbin;
  const Image image = examine_image(&fatbin);
  EXPECT_EQ(image.kind, "fatbin");
  EXPECT_EQ(image.bytes.size(), 1016U);
  struct {
    std::uint32_t magic = 0x466243b1;
    std::uint32_t version = 1;
    const void* data = nullptr;
    const void* name = nullptr;
  } wrapper;
  wrapper.data = &fatbin;
  EXPECT_EQ(examine_image(&wrapper).bytes.data(), image.bytes.data());
}

TEST_F(GpuImage, ptx_ends_with_its_zero_byte) {
  for (const char* const text : {"// comment\n.version 9.0\n", "\n  .version 9.0\n"}) {
    EXPECT_EQ(examine_image(text).kind, "ptx");
    EXPECT_EQ(examine_image(text).bytes.size(), std::strlen(text));
  }
}

TEST_F(GpuImage, anything_else_has_no_end) {
  EXPECT_EQ(examine_image(nullptr).kind, "");
  EXPECT_EQ(examine_image("something else").kind, "");
  EXPECT_TRUE(examine_image("something else").bytes.empty());
}

// The device code that is built into the probe is that of its source.
TEST_F(GpuImage, the_committed_digest_kernel_is_up_to_date) {
  const fs::path nvrtc = test::find_nvrtc();
  if (nvrtc.empty()) GTEST_SKIP() << "there is no NVRTC";
  const fs::path framework = find_resources().kernels.parent_path() / "framework";
  const fs::path gpu = framework / "observe" / "gpu";
  const fs::path source = put("digest_kernel.cu", read_text_file(gpu / "digest_kernel.cu").value());
  ::setenv("LD_LIBRARY_PATH", nvrtc.parent_path().c_str(), 1);
  run({(program_folder() / "observe-runtime-compile-helper").string(), nvrtc, "nvrtc", source,
       "digest_kernel.cu", "-", "--gpu-architecture=compute_75", "--std=c++17",
       "--include-path=" + framework.string()});
  ::unsetenv("LD_LIBRARY_PATH");
  std::string made = read_text_file(source.string() + ".PTX").value();
  made.resize(made.find('\0'));
  const std::string committed = read_text_file(gpu / "digest_kernel.ptx").value();
  if (made.find("release 13.0") == made.npos) GTEST_SKIP() << "NVRTC is not that of CUDA 13.0";
  EXPECT_EQ(made, committed);
}

}  // namespace
}  // namespace tunecheck::gpu
