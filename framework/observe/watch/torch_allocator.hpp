#pragma once
// What PyTorch's own allocator of device memory hands out.
#include "observe/watch/settings.hpp"

namespace tunecheck::watch {

/// From now on the observer of a device is told of each block. Called once, before there are any.
void set_block_observer(SeeBlock see) noexcept;

/// A library was unloaded: what was found in it is looked up anew.
void forget_torch() noexcept;

}  // namespace tunecheck::watch
