#pragma once
namespace tunecheck::gpu {

/// digest_kernel.ptx, built in.
extern const char* const digest_kernel_ptx;

}  // namespace tunecheck::gpu
