#pragma once
// What a command buffer was told to launch, and with which arguments.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "observe/gpu/watch_file.hpp"
#include "observe/vulkan/staging.hpp"

namespace tunecheck::vulkan {

/// A piece of a buffer, as a descriptor names it.
struct BoundBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
  VkDeviceSize bytes = 0;
};
/// By the number of the binding.
using DescriptorSet = std::map<std::uint32_t, BoundBuffer>;

/// A compute pipeline: which code it runs.
struct Pipeline {
  std::string entry_point;
  std::string module;  ///< SHA-256 of its SPIR-V, "" where that was not seen
};

/// A tensor that a dispatch is given.
struct WatchedTensor {
  gpu::WatchedParameter watched;
  int address_mod_64 = 0;       ///< of element [0, ..., 0] in the memory of its buffer
  BoundBuffer bound;            ///< the bytes that its elements take
  VkDeviceSize first_byte = 0;  ///< of element [0, ..., 0] among them
  VkDeviceSize before = 0;      ///< where in the staging its content before the launch is copied
  VkDeviceSize after = 0;       ///< and the one after it
  bool is_bound = false;        ///< false: nothing is bound there, or less than it takes
};

struct Dispatch {
  std::string kernel;  ///< the name under which it is recorded
  std::string module;
  std::vector<WatchedTensor> tensors;
  std::unique_ptr<Staging> staging;  ///< null where nothing is copied
};

/// Of one command buffer since it was begun.
struct Recording {
  Pipeline pipeline;
  DescriptorSet set;  ///< number 0, as it was when it was bound
  std::vector<Dispatch> dispatches;
};

}  // namespace tunecheck::vulkan
