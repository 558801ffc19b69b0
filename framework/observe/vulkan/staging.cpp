#include "observe/vulkan/staging.hpp"

#include <cstdint>
#include <optional>

namespace tunecheck::vulkan {
namespace {

std::optional<std::uint32_t> host_memory_type(const VkPhysicalDeviceMemoryProperties& memory,
                                              std::uint32_t allowed) {
  constexpr VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if ((allowed >> type & 1U) != 0 && (memory.memoryTypes[type].propertyFlags & wanted) == wanted)
      return type;
  return std::nullopt;
}

}  // namespace

Staging::Staging(const DeviceFunctions& functions, const VkPhysicalDeviceMemoryProperties& memory,
                 VkDeviceSize bytes)
    : m_functions(functions) {
  VkBufferCreateInfo buffer{};
  buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  buffer.size = bytes;
  buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (functions.CreateBuffer(functions.device, &buffer, nullptr, &m_buffer) != VK_SUCCESS) return;
  VkMemoryRequirements needed{};
  functions.GetBufferMemoryRequirements(functions.device, m_buffer, &needed);
  const auto type = host_memory_type(memory, needed.memoryTypeBits);
  if (!type) return;
  VkMemoryAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needed.size;
  allocation.memoryTypeIndex = *type;
  void* mapped = nullptr;
  if (functions.AllocateMemory(functions.device, &allocation, nullptr, &m_memory) != VK_SUCCESS ||
      functions.BindBufferMemory(functions.device, m_buffer, m_memory, 0) != VK_SUCCESS ||
      functions.MapMemory(functions.device, m_memory, 0, VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS)
    return;
  m_mapped = static_cast<std::byte*>(mapped);
}

Staging::~Staging() {
  m_functions.DestroyBuffer(m_functions.device, m_buffer, nullptr);
  m_functions.FreeMemory(m_functions.device, m_memory, nullptr);
}

}  // namespace tunecheck::vulkan
