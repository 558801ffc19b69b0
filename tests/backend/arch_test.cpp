#include "backend/cpu/arch.hpp"

#include <gmock/gmock.h>

#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

#if defined(__x86_64__)
TEST(Arch, the_default_is_a_level_that_other_machines_share) {
  EXPECT_EQ(resolve_cpu_arch("").value(), "x86-64-v2");
}

TEST(Arch, levels_rise_without_a_gap) {
  std::vector<std::string> expected = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
  const std::vector<std::string> archs = runnable_cpu_archs();
  expected.resize(archs.size() - 1);
  expected.emplace_back("native");
  EXPECT_EQ(archs, expected);
}

TEST(Arch, a_level_is_runnable_exactly_where_the_cpu_has_its_extensions) {
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                  __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
  EXPECT_EQ(resolve_cpu_arch("x86-64-v3").has_value(), v3);
  EXPECT_EQ(resolve_cpu_arch("x86-64-v4").has_value(), v4);
}

TEST(Arch, a_level_is_an_option_of_the_compiler) {
  EXPECT_THAT(cpu_arch_options("x86-64-v3").value(), ElementsAre("-march=x86-64-v3"));
}

TEST(Arch, code_for_another_level_differs) {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  CompileRequest request = request_for(kernel);
  const Artifact low = value_of(CpuBackend().compile(request));
  request.arch = "x86-64-v3";
  EXPECT_NE(value_of(CpuBackend().compile(request)).bytes, low.bytes);
}
#endif

TEST(Arch, native_says_what_this_cpu_is) {
  const std::string native = resolve_cpu_arch("native").value();
  EXPECT_THAT(native, StartsWith("native:"));
  EXPECT_GT(native.size(), std::string("native:").size() + 16);
  EXPECT_EQ(resolve_cpu_arch("native").value(), native);
}

TEST(Arch, a_resolved_arch_stays_as_it_is) {
  for (const std::string& arch : runnable_cpu_archs()) {
    const std::string resolved = resolve_cpu_arch(arch).value();
    EXPECT_EQ(resolve_cpu_arch(resolved).value(), resolved);
    EXPECT_TRUE(cpu_arch_options(resolved).has_value()) << resolved;
  }
}

TEST(Arch, a_kernel_compiled_for_native_can_be_loaded) {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  CompileRequest request = request_for(kernel);
  request.arch = value_of(CpuBackend().resolve_arch("native"));
  EXPECT_TRUE(CpuBackend().load(value_of(CpuBackend().compile(request))));
}

TEST(Arch, an_arch_that_does_not_exist_is_refused_with_those_that_do) {
  const auto arch = CpuBackend().resolve_arch("x86-64-v9");
  ASSERT_FALSE(arch);
  EXPECT_THAT(arch.error().text(), HasSubstr("x86-64-v9"));
  for (const std::string& runnable : runnable_cpu_archs())
    EXPECT_THAT(arch.error().text(), HasSubstr(runnable));
}

TEST(Arch, another_machines_native_is_refused) {
  const auto arch = resolve_cpu_arch("native:SomeoneElse-6-1:0123456789abcdef");
  ASSERT_FALSE(arch);
  EXPECT_THAT(arch.error().text(), HasSubstr("cannot run"));
  EXPECT_FALSE(cpu_arch_options("native:SomeoneElse-6-1:0123456789abcdef"));
}

TEST(Arch, an_arch_that_was_not_resolved_is_not_compiled_for) {
  EXPECT_FALSE(cpu_arch_options("native"));
  EXPECT_FALSE(cpu_arch_options(""));
}

}  // namespace
}  // namespace tunecheck
