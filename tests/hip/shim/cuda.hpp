#pragma once
// The CUDA driver as the shim uses it.
#include <cstdlib>
#include <dlfcn.h>

#include "backend/gpu/driver/functions.hpp"

namespace tunecheck::shim {

/// What the device says it is: an arch that no device of AMD's has, with features.
inline constexpr char arch[] = "gfx0:cuda+:hip-";

/// Null where there is no driver or no device.
[[nodiscard]] const gpu::DriverFunctions* cuda();

/// "sm_90"; "" where there is no device.
[[nodiscard]] const char* cuda_arch();

/// A function of the driver that tunecheck itself has no use for.
template <class Signature>
[[nodiscard]] Signature* cuda_function(const char* name) {
  const char* const named = std::getenv("TUNECHECK_CUDA");
  void* const library = ::dlopen(named != nullptr ? named : "libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Signature*>(::dlsym(library, name));
}

}  // namespace tunecheck::shim
