#pragma once
// What may slow a GPU down at the moment.
#include <string>

#include "backend/gpu/driver/device.hpp"

namespace tunecheck::gpu {

/// "SM clock 1980 MHz, memory clock 3201 MHz, 41 C, not throttled", by NVIDIA's management library
/// (libnvidia-ml.so.1), which is opened when it is asked for; "" where there is none.
[[nodiscard]] std::string device_state(const GpuDevice& device);

/// Opens the library, which may take some tenths of a second: for another thread, before somebody
/// waits.
void prepare_device_state(const GpuDevice& device);

}  // namespace tunecheck::gpu
