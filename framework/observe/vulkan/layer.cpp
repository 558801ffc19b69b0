// The Vulkan observer: a layer (Vulkan's loader interface, version 2) that the loader puts between
// a program and the driver if VK_INSTANCE_LAYERS names it. It sees whatever the program makes of
// Vulkan, by whichever library: wgpu, a C++ program, a translated OpenCL. It does nothing where it
// is told of no evidence file.
//
// Why a layer: the loader asks each layer for each function of an instance and of a device, so that
// nothing can be called past it, and it takes no symbol of the process. A library in LD_PRELOAD
// would see vkGetInstanceProcAddr at best, by which programs get everything else.
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "observe/vulkan/compiler.hpp"
#include "observe/vulkan/device.hpp"

namespace tunecheck::vulkan {
namespace {

// What all handles of an instance, or of a device with its queues and command buffers, begin with.
template <class Handle>
void* key_of(Handle handle) {
  void* key = nullptr;
  std::memcpy(&key, reinterpret_cast<const void*>(handle), sizeof(key));
  return key;
}

struct Known {
  std::mutex mutex;
  std::map<void*, InstanceFunctions> instances;
  std::map<void*, std::unique_ptr<Device>> devices;
};

// Never destroyed: threads may still call the driver when the process ends.
Known& known() {
  static auto& all = *new Known;
  return all;
}

InstanceFunctions* instance_of(void* key) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().instances.find(key);
  return found != known().instances.end() ? &found->second : nullptr;
}

// A device is destroyed by its application when nothing uses it any more.
template <class Handle>
Device& device_of(Handle handle) {
  const std::lock_guard lock(known().mutex);
  return *known().devices.at(key_of(handle));
}

// The element of the chain that is meant for a layer.
template <class CreateInfo>
CreateInfo* link_of(const void* chain, VkStructureType type) {
  for (auto* each = static_cast<const VkBaseInStructure*>(chain); each != nullptr;
       each = each->pNext) {
    auto* const info = reinterpret_cast<const CreateInfo*>(each);
    if (each->sType == type && info->function == VK_LAYER_LINK_INFO)
      return const_cast<CreateInfo*>(info);  // the loader expects that it is moved on
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
  auto* const link = link_of<VkLayerInstanceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const auto get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  const std::lock_guard lock(known().mutex);
  known().instances[key_of(*instance)] = functions_of(*instance, get);
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance,
                                           const VkAllocationCallbacks* allocator) {
  if (instance == VK_NULL_HANDLE) return;
  void* const key = key_of(instance);
  instance_of(key)->DestroyInstance(instance, allocator);
  const std::lock_guard lock(known().mutex);
  known().instances.erase(key);
}

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceProperties(VkPhysicalDevice physical,
                                                       VkPhysicalDeviceProperties* properties) {
  instance_of(key_of(physical))->GetPhysicalDeviceProperties(physical, properties);
  stand_for_compiler(compiler_settings(), *properties);
}

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
                                                        VkPhysicalDeviceProperties2* properties) {
  instance_of(key_of(physical))->GetPhysicalDeviceProperties2(physical, properties);
  stand_for_compiler(compiler_settings(), *properties);
}

VKAPI_ATTR void VKAPI_CALL GetPhysicalDeviceProperties2KHR(
    VkPhysicalDevice physical, VkPhysicalDeviceProperties2* properties) {
  instance_of(key_of(physical))->GetPhysicalDeviceProperties2KHR(physical, properties);
  stand_for_compiler(compiler_settings(), *properties);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* device) {
  auto* const link =
      link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const InstanceFunctions* const instance = instance_of(key_of(physical));
  if (link == nullptr || instance == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const auto get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto get_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(get_instance(instance->instance, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = create(physical, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  VkPhysicalDeviceMemoryProperties memory{};
  instance->GetPhysicalDeviceMemoryProperties(physical, &memory);
  auto observed = std::make_unique<Device>(functions_of(*device, get_device), memory,
                                           *EvidenceWriter::of_process());
  const std::lock_guard lock(known().mutex);
  known().devices[key_of(*device)] = std::move(observed);
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks* allocator) {
  if (device == VK_NULL_HANDLE) return;
  void* const key = key_of(device);
  std::unique_ptr<Device> observed;
  {
    const std::lock_guard lock(known().mutex);
    observed = std::move(known().devices[key]);
    known().devices.erase(key);
  }
  const PFN_vkDestroyDevice destroy = observed->next().DestroyDevice;
  observed.reset();  // its copies lie in the device's memory
  destroy(device, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateBuffer(VkDevice device, const VkBufferCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkBuffer* buffer) {
  return device_of(device).create_buffer(*info, allocator, buffer);
}

VKAPI_ATTR void VKAPI_CALL DestroyBuffer(VkDevice device, VkBuffer buffer,
                                         const VkAllocationCallbacks* allocator) {
  device_of(device).destroy_buffer(buffer, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                VkDeviceMemory memory, VkDeviceSize offset) {
  Device& observed = device_of(device);
  observed.buffer_bound(buffer, offset);
  return observed.next().BindBufferMemory(device, buffer, memory, offset);
}

void buffers_bound(Device& observed, std::uint32_t count, const VkBindBufferMemoryInfo* infos) {
  for (std::uint32_t i = 0; i < count; ++i)
    observed.buffer_bound(infos[i].buffer, infos[i].memoryOffset);
}

VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory2(VkDevice device, std::uint32_t count,
                                                 const VkBindBufferMemoryInfo* infos) {
  Device& observed = device_of(device);
  buffers_bound(observed, count, infos);
  return observed.next().BindBufferMemory2(device, count, infos);
}

VKAPI_ATTR VkResult VKAPI_CALL BindBufferMemory2KHR(VkDevice device, std::uint32_t count,
                                                    const VkBindBufferMemoryInfo* infos) {
  Device& observed = device_of(device);
  buffers_bound(observed, count, infos);
  return observed.next().BindBufferMemory2KHR(device, count, infos);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice device,
                                                  const VkShaderModuleCreateInfo* info,
                                                  const VkAllocationCallbacks* allocator,
                                                  VkShaderModule* module) {
  return device_of(device).create_shader_module(*info, allocator, module);
}

VKAPI_ATTR void VKAPI_CALL DestroyShaderModule(VkDevice device, VkShaderModule module,
                                               const VkAllocationCallbacks* allocator) {
  device_of(device).destroy_shader_module(module, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                      std::uint32_t count,
                                                      const VkComputePipelineCreateInfo* infos,
                                                      const VkAllocationCallbacks* allocator,
                                                      VkPipeline* pipelines) {
  return device_of(device).create_compute_pipelines(cache, {infos, count}, allocator, pipelines);
}

VKAPI_ATTR void VKAPI_CALL DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                           const VkAllocationCallbacks* allocator) {
  device_of(device).destroy_pipeline(pipeline, allocator);
}

VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSets(VkDevice device, std::uint32_t write_count,
                                                const VkWriteDescriptorSet* writes,
                                                std::uint32_t copy_count,
                                                const VkCopyDescriptorSet* copies) {
  device_of(device).update_descriptor_sets({writes, write_count}, {copies, copy_count});
}

VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet set,
                                                           VkDescriptorUpdateTemplate form,
                                                           const void* data) {
  const Device& observed = device_of(device);
  observed.is_not_seen("vkUpdateDescriptorSetWithTemplate");
  observed.next().UpdateDescriptorSetWithTemplate(device, set, form, data);
}

VKAPI_ATTR void VKAPI_CALL UpdateDescriptorSetWithTemplateKHR(VkDevice device, VkDescriptorSet set,
                                                              VkDescriptorUpdateTemplate form,
                                                              const void* data) {
  const Device& observed = device_of(device);
  observed.is_not_seen("vkUpdateDescriptorSetWithTemplateKHR");
  observed.next().UpdateDescriptorSetWithTemplateKHR(device, set, form, data);
}

VKAPI_ATTR void VKAPI_CALL CmdPushDescriptorSetKHR(VkCommandBuffer commands,
                                                   VkPipelineBindPoint point,
                                                   VkPipelineLayout layout, std::uint32_t set,
                                                   std::uint32_t count,
                                                   const VkWriteDescriptorSet* writes) {
  const Device& observed = device_of(commands);
  observed.is_not_seen("vkCmdPushDescriptorSetKHR");
  observed.next().CmdPushDescriptorSetKHR(commands, point, layout, set, count, writes);
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateCommandBuffers(VkDevice device,
                                                      const VkCommandBufferAllocateInfo* info,
                                                      VkCommandBuffer* commands) {
  return device_of(device).allocate_command_buffers(*info, commands);
}

VKAPI_ATTR void VKAPI_CALL FreeCommandBuffers(VkDevice device, VkCommandPool pool,
                                              std::uint32_t count,
                                              const VkCommandBuffer* commands) {
  device_of(device).free_command_buffers(pool, {commands, count});
}

VKAPI_ATTR VkResult VKAPI_CALL ResetCommandPool(VkDevice device, VkCommandPool pool,
                                                VkCommandPoolResetFlags flags) {
  return device_of(device).reset_command_pool(pool, flags);
}

VKAPI_ATTR void VKAPI_CALL DestroyCommandPool(VkDevice device, VkCommandPool pool,
                                              const VkAllocationCallbacks* allocator) {
  device_of(device).destroy_command_pool(pool, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL BeginCommandBuffer(VkCommandBuffer commands,
                                                  const VkCommandBufferBeginInfo* info) {
  return device_of(commands).begin_command_buffer(commands, *info);
}

VKAPI_ATTR void VKAPI_CALL CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                           VkPipeline pipeline) {
  device_of(commands).bind_pipeline(commands, point, pipeline);
}

VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorSets(VkCommandBuffer commands,
                                                 VkPipelineBindPoint point, VkPipelineLayout layout,
                                                 std::uint32_t first, std::uint32_t count,
                                                 const VkDescriptorSet* sets,
                                                 std::uint32_t offset_count,
                                                 const std::uint32_t* offsets) {
  device_of(commands).bind_descriptor_sets(commands, point, layout, first, {sets, count},
                                           {offsets, offset_count});
}

VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y,
                                       std::uint32_t z) {
  Device& observed = device_of(commands);
  observed.dispatch(commands, [&] { observed.next().CmdDispatch(commands, x, y, z); });
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                               VkDeviceSize offset) {
  Device& observed = device_of(commands);
  observed.dispatch(commands,
                    [&] { observed.next().CmdDispatchIndirect(commands, buffer, offset); });
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchBase(VkCommandBuffer commands, std::uint32_t base_x,
                                           std::uint32_t base_y, std::uint32_t base_z,
                                           std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  Device& observed = device_of(commands);
  observed.dispatch(commands, [&] {
    observed.next().CmdDispatchBase(commands, base_x, base_y, base_z, x, y, z);
  });
}

VKAPI_ATTR void VKAPI_CALL CmdDispatchBaseKHR(VkCommandBuffer commands, std::uint32_t base_x,
                                              std::uint32_t base_y, std::uint32_t base_z,
                                              std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  Device& observed = device_of(commands);
  observed.dispatch(commands, [&] {
    observed.next().CmdDispatchBaseKHR(commands, base_x, base_y, base_z, x, y, z);
  });
}

VKAPI_ATTR void VKAPI_CALL CmdExecuteCommands(VkCommandBuffer commands, std::uint32_t count,
                                              const VkCommandBuffer* secondary) {
  const Device& observed = device_of(commands);
  observed.is_not_seen("vkCmdExecuteCommands");
  observed.next().CmdExecuteCommands(commands, count, secondary);
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit(VkQueue queue, std::uint32_t count,
                                           const VkSubmitInfo* submits, VkFence fence) {
  std::vector<VkCommandBuffer> commands;
  for (std::uint32_t i = 0; i < count; ++i)
    commands.insert(commands.end(), submits[i].pCommandBuffers,
                    submits[i].pCommandBuffers + submits[i].commandBufferCount);
  Device& observed = device_of(queue);
  return observed.submit(queue, commands,
                         [&] { return observed.next().QueueSubmit(queue, count, submits, fence); });
}

std::vector<VkCommandBuffer> commands_of(std::uint32_t count, const VkSubmitInfo2* submits) {
  std::vector<VkCommandBuffer> commands;
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = 0; j < submits[i].commandBufferInfoCount; ++j)
      commands.push_back(submits[i].pCommandBufferInfos[j].commandBuffer);
  return commands;
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit2(VkQueue queue, std::uint32_t count,
                                            const VkSubmitInfo2* submits, VkFence fence) {
  Device& observed = device_of(queue);
  return observed.submit(queue, commands_of(count, submits), [&] {
    return observed.next().QueueSubmit2(queue, count, submits, fence);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit2KHR(VkQueue queue, std::uint32_t count,
                                               const VkSubmitInfo2* submits, VkFence fence) {
  Device& observed = device_of(queue);
  return observed.submit(queue, commands_of(count, submits), [&] {
    return observed.next().QueueSubmit2KHR(queue, count, submits, fence);
  });
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name);

struct Replaced {
  std::string_view name;
  PFN_vkVoidFunction function;
};
#define TUNECHECK_VULKAN_REPLACED(name) \
  { "vk" #name, reinterpret_cast<PFN_vkVoidFunction>(name) }

const Replaced instance_functions[] = {
    TUNECHECK_VULKAN_REPLACED(CreateInstance),      TUNECHECK_VULKAN_REPLACED(DestroyInstance),
    TUNECHECK_VULKAN_REPLACED(CreateDevice),        TUNECHECK_VULKAN_REPLACED(GetDeviceProcAddr),
    TUNECHECK_VULKAN_REPLACED(GetInstanceProcAddr),
};

// Those that an instance may not have got.
const Replaced queries[] = {
    TUNECHECK_VULKAN_REPLACED(GetPhysicalDeviceProperties),
    TUNECHECK_VULKAN_REPLACED(GetPhysicalDeviceProperties2),
    TUNECHECK_VULKAN_REPLACED(GetPhysicalDeviceProperties2KHR),
};

const Replaced device_functions[] = {
    TUNECHECK_VULKAN_REPLACED(GetDeviceProcAddr),
    TUNECHECK_VULKAN_REPLACED(DestroyDevice),
    TUNECHECK_VULKAN_REPLACED(CreateBuffer),
    TUNECHECK_VULKAN_REPLACED(DestroyBuffer),
    TUNECHECK_VULKAN_REPLACED(BindBufferMemory),
    TUNECHECK_VULKAN_REPLACED(BindBufferMemory2),
    TUNECHECK_VULKAN_REPLACED(BindBufferMemory2KHR),
    TUNECHECK_VULKAN_REPLACED(CreateShaderModule),
    TUNECHECK_VULKAN_REPLACED(DestroyShaderModule),
    TUNECHECK_VULKAN_REPLACED(CreateComputePipelines),
    TUNECHECK_VULKAN_REPLACED(DestroyPipeline),
    TUNECHECK_VULKAN_REPLACED(UpdateDescriptorSets),
    TUNECHECK_VULKAN_REPLACED(UpdateDescriptorSetWithTemplate),
    TUNECHECK_VULKAN_REPLACED(UpdateDescriptorSetWithTemplateKHR),
    TUNECHECK_VULKAN_REPLACED(CmdPushDescriptorSetKHR),
    TUNECHECK_VULKAN_REPLACED(AllocateCommandBuffers),
    TUNECHECK_VULKAN_REPLACED(FreeCommandBuffers),
    TUNECHECK_VULKAN_REPLACED(ResetCommandPool),
    TUNECHECK_VULKAN_REPLACED(DestroyCommandPool),
    TUNECHECK_VULKAN_REPLACED(BeginCommandBuffer),
    TUNECHECK_VULKAN_REPLACED(CmdBindPipeline),
    TUNECHECK_VULKAN_REPLACED(CmdBindDescriptorSets),
    TUNECHECK_VULKAN_REPLACED(CmdDispatch),
    TUNECHECK_VULKAN_REPLACED(CmdDispatchIndirect),
    TUNECHECK_VULKAN_REPLACED(CmdDispatchBase),
    TUNECHECK_VULKAN_REPLACED(CmdDispatchBaseKHR),
    TUNECHECK_VULKAN_REPLACED(CmdExecuteCommands),
    TUNECHECK_VULKAN_REPLACED(QueueSubmit),
    TUNECHECK_VULKAN_REPLACED(QueueSubmit2),
    TUNECHECK_VULKAN_REPLACED(QueueSubmit2KHR),
};
#undef TUNECHECK_VULKAN_REPLACED

template <std::size_t count>
PFN_vkVoidFunction find(const Replaced (&functions)[count], std::string_view name) {
  for (const Replaced& each : functions)
    if (each.name == name) return each.function;
  return nullptr;
}

// What the driver has not got an application must not find either.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  const DeviceFunctions& next = device_of(device).next();
  const PFN_vkVoidFunction own = next.GetDeviceProcAddr(device, name);
  const PFN_vkVoidFunction replaced = find(device_functions, name);
  return own != nullptr && replaced != nullptr ? replaced : own;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance,
                                                             const char* name) {
  if (const PFN_vkVoidFunction replaced = find(instance_functions, name)) return replaced;
  if (instance == VK_NULL_HANDLE) return nullptr;
  const InstanceFunctions* const next = instance_of(key_of(instance));
  if (next == nullptr) return nullptr;
  const PFN_vkVoidFunction own = next->GetInstanceProcAddr(instance, name);
  const PFN_vkVoidFunction query = find(queries, name);
  const PFN_vkVoidFunction replaced = query != nullptr ? query : find(device_functions, name);
  return own != nullptr && replaced != nullptr ? replaced : own;
}

}  // namespace
}  // namespace tunecheck::vulkan

// Refusing to be loaded would end the program's instance: without an evidence file, functions of
// the next layer are handed through.
extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* wanted) {
  using namespace tunecheck::vulkan;
  constexpr std::uint32_t version = 2;
  if (wanted == nullptr || wanted->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      wanted->loaderLayerInterfaceVersion < version || EvidenceWriter::of_process() == nullptr)
    return VK_ERROR_INITIALIZATION_FAILED;
  wanted->loaderLayerInterfaceVersion = version;
  wanted->pfnGetInstanceProcAddr = GetInstanceProcAddr;
  wanted->pfnGetDeviceProcAddr = GetDeviceProcAddr;
  wanted->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
