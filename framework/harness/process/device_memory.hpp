#pragma once
// Memory of this machine's GPUs, as the system says: seen from outside of the tuner.
#include <cstdint>

#include "core/device_kinds.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// Bytes that all processes together use of all devices of a kind of GPU. The error
/// says what is missing.
[[nodiscard]] Result<std::int64_t> device_memory_in_use(DeviceKind backend);

}  // namespace tunecheck
