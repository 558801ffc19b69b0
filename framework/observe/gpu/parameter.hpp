#pragma once
// A parameter of a kernel.
#include <cstddef>

namespace tunecheck::gpu {

/// Where it lies in the buffer of all arguments.
struct Parameter {
  std::size_t offset = 0;  ///< bytes
  std::size_t size = 0;    ///< bytes
  bool operator==(const Parameter&) const = default;
};

}  // namespace tunecheck::gpu
