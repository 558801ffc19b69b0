#pragma once
// Which devices there are, as far as somebody has told: tables that no device can ever match are a
// mistake that nothing else shows (aiter#4634: a whole file was for 80 compute units where the GPU
// has 304, and each call fell back in silence).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/device_kinds.hpp"

namespace tunecheck::table {

/// What an arch is of; none where no backend has such a one.
[[nodiscard]] std::optional<DeviceKind> device_kind_of(std::string_view arch);

/// "" where a device of this arch has so many multiprocessors (compute units), else what is wrong.
/// A part of a device that is divided counts as a device. AMD's RDNA may be counted in compute
/// units or in pairs of them, as HIP counts them.
[[nodiscard]] std::string why_no_device(std::string_view arch, std::int64_t multiprocessors);

/// The number in "NVIDIA H200, 132 multiprocessors, warps of 32".
[[nodiscard]] std::optional<std::int64_t> multiprocessors_in(std::string_view kind);

}  // namespace tunecheck::table
