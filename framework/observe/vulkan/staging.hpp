#pragma once
// Memory of the observer's own that the host can read, into which a device copies arguments.
#include <cstddef>
#include <vector>

#include "observe/vulkan/functions.hpp"

namespace tunecheck::vulkan {

/// A buffer and its memory, mapped. The device must outlive it, and must not use it any more when
/// it is destroyed. One thread at a time.
class Staging {
 public:
  /// Not valid() where there is no such memory.
  Staging(const DeviceFunctions& functions, const VkPhysicalDeviceMemoryProperties& memory,
          VkDeviceSize bytes);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  [[nodiscard]] bool valid() const { return m_mapped != nullptr; }
  [[nodiscard]] VkBuffer buffer() const { return m_buffer; }
  /// What the device has copied there, once it is done.
  [[nodiscard]] std::byte* at(VkDeviceSize offset) const { return m_mapped + offset; }

 private:
  const DeviceFunctions& m_functions;
  VkBuffer m_buffer = VK_NULL_HANDLE;
  VkDeviceMemory m_memory = VK_NULL_HANDLE;
  std::byte* m_mapped = nullptr;
};

}  // namespace tunecheck::vulkan
