#include "backend/cpu/arch.hpp"

#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "core/digest.hpp"
#include "core/text.hpp"
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

// What the kernel says of the first processor, by the names of its lines.
std::map<std::string, std::string> lines_of_cpuinfo() {
  std::map<std::string, std::string> lines;
  std::ifstream file("/proc/cpuinfo");  // which has no size
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    const std::string name = line.substr(0, line.find('\t'));
    lines[name] = colon + 2 < line.size() ? line.substr(colon + 2) : "";
  }
  return lines;
}

// Extensions by our name and by the kernel's, in the order in which they are digested.
const std::vector<std::pair<std::string, std::string>> known_extensions = {
    {"sse3", "pni"},
    {"pclmul", "pclmulqdq"},
    {"ssse3", "ssse3"},
    {"fma", "fma"},
    {"cx16", "cx16"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
    {"movbe", "movbe"},
    {"popcnt", "popcnt"},
    {"aes", "aes"},
    {"xsave", "xsave"},
    {"avx", "avx"},
    {"f16c", "f16c"},
    {"bmi", "bmi1"},
    {"avx2", "avx2"},
    {"bmi2", "bmi2"},
    {"avx512f", "avx512f"},
    {"avx512dq", "avx512dq"},
    {"adx", "adx"},
    {"avx512ifma", "avx512ifma"},
    {"avx512cd", "avx512cd"},
    {"sha", "sha_ni"},
    {"avx512bw", "avx512bw"},
    {"avx512vl", "avx512vl"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"gfni", "gfni"},
    {"vaes", "vaes"},
    {"vpclmulqdq", "vpclmulqdq"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avx512vp2intersect", "avx512_vp2intersect"},
    {"amx-bf16", "amx_bf16"},
    {"avx512fp16", "avx512_fp16"},
    {"amx-tile", "amx_tile"},
    {"amx-int8", "amx_int8"},
    {"avxvnni", "avx_vnni"},
    {"avx512bf16", "avx512_bf16"},
    {"amx-fp16", "amx_fp16"},
    {"avxifma", "avx_ifma"},
    {"avxvnniint8", "avx_vnni_int8"},
    {"avxneconvert", "avx_ne_convert"},
    {"lahf", "lahf_lm"},
    {"lzcnt", "abm"},
    {"sse4a", "sse4a"},
    {"xop", "xop"},
    {"fma4", "fma4"},
    {"tbm", "tbm"},
};

// A kernel that is older than the processor does not name all of it.
const std::set<std::string> perhaps_unknown_to_the_kernel = {"amx-fp16", "avxifma", "avxvnniint8",
                                                             "avxneconvert"};

TEST(Arch, native_is_what_the_kernel_says_of_this_cpu) {
  const auto lines = lines_of_cpuinfo();
  if (!lines.contains("flags")) GTEST_SKIP() << "/proc/cpuinfo names no extensions";
  const std::vector<std::string> words = split_words(lines.at("flags"));
  const std::set<std::string> flags(words.begin(), words.end());
  std::vector<std::string> possible = {""};
  for (const auto& [ours, kernels] : known_extensions) {
    const std::vector<std::string> before = possible;
    if (!flags.contains(kernels) && !perhaps_unknown_to_the_kernel.contains(ours)) continue;
    if (flags.contains(kernels)) possible.clear();
    for (const std::string& list : before)
      possible.push_back(list + ours + " ");
  }
  for (std::string& list : possible)
    list = fmt::format("native:{}-{}-{}:{}", lines.at("vendor_id"), lines.at("cpu family"),
                       lines.at("model"), key_digest(list).substr(0, 16));
  EXPECT_THAT(possible, Contains(resolve_cpu_arch("native").value()));
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
