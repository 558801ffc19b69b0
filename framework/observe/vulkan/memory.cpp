// What the arguments of a device's launches are: buffers, and the descriptor sets that name them.
#include "observe/vulkan/device.hpp"

namespace tunecheck::vulkan {
namespace {

bool is_buffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

}  // namespace

// Tensors are copied out of their buffers, which an application may have made for less.
VkResult Device::create_buffer(const VkBufferCreateInfo& info,
                               const VkAllocationCallbacks* allocator, VkBuffer* buffer) {
  VkBufferCreateInfo copied = info;
  if ((info.usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) != 0)
    copied.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  const VkResult result = m_next.CreateBuffer(m_next.device, &copied, allocator, buffer);
  if (result == VK_SUCCESS) {
    const std::lock_guard lock(m_mutex);
    m_buffers[*buffer] = {info.size, 0};
  }
  return result;
}

void Device::destroy_buffer(VkBuffer buffer, const VkAllocationCallbacks* allocator) {
  {
    const std::lock_guard lock(m_mutex);
    m_buffers.erase(buffer);
  }
  m_next.DestroyBuffer(m_next.device, buffer, allocator);
}

void Device::buffer_bound(VkBuffer buffer, VkDeviceSize memory_offset) {
  const std::lock_guard lock(m_mutex);
  const auto known = m_buffers.find(buffer);
  if (known != m_buffers.end()) known->second.memory_offset = memory_offset;
}

// m_mutex is held.
BoundBuffer Device::resolved(const VkDescriptorBufferInfo& info) const {
  BoundBuffer bound{info.buffer, info.offset, info.range};
  if (info.range != VK_WHOLE_SIZE) return bound;
  const auto known = m_buffers.find(info.buffer);
  bound.bytes = known != m_buffers.end() && known->second.bytes > info.offset
                    ? known->second.bytes - info.offset
                    : 0;
  return bound;
}

void Device::update_descriptor_sets(std::span<const VkWriteDescriptorSet> writes,
                                    std::span<const VkCopyDescriptorSet> copies) {
  m_next.UpdateDescriptorSets(m_next.device, static_cast<std::uint32_t>(writes.size()),
                              writes.data(), static_cast<std::uint32_t>(copies.size()),
                              copies.data());
  const std::lock_guard lock(m_mutex);
  for (const VkWriteDescriptorSet& write : writes) {
    if (!is_buffer(write.descriptorType)) continue;
    // Descriptors beyond those of a binding go on in the next binding.
    for (std::uint32_t i = 0; i < write.descriptorCount; ++i)
      m_sets[write.dstSet][write.dstBinding + write.dstArrayElement + i] =
          resolved(write.pBufferInfo[i]);
  }
  for (const VkCopyDescriptorSet& copy : copies) {
    const DescriptorSet from = m_sets[copy.srcSet];
    for (std::uint32_t i = 0; i < copy.descriptorCount; ++i) {
      const auto found = from.find(copy.srcBinding + copy.srcArrayElement + i);
      if (found != from.end())
        m_sets[copy.dstSet][copy.dstBinding + copy.dstArrayElement + i] = found->second;
    }
  }
}

void Device::bind_descriptor_sets(VkCommandBuffer commands, VkPipelineBindPoint point,
                                  VkPipelineLayout layout, std::uint32_t first,
                                  std::span<const VkDescriptorSet> sets,
                                  std::span<const std::uint32_t> offsets) {
  m_next.CmdBindDescriptorSets(commands, point, layout, first,
                               static_cast<std::uint32_t>(sets.size()), sets.data(),
                               static_cast<std::uint32_t>(offsets.size()), offsets.data());
  if (point != VK_PIPELINE_BIND_POINT_COMPUTE || first != 0 || sets.empty()) return;
  if (!offsets.empty()) is_not_seen("dynamic offsets of descriptors");
  const std::lock_guard lock(m_mutex);
  m_recordings[commands].set = m_sets[sets.front()];
}

void Device::is_not_seen(const char* function) const {
  m_writer.trouble(std::string("arguments of launches are not seen: the application uses ") +
                   function);
}

}  // namespace tunecheck::vulkan
