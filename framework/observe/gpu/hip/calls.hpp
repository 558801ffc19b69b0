#pragma once
// What the loader gives a process in the place of functions of HIP's runtime.
#include <string_view>

namespace tunecheck::gpu::hip {

/// A function that tells the recorder of the call and makes it; null where `name` is none that
/// matters. `real` is the runtime's own: from the first call with a name on, that is called.
[[nodiscard]] void* stand_in_for(std::string_view name, void* real) noexcept;

}  // namespace tunecheck::gpu::hip
