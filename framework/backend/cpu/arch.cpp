#include "backend/cpu/arch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>

#include <fmt/ranges.h>

#include "core/digest.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>

#include "core/files.hpp"
#endif

namespace tunecheck {
namespace {

// What "native" is, in full, and the levels this CPU reaches, lowest first.
struct Cpu {
  std::string native;
  std::vector<std::string> levels;
};

#if defined(__x86_64__)

constexpr std::array<std::string_view, 3> all_levels = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};

struct Registers {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

// All zero for a leaf that this CPU lacks.
Registers read_cpuid(std::uint32_t leaf, std::uint32_t subleaf) {
  Registers r;
  if (__get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d) == 0) return {};
  return r;
}

// Register states that the operating system saves; without them the instructions fault.
std::uint64_t saved_states() {
  constexpr std::uint32_t operating_system_uses_xsave = 1U << 27;
  if ((read_cpuid(1, 0).c & operating_system_uses_xsave) == 0) return 0;
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

// The extensions that compilers generate code for. Bits that come and go with microcode or kernel
// options (transactions, speculation controls) are left out: they would forget winners for nothing.
struct Extension {
  std::string_view name;
  std::uint32_t leaf, subleaf;
  std::uint32_t Registers::*where;
  int bit;
  std::uint64_t states = 0;
};
constexpr std::uint64_t avx_states = 0x06, avx512_states = 0xe6, amx_states = 0x60000;
constexpr std::uint32_t extended = 0x80000001;
constexpr Extension extensions[] = {
    {"sse3", 1, 0, &Registers::c, 0},
    {"pclmul", 1, 0, &Registers::c, 1},
    {"ssse3", 1, 0, &Registers::c, 9},
    {"fma", 1, 0, &Registers::c, 12, avx_states},
    {"cx16", 1, 0, &Registers::c, 13},
    {"sse4.1", 1, 0, &Registers::c, 19},
    {"sse4.2", 1, 0, &Registers::c, 20},
    {"movbe", 1, 0, &Registers::c, 22},
    {"popcnt", 1, 0, &Registers::c, 23},
    {"aes", 1, 0, &Registers::c, 25},
    {"xsave", 1, 0, &Registers::c, 26},
    {"avx", 1, 0, &Registers::c, 28, avx_states},
    {"f16c", 1, 0, &Registers::c, 29, avx_states},
    {"bmi", 7, 0, &Registers::b, 3},
    {"avx2", 7, 0, &Registers::b, 5, avx_states},
    {"bmi2", 7, 0, &Registers::b, 8},
    {"avx512f", 7, 0, &Registers::b, 16, avx512_states},
    {"avx512dq", 7, 0, &Registers::b, 17, avx512_states},
    {"adx", 7, 0, &Registers::b, 19},
    {"avx512ifma", 7, 0, &Registers::b, 21, avx512_states},
    {"avx512cd", 7, 0, &Registers::b, 28, avx512_states},
    {"sha", 7, 0, &Registers::b, 29},
    {"avx512bw", 7, 0, &Registers::b, 30, avx512_states},
    {"avx512vl", 7, 0, &Registers::b, 31, avx512_states},
    {"avx512vbmi", 7, 0, &Registers::c, 1, avx512_states},
    {"avx512vbmi2", 7, 0, &Registers::c, 6, avx512_states},
    {"gfni", 7, 0, &Registers::c, 8},
    {"vaes", 7, 0, &Registers::c, 9, avx_states},
    {"vpclmulqdq", 7, 0, &Registers::c, 10, avx_states},
    {"avx512vnni", 7, 0, &Registers::c, 11, avx512_states},
    {"avx512bitalg", 7, 0, &Registers::c, 12, avx512_states},
    {"avx512vpopcntdq", 7, 0, &Registers::c, 14, avx512_states},
    {"avx512vp2intersect", 7, 0, &Registers::d, 8, avx512_states},
    {"amx-bf16", 7, 0, &Registers::d, 22, amx_states},
    {"avx512fp16", 7, 0, &Registers::d, 23, avx512_states},
    {"amx-tile", 7, 0, &Registers::d, 24, amx_states},
    {"amx-int8", 7, 0, &Registers::d, 25, amx_states},
    {"avxvnni", 7, 1, &Registers::a, 4, avx_states},
    {"avx512bf16", 7, 1, &Registers::a, 5, avx512_states},
    {"amx-fp16", 7, 1, &Registers::a, 21, amx_states},
    {"avxifma", 7, 1, &Registers::a, 23, avx_states},
    {"avxvnniint8", 7, 1, &Registers::d, 4, avx_states},
    {"avxneconvert", 7, 1, &Registers::d, 5, avx_states},
    {"lahf", extended, 0, &Registers::c, 0},
    {"lzcnt", extended, 0, &Registers::c, 5},
    {"sse4a", extended, 0, &Registers::c, 6},
    {"xop", extended, 0, &Registers::c, 11, avx_states},
    {"fma4", extended, 0, &Registers::c, 16, avx_states},
    {"tbm", extended, 0, &Registers::c, 21},
};

// What each level adds to the one below; the x86-64 psABI.
constexpr std::array<std::string_view, 7> level_2 = {"cx16",   "lahf",   "popcnt", "sse3",
                                                     "sse4.1", "sse4.2", "ssse3"};
constexpr std::array<std::string_view, 9> level_3 = {"avx", "avx2",  "bmi",   "bmi2", "f16c",
                                                     "fma", "lzcnt", "movbe", "xsave"};
constexpr std::array<std::string_view, 5> level_4 = {"avx512f", "avx512bw", "avx512cd", "avx512dq",
                                                     "avx512vl"};

Cpu inspect_cpu() {
  const std::uint64_t states = saved_states();
  std::set<std::string_view> present;
  std::string list;
  for (const Extension& extension : extensions) {
    const Registers registers = read_cpuid(extension.leaf, extension.subleaf);
    if ((registers.*extension.where >> extension.bit & 1U) == 0) continue;
    if ((states & extension.states) != extension.states) continue;
    present.insert(extension.name);
    list.append(extension.name).append(" ");
  }
  const Registers vendor = read_cpuid(0, 0);
  std::array<char, 12> name{};
  std::memcpy(name.data(), &vendor.b, 4);
  std::memcpy(name.data() + 4, &vendor.d, 4);
  std::memcpy(name.data() + 8, &vendor.c, 4);
  const std::uint32_t version = read_cpuid(1, 0).a;
  const std::uint32_t base_family = version >> 8 & 0xf;
  const std::uint32_t family = base_family + (base_family == 15 ? version >> 20 & 0xff : 0);
  const std::uint32_t model =
      (version >> 4 & 0xf) + (base_family == 6 || base_family == 15 ? version >> 12 & 0xf0 : 0);
  Cpu cpu;
  cpu.native = fmt::format("native:{}-{}-{}:{}", std::string_view(name.data(), name.size()), family,
                           model, key_digest(list).substr(0, 16));
  const auto has_all = [&](const auto& names) {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view extension) { return present.contains(extension); });
  };
  const bool reaches[] = {has_all(level_2), has_all(level_3), has_all(level_4)};
  for (std::size_t i = 0; i < all_levels.size() && reaches[i]; ++i)
    cpu.levels.emplace_back(all_levels[i]);
  return cpu;
}

#else

constexpr std::array<std::string_view, 0> all_levels = {};

Cpu inspect_cpu() {
  std::string list, model = "unknown";
#if defined(__linux__)
  list = fmt::format("{:x} {:x}", ::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2));
  if (const auto text = read_text_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"))
    model = text->substr(0, text->find('\n'));
#endif
  return {fmt::format("native:{}:{}", model, key_digest(list).substr(0, 16)), {}};
}

#endif

const Cpu& this_cpu() {
  static const Cpu cpu = inspect_cpu();
  return cpu;
}

std::vector<std::string> native_options() {
#if defined(__x86_64__)
  return {"-march=native"};
#else
  return {"-mcpu=native"};
#endif
}

bool is_level(std::string_view arch) {
  return std::find(all_levels.begin(), all_levels.end(), arch) != all_levels.end();
}

}  // namespace

std::vector<std::string> runnable_cpu_archs() {
  std::vector<std::string> archs = this_cpu().levels;
  archs.emplace_back("native");
  return archs;
}

Result<std::string> resolve_cpu_arch(std::string_view requested) {
  const Cpu& cpu = this_cpu();
  if (requested.empty()) requested = all_levels.empty() ? std::string_view("native") : "x86-64-v2";
  if (requested == "native" || requested == cpu.native) return cpu.native;
  if (std::find(cpu.levels.begin(), cpu.levels.end(), requested) != cpu.levels.end())
    return std::string(requested);
  return failure(ErrorKind::bad_input, "{} \"{}\"; expected one of: {}",
                 requested.starts_with("native:") || is_level(requested)
                     ? "this CPU cannot run the arch"
                     : "there is no arch",
                 requested, fmt::join(runnable_cpu_archs(), ", "));
}

Result<std::vector<std::string>> cpu_arch_options(std::string_view resolved) {
  if (resolved == this_cpu().native) return native_options();
  if (is_level(resolved)) return std::vector<std::string>{"-march=" + std::string(resolved)};
  return failure(ErrorKind::bad_input,
                 "\"{}\" is not an arch to compile for on this CPU; expected one of: {}", resolved,
                 fmt::join(runnable_cpu_archs(), ", "));
}

}  // namespace tunecheck
