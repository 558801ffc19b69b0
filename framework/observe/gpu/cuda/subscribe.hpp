#pragma once
// How an observer hears of the driver's calls.
#include "core/result.hpp"
#include "observe/gpu/cuda/cuda_headers.hpp"

namespace tunecheck::gpu {

/// From now on `on_call` is called at the beginning and at the end of each call of the driver, by
/// the thread that makes it. `cupti` is what open_cupti() opened. An error if CUPTI refuses, such
/// as where a profiler has it.
[[nodiscard]] Result<void> subscribe_to_driver(void* cupti, CUpti_CallbackFunc on_call);

}  // namespace tunecheck::gpu
