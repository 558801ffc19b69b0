// What the GPU probe knows of code that a process has loaded, with a driver that says nothing.
#include "observe/gpu/loaded_code.hpp"

#include <gtest/gtest.h>

namespace tunecheck::gpu {
namespace {

// As CUDA's before 12.3, which tells no names.
class SilentDriver : public Driver {
 public:
  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::cuda; }
  [[nodiscard]] Capture capture_of(Stream) const override { return Capture::no; }
  void exchange_capture_mode(int&) const override {}
  [[nodiscard]] std::string name_of(const void*, bool) const override { return ""; }
  [[nodiscard]] std::vector<Parameter> parameters_of(const void*, bool) const override {
    return {{0, sizeof(std::uint64_t)}};
  }
  [[nodiscard]] FunctionOwner owner_of(const void*) const override { return {}; }
  [[nodiscard]] std::vector<KernelNode> kernels_of(const void*) const override { return {}; }
  [[nodiscard]] Result<std::vector<std::string>> digests(ContextNumber, Stream,
                                                         const Tensors&) override {
    return std::vector<std::string>();
  }
  [[nodiscard]] Result<void> empty_cache(ContextNumber, Stream) override { return {}; }
};

class LoadedCodeTest : public testing::Test {
 protected:
  SilentDriver driver;
  LoadedCode code{driver};
  // Handles.
  char library = 0, kernel = 0, function = 0;
};

TEST_F(LoadedCodeTest, a_function_that_was_got_from_a_kernel_has_its_name_and_its_code) {
  code.add(&library, {"module", "block=64", "code", nullptr});
  code.add_function(&kernel, &library, true, "scale");
  code.add_function(&function, &kernel, false);
  EXPECT_EQ(code.name_of(&function), "scale");
  EXPECT_EQ(code.code_of(&function).config, "block=64");
  code.forget(&library);
  EXPECT_EQ(code.name_of(&function), "");
  EXPECT_EQ(code.code_of(&function).config, "");
}

TEST_F(LoadedCodeTest, a_name_that_the_process_said_holds) {
  code.add_function(&kernel, &library, true, "scale");
  code.add_function(&function, &kernel, false, "alias");
  EXPECT_EQ(code.name_of(&function), "alias");
}

TEST_F(LoadedCodeTest, a_watched_tensor_may_begin_behind_what_its_parameter_points_at) {
  std::uint64_t pointer = 4096;
  void* parameters[] = {&pointer};
  const Arguments arguments{parameters, nullptr};
  std::vector<WatchedParameter> watched(1);
  EXPECT_EQ(code.tensors_of(&kernel, arguments, &watched).front().first, 4096U);
  watched.front().offset = 16;
  EXPECT_EQ(code.tensors_of(&kernel, arguments, &watched).front().first, 4096U + 16 * 4);
  pointer = 0;
  EXPECT_EQ(code.tensors_of(&kernel, arguments, &watched).front().first, 0U);
}

}  // namespace
}  // namespace tunecheck::gpu
