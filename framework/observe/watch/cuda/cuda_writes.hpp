#pragma once
// What calls of the driver other than launches write to memory of the device.
#include <optional>

#include "observe/gpu/cuda/cuda_headers.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

enum class Writes { nothing, region, anything };

struct CudaWrite {
  Writes writes = Writes::nothing;
  Region region;
};

/// At the beginning of the call. `anything` for calls that are not known, and for those that copy
/// in two dimensions or launch a graph.
[[nodiscard]] CudaWrite written_by(CUpti_CallbackId call, const CUpti_CallbackData& data) noexcept;

}  // namespace tunecheck::watch
