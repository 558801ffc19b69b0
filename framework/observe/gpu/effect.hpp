#pragma once
// What those calls of the driver that the probe does not know can do to a tensor.
#include <string_view>

namespace tunecheck::gpu {

enum class Effect {
  none,  ///< it asks or describes
  wait,  ///< it waits for work
  any    ///< it may enqueue work or change memory
};

/// Judged by the call's name, "cuStreamSynchronize_ptsz"; `any` where the name says nothing.
[[nodiscard]] Effect effect_of(std::string_view function) noexcept;

}  // namespace tunecheck::gpu
