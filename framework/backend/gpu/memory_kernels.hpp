#pragma once
// The kernels of memory_kernels.cu.

namespace tunecheck::gpu {

/// PTX for compute_75, which CUDA's driver translates for the device when it loads it.
extern const char* const memory_kernels_ptx;

}  // namespace tunecheck::gpu
