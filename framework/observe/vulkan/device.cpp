// Launches of a device: recorded into command buffers, and submitted.
#include "observe/vulkan/device.hpp"

#include <algorithm>
#include <limits>
#include <unistd.h>
#include <utility>

#include "core/tensor_view.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/probe/counting.hpp"

namespace tunecheck::vulkan {
namespace {

constexpr std::size_t no_dispatch = std::numeric_limits<std::size_t>::max();
// Where copies of tensors begin in the staging.
constexpr VkDeviceSize copy_alignment = 64;

VkDeviceSize bytes_of(const gpu::WatchedParameter& watched) {
  const Extent extent = extent_of(watched.layout);
  return static_cast<VkDeviceSize>(extent.end - extent.first) * size_of(watched.dtype);
}

bool is_the_binding_of(const gpu::WatchedParameter& watched, const DescriptorSet& set) {
  const auto bound = set.find(static_cast<std::uint32_t>(watched.parameter));
  if (bound == set.end()) return false;
  return watched.bound_bytes == 0 ||
         bound->second.bytes == static_cast<VkDeviceSize>(watched.bound_bytes);
}

// The tensor in the memory that is bound for it.
WatchedTensor find_in(const gpu::WatchedParameter& watched, const DescriptorSet& set) {
  WatchedTensor tensor;
  tensor.watched = watched;
  const auto bound = set.find(static_cast<std::uint32_t>(watched.parameter));
  const Extent extent = extent_of(watched.layout);
  const auto size = static_cast<std::int64_t>(size_of(watched.dtype));
  if (bound == set.end() || watched.offset + extent.first < 0) return tensor;
  const auto first = static_cast<VkDeviceSize>((watched.offset + extent.first) * size);
  tensor.bound = {bound->second.buffer, bound->second.offset + first, bytes_of(watched)};
  tensor.first_byte = static_cast<VkDeviceSize>(-extent.first * size);
  tensor.is_bound = first + tensor.bound.bytes <= bound->second.bytes;
  return tensor;
}

VkDeviceSize rounded_up(VkDeviceSize bytes) {
  return (bytes + copy_alignment - 1) / copy_alignment * copy_alignment;
}

TensorPlace place_of(const WatchedTensor& tensor) {
  const auto shape = tensor.watched.layout.dimensions();
  const auto strides = tensor.watched.layout.steps();
  return {tensor.address_mod_64, {shape.begin(), shape.end()}, {strides.begin(), strides.end()}};
}

std::string digest_at(const WatchedTensor& tensor, std::byte* copied) {
  if (!tensor.is_bound) return {};
  return digest_elements(
      TensorView{copied + tensor.first_byte, tensor.watched.dtype, tensor.watched.layout});
}

}  // namespace

Device::Device(DeviceFunctions functions, const VkPhysicalDeviceMemoryProperties& memory,
               EvidenceWriter& writer)
    : m_next(functions), m_memory(memory), m_writer(writer) {}

VkResult Device::allocate_command_buffers(const VkCommandBufferAllocateInfo& info,
                                          VkCommandBuffer* commands) {
  const VkResult result = m_next.AllocateCommandBuffers(m_next.device, &info, commands);
  if (result != VK_SUCCESS) return result;
  const std::lock_guard lock(m_mutex);
  for (std::uint32_t i = 0; i < info.commandBufferCount; ++i) {
    m_pools[info.commandPool].insert(commands[i]);
    m_recordings.erase(commands[i]);
  }
  return result;
}

void Device::free_command_buffers(VkCommandPool pool, std::span<const VkCommandBuffer> commands) {
  {
    const std::lock_guard lock(m_mutex);
    for (const VkCommandBuffer each : commands) {
      m_recordings.erase(each);
      m_pools[pool].erase(each);
    }
  }
  m_next.FreeCommandBuffers(m_next.device, pool, static_cast<std::uint32_t>(commands.size()),
                            commands.data());
}

// The application has waited for what it resets or frees.
void Device::forget_pool(VkCommandPool pool) {
  const std::lock_guard lock(m_mutex);
  for (const VkCommandBuffer each : m_pools[pool])
    m_recordings.erase(each);
}

VkResult Device::reset_command_pool(VkCommandPool pool, VkCommandPoolResetFlags flags) {
  forget_pool(pool);
  return m_next.ResetCommandPool(m_next.device, pool, flags);
}

void Device::destroy_command_pool(VkCommandPool pool, const VkAllocationCallbacks* allocator) {
  forget_pool(pool);
  {
    const std::lock_guard lock(m_mutex);
    m_pools.erase(pool);
  }
  m_next.DestroyCommandPool(m_next.device, pool, allocator);
}

VkResult Device::begin_command_buffer(VkCommandBuffer commands,
                                      const VkCommandBufferBeginInfo& info) {
  {
    const std::lock_guard lock(m_mutex);
    m_recordings[commands] = {};
  }
  return m_next.BeginCommandBuffer(commands, &info);
}

Dispatch Device::describe(const Recording& recording) const {
  const auto fits = [&](const gpu::WatchedKernel& kernel) {
    return std::all_of(kernel.tensors.begin(), kernel.tensors.end(), [&](const auto& tensor) {
      return is_the_binding_of(tensor, recording.set);
    });
  };
  const gpu::WatchedKernel kernel = m_writer.watched(recording.pipeline.entry_point, fits);
  Dispatch dispatch;
  dispatch.kernel = kernel.as;
  dispatch.module = recording.pipeline.module;
  if (!m_writer.watches() || !m_writer.is_of_interest(kernel.as)) return dispatch;
  for (const gpu::WatchedParameter& watched : kernel.tensors)
    dispatch.tensors.push_back(find_in(watched, recording.set));
  return dispatch;
}

// Where each tensor's copies lie, and where the tensor itself does. m_mutex is held.
void Device::place(Dispatch& dispatch) const {
  VkDeviceSize end = 0;
  for (WatchedTensor& tensor : dispatch.tensors) {
    if (!tensor.is_bound) continue;
    const auto buffer = m_buffers.find(tensor.bound.buffer);
    const VkDeviceSize memory = buffer != m_buffers.end() ? buffer->second.memory_offset : 0;
    tensor.address_mod_64 =
        static_cast<int>((memory + tensor.bound.offset + tensor.first_byte) % 64);
    tensor.before = end;
    tensor.after = end + rounded_up(tensor.bound.bytes);
    end = tensor.after + rounded_up(tensor.bound.bytes);
  }
  if (end == 0) return;
  dispatch.staging = std::make_unique<Staging>(m_next, m_memory, end);
  if (dispatch.staging->valid()) return;
  dispatch.staging.reset();
  m_writer.trouble("no digest: there is no memory for copies of the arguments");
}

void Device::copy(VkCommandBuffer commands, const Dispatch& dispatch, bool is_after) const {
  if (dispatch.staging == nullptr) return;
  const auto wait = [&](VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
                        VkAccessFlags used) {
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = written;
    barrier.dstAccessMask = used;
    m_next.CmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  };
  constexpr VkPipelineStageFlags work =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  wait(work, writes, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  for (const WatchedTensor& tensor : dispatch.tensors) {
    if (!tensor.is_bound || tensor.bound.bytes == 0) continue;
    const VkBufferCopy region{tensor.bound.offset, is_after ? tensor.after : tensor.before,
                              tensor.bound.bytes};
    m_next.CmdCopyBuffer(commands, tensor.bound.buffer, dispatch.staging->buffer(), 1, &region);
  }
  wait(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
       work | VK_PIPELINE_STAGE_HOST_BIT,
       writes | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
}

std::size_t Device::before_dispatch(VkCommandBuffer commands) {
  const std::lock_guard lock(m_mutex);
  Recording& recording = m_recordings[commands];
  Dispatch dispatch = describe(recording);
  if (dispatch.kernel.empty() || !m_writer.is_of_interest(dispatch.kernel)) return no_dispatch;
  // A burst is to take no longer than it does without an observer.
  if (probe::counting(static_cast<std::uint64_t>(::getpid()))) dispatch.tensors.clear();
  place(dispatch);
  copy(commands, dispatch, false);
  recording.dispatches.push_back(std::move(dispatch));
  return recording.dispatches.size() - 1;
}

void Device::after_dispatch(VkCommandBuffer commands, std::size_t begun) {
  if (begun == no_dispatch) return;
  const std::lock_guard lock(m_mutex);
  copy(commands, m_recordings[commands].dispatches[begun], true);
}

Device::Submitted Device::before_submit(const std::vector<VkCommandBuffer>& commands) {
  Submitted submitted;
  const std::lock_guard lock(m_mutex);
  for (const VkCommandBuffer each : commands) {
    const auto recording = m_recordings.find(each);
    if (recording == m_recordings.end()) continue;
    for (const Dispatch& dispatch : recording->second.dispatches)
      submitted.dispatches.push_back(&dispatch);
  }
  const auto process = static_cast<std::uint64_t>(::getpid());
  submitted.counted = probe::counting(process);
  std::string lines;
  for (const Dispatch* const dispatch : submitted.dispatches) {
    if (submitted.counted) {
      probe::count_begin(process);
      continue;
    }
    submitted.watched = submitted.watched || !dispatch->tensors.empty();
    LaunchEvent& event = submitted.launches.emplace_back();
    event.time_ns = evidence_now_ns();
    event.pid = ::getpid();
    event.launch = m_writer.next_launch();
    event.kernel = dispatch->kernel;
    event.module = dispatch->module;
    event.stored = m_writer.listing();
    lines += to_begin_line(event);
  }
  // The digests of a watched launch are known when it is over.
  if (!submitted.watched) m_writer.write(lines);
  return submitted;
}

void Device::after_submit(VkQueue queue, VkResult result, Submitted& submitted) {
  if (submitted.dispatches.empty()) return;
  const auto process = static_cast<std::uint64_t>(::getpid());
  if (submitted.counted) {
    for (std::size_t i = 0; i < submitted.dispatches.size(); ++i)
      probe::count_end(process, result, 0);
    return;
  }
  const std::int64_t started_ns = evidence_now_ns();
  if (submitted.watched && result == VK_SUCCESS) result = m_next.QueueWaitIdle(queue);
  const std::int64_t waited_ns = evidence_now_ns() - started_ns;
  std::string lines;
  for (std::size_t i = 0; i < submitted.launches.size(); ++i) {
    LaunchEvent& event = submitted.launches[i];
    const Dispatch& dispatch = *submitted.dispatches[i];
    event.status = result;
    for (const WatchedTensor& tensor : dispatch.tensors) {
      const bool is_copied = dispatch.staging != nullptr && result == VK_SUCCESS;
      event.places.push_back(place_of(tensor));
      event.digests.push_back(is_copied ? digest_at(tensor, dispatch.staging->at(tensor.before))
                                        : "");
      event.left.push_back(is_copied ? digest_at(tensor, dispatch.staging->at(tensor.after)) : "");
    }
    // Launches of one submit share what it took; alone, one took all of it.
    if (submitted.watched && submitted.launches.size() == 1) event.elapsed_ns = waited_ns;
    if (submitted.watched) lines += to_begin_line(event);
    lines += to_end_line(event);
  }
  m_writer.write(lines);
}

}  // namespace tunecheck::vulkan
