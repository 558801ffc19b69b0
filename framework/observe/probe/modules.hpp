#pragma once
// Which artifact an address belongs to.
#include <string>

namespace tunecheck::probe {

/// SHA-256 of the file that the module at `address` was loaded from; "" where that file is gone or
/// another one stands in its place. Remembered for each thread.
[[nodiscard]] std::string module_digest(const void* address);

}  // namespace tunecheck::probe
