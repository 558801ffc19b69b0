#pragma once
// The kinds of device that a tuner may run on. They are words in files, in messages and on the
// command line alone: whoever reads one parses it here, and whoever writes one asks for its name.
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

enum class DeviceKind {
  cpu,
  sim,   ///< the simulated device, which runs in a process on the CPU
  cuda,  ///< NVIDIA's GPUs
  hip,   ///< AMD's GPUs
};

/// In the order of DeviceKind.
inline constexpr std::array<std::string_view, 4> device_kind_names = {"cpu", "sim", "cuda", "hip"};

inline constexpr std::array<DeviceKind, 4> all_device_kinds = {DeviceKind::cpu, DeviceKind::sim,
                                                               DeviceKind::cuda, DeviceKind::hip};
/// Those that a machine may have, which a run, a proof or the gate may be asked for. Scenarios
/// choose the simulated device themselves: no other kernel can run on it.
inline constexpr std::array<DeviceKind, 3> real_device_kinds = {DeviceKind::cpu, DeviceKind::cuda,
                                                                DeviceKind::hip};
inline constexpr std::array<DeviceKind, 2> gpu_kinds = {DeviceKind::cuda, DeviceKind::hip};

[[nodiscard]] constexpr std::string_view name_of(DeviceKind kind) {
  return device_kind_names.at(static_cast<std::size_t>(kind));
}

[[nodiscard]] constexpr bool is_gpu(DeviceKind kind) {
  return kind == DeviceKind::cuda || kind == DeviceKind::hip;
}

/// Their names, in their order.
[[nodiscard]] std::vector<std::string> names_of(std::span<const DeviceKind> kinds);

/// The kind of that name; for any that is not `among` them, an error that lists these.
[[nodiscard]] Result<DeviceKind> parse_device_kind(
    std::string_view name, std::span<const DeviceKind> among = all_device_kinds);

}  // namespace tunecheck
