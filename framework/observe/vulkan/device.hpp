#pragma once
// One Vulkan device of the process, observed.
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "observe/vulkan/evidence_writer.hpp"
#include "observe/vulkan/recording.hpp"

namespace tunecheck::vulkan {

/// Stands in front of the driver's functions: each member with a driver's name makes that call, and
/// remembers or writes down what it was about. Any thread may call any member; Vulkan's own rules
/// on what the application must not do at the same moment hold.
///
/// How a launch becomes evidence: a compute pipeline is made of a module (its SPIR-V is digested),
/// bound, given a descriptor set, and dispatched into a command buffer. There, copies of the
/// tensors that the watch file names are recorded in front of the dispatch and behind it. When the
/// command buffer is submitted, that is a launch; one that is recorded and never submitted is none.
/// If arguments are watched, the submit waits for the device, and the digests are those of the
/// copies.
class Device {
 public:
  /// `writer` outlives it.
  Device(DeviceFunctions functions, const VkPhysicalDeviceMemoryProperties& memory,
         EvidenceWriter& writer);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const DeviceFunctions& next() const { return m_next; }

  VkResult create_buffer(const VkBufferCreateInfo& info, const VkAllocationCallbacks* allocator,
                         VkBuffer* buffer);
  void destroy_buffer(VkBuffer buffer, const VkAllocationCallbacks* allocator);
  void buffer_bound(VkBuffer buffer, VkDeviceSize memory_offset);

  VkResult create_shader_module(const VkShaderModuleCreateInfo& info,
                                const VkAllocationCallbacks* allocator, VkShaderModule* module);
  void destroy_shader_module(VkShaderModule module, const VkAllocationCallbacks* allocator);
  VkResult create_compute_pipelines(VkPipelineCache cache,
                                    std::span<const VkComputePipelineCreateInfo> infos,
                                    const VkAllocationCallbacks* allocator, VkPipeline* pipelines);
  void destroy_pipeline(VkPipeline pipeline, const VkAllocationCallbacks* allocator);

  void update_descriptor_sets(std::span<const VkWriteDescriptorSet> writes,
                              std::span<const VkCopyDescriptorSet> copies);

  VkResult allocate_command_buffers(const VkCommandBufferAllocateInfo& info,
                                    VkCommandBuffer* commands);
  void free_command_buffers(VkCommandPool pool, std::span<const VkCommandBuffer> commands);
  VkResult reset_command_pool(VkCommandPool pool, VkCommandPoolResetFlags flags);
  void destroy_command_pool(VkCommandPool pool, const VkAllocationCallbacks* allocator);
  VkResult begin_command_buffer(VkCommandBuffer commands, const VkCommandBufferBeginInfo& info);
  void bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline);
  void bind_descriptor_sets(VkCommandBuffer commands, VkPipelineBindPoint point,
                            VkPipelineLayout layout, std::uint32_t first,
                            std::span<const VkDescriptorSet> sets,
                            std::span<const std::uint32_t> offsets);
  /// `dispatch` makes the call, whichever of Vulkan's it is.
  template <class Call>
  void dispatch(VkCommandBuffer commands, Call&& call) {
    const std::size_t begun = before_dispatch(commands);
    call();
    after_dispatch(commands, begun);
  }
  /// `submit` makes the call that submits these.
  template <class Call>
  VkResult submit(VkQueue queue, const std::vector<VkCommandBuffer>& commands, Call&& call) {
    Submitted submitted = before_submit(commands);
    const VkResult result = call();
    after_submit(queue, result, submitted);
    return result;
  }

  /// The application uses a part of Vulkan whose effect on launches is not seen.
  void is_not_seen(const char* function) const;

 private:
  struct Submitted {
    std::vector<const Dispatch*> dispatches;  // of interest, in the order of the submit
    std::vector<LaunchEvent> launches;        // one each, unless they are counted
    bool counted = false;
    bool watched = false;  // copies were made
  };
  struct BufferState {
    VkDeviceSize bytes = 0;
    VkDeviceSize memory_offset = 0;
  };
  [[nodiscard]] BoundBuffer resolved(const VkDescriptorBufferInfo& info) const;
  [[nodiscard]] bool is_of_interest(std::span<const VkComputePipelineCreateInfo> infos) const;
  [[nodiscard]] std::string module_of(const VkPipelineShaderStageCreateInfo& stage) const;
  // Both return the number of a dispatch in its recording; none: there is nothing to copy.
  std::size_t before_dispatch(VkCommandBuffer commands);
  void after_dispatch(VkCommandBuffer commands, std::size_t begun);
  [[nodiscard]] Dispatch describe(const Recording& recording) const;
  void place(Dispatch& dispatch) const;
  void copy(VkCommandBuffer commands, const Dispatch& dispatch, bool is_after) const;
  [[nodiscard]] Submitted before_submit(const std::vector<VkCommandBuffer>& commands);
  void after_submit(VkQueue queue, VkResult result, Submitted& submitted);
  void forget_pool(VkCommandPool pool);

  const DeviceFunctions m_next;
  const VkPhysicalDeviceMemoryProperties m_memory;
  EvidenceWriter& m_writer;
  mutable std::mutex m_mutex;
  std::map<VkBuffer, BufferState> m_buffers;
  std::map<VkShaderModule, std::string> m_modules;  // their digests
  std::map<VkPipeline, Pipeline> m_pipelines;
  std::map<VkDescriptorSet, DescriptorSet> m_sets;
  std::map<VkCommandBuffer, Recording> m_recordings;
  std::map<VkCommandPool, std::set<VkCommandBuffer>> m_pools;
};

}  // namespace tunecheck::vulkan
