#include "table/known_devices.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/ranges.h>

#include "core/text.hpp"

namespace tunecheck::table {
namespace {

struct Known {
  std::string_view arch;
  std::vector<std::int64_t> counts;
};

// From the vendors' data sheets: MI300X and MI325X have 304 (divided 152, 76, 38), MI300A 228,
// MI308X 80 (40, 20), MI350X and MI355X 256 (128, 64, 32), MI350P 128. RDNA by compute units and by
// pairs.
const std::vector<Known>& known_devices() {
  static const std::vector<Known> all = {
      {"gfx906", {60, 64}},
      {"gfx908", {120}},
      {"gfx90a", {104, 110}},
      {"gfx942", {304, 228, 152, 80, 76, 40, 38, 20}},
      {"gfx950", {256, 128, 64, 32}},
      {"gfx1030", {80, 72, 60, 40, 36, 30}},
      {"gfx1100", {96, 84, 70, 48, 42, 35}},
      {"gfx1101", {60, 54, 48, 30, 27, 24}},
      {"gfx1102", {32, 28, 16, 14}},
      {"gfx1151", {40, 32, 20, 16}},
      {"gfx1200", {32, 28, 16, 14}},
      {"gfx1201", {64, 56, 48, 32, 28, 24}},
      {"sm_70", {84, 80}},
      {"sm_75", {72, 68, 48, 46, 40, 36, 34, 30}},
      {"sm_80", {128, 124, 108, 104, 98, 84, 56, 42, 28, 14}},
      {"sm_86", {84, 82, 80, 72, 70, 68, 60, 48, 46, 38, 28, 26}},
      {"sm_89", {144, 142, 128, 114, 112, 100, 80, 76, 66, 60, 58, 56, 48, 46, 36, 34, 24}},
      {"sm_90", {144, 132, 114, 78, 60, 46, 32, 26, 16}},
      {"sm_100", {160, 152, 148, 144, 142, 132, 72, 70, 34, 32, 18}},
      {"sm_120", {188, 170, 144, 110, 84, 82, 70, 60, 50, 48, 36, 30}},
  };
  return all;
}

// sm_90a is sm_90 with its own features; gfx942:sramecc+ is a gfx942.
std::string_view base_arch(std::string_view arch) {
  arch = arch.substr(0, arch.find(':'));
  if (arch.starts_with("sm_"))
    while (!arch.empty() && (arch.back() == 'a' || arch.back() == 'f'))
      arch.remove_suffix(1);
  return arch;
}

}  // namespace

std::optional<DeviceKind> device_kind_of(std::string_view arch) {
  if (arch.starts_with("sm_") || arch.starts_with("compute_")) return DeviceKind::cuda;
  if (arch.starts_with("gfx")) return DeviceKind::hip;
  constexpr std::array<std::string_view, 4> levels = {"x86-64-v1", "x86-64-v2", "x86-64-v3",
                                                      "x86-64-v4"};
  if (std::find(levels.begin(), levels.end(), arch) != levels.end() || arch.starts_with("native"))
    return DeviceKind::cpu;
  return std::nullopt;
}

std::string why_no_device(std::string_view arch, std::int64_t multiprocessors) {
  const auto& all = known_devices();
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Known& each) { return each.arch == base_arch(arch); });
  if (known == all.end()) {
    if (device_kind_of(arch) && multiprocessors > 0) return {};
    return fmt::format("there is no arch \"{}\"", arch);
  }
  const auto& counts = known->counts;
  if (std::find(counts.begin(), counts.end(), multiprocessors) != counts.end()) return {};
  return fmt::format("no {} has {} multiprocessors; there are those with {}", known->arch,
                     multiprocessors, fmt::join(counts, ", "));
}

std::optional<std::int64_t> multiprocessors_in(std::string_view kind) {
  const std::size_t end = kind.find(" multiprocessors");
  if (end == kind.npos) return std::nullopt;
  const std::size_t blank = kind.rfind(' ', end - 1);
  const std::size_t begin = end == 0 || blank == kind.npos ? 0 : blank + 1;
  return parse_integer(std::string(kind.substr(begin, end - begin)));
}

}  // namespace tunecheck::table
