#pragma once
// The functions of the layer below, or of the driver, that the Vulkan observer calls: those that it
// stands in front of, and those that it needs for copies of its own.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

namespace tunecheck::vulkan {

// Each name without its "vk". X(name) once per function.
#define TUNECHECK_VULKAN_INSTANCE_FUNCTIONS(X) \
  X(DestroyInstance)                           \
  X(GetPhysicalDeviceMemoryProperties)         \
  X(GetPhysicalDeviceProperties)               \
  X(GetPhysicalDeviceProperties2)              \
  X(GetPhysicalDeviceProperties2KHR)

#define TUNECHECK_VULKAN_DEVICE_FUNCTIONS(X) \
  X(DestroyDevice)                           \
  X(CreateBuffer)                            \
  X(DestroyBuffer)                           \
  X(GetBufferMemoryRequirements)             \
  X(AllocateMemory)                          \
  X(FreeMemory)                              \
  X(MapMemory)                               \
  X(BindBufferMemory)                        \
  X(CreateShaderModule)                      \
  X(DestroyShaderModule)                     \
  X(CreateComputePipelines)                  \
  X(DestroyPipeline)                         \
  X(UpdateDescriptorSets)                    \
  X(BeginCommandBuffer)                      \
  X(AllocateCommandBuffers)                  \
  X(FreeCommandBuffers)                      \
  X(ResetCommandPool)                        \
  X(DestroyCommandPool)                      \
  X(CmdBindPipeline)                         \
  X(CmdBindDescriptorSets)                   \
  X(CmdDispatch)                             \
  X(CmdDispatchIndirect)                     \
  X(CmdPipelineBarrier)                      \
  X(CmdCopyBuffer)                           \
  X(QueueSubmit)                             \
  X(QueueWaitIdle)

// Of Vulkan 1.1 to 1.3 or of extensions: null where the device has not got them.
#define TUNECHECK_VULKAN_NEWER_FUNCTIONS(X) \
  X(BindBufferMemory2)                      \
  X(BindBufferMemory2KHR)                   \
  X(UpdateDescriptorSetWithTemplate)        \
  X(UpdateDescriptorSetWithTemplateKHR)     \
  X(CmdPushDescriptorSetKHR)                \
  X(CmdDispatchBase)                        \
  X(CmdDispatchBaseKHR)                     \
  X(CmdExecuteCommands)                     \
  X(QueueSubmit2)                           \
  X(QueueSubmit2KHR)

#define TUNECHECK_VULKAN_MEMBER(name) PFN_vk##name name = nullptr;

/// Of one instance; plain data. The newer ones are null where the instance has not got them.
struct InstanceFunctions {
  VkInstance instance = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  TUNECHECK_VULKAN_INSTANCE_FUNCTIONS(TUNECHECK_VULKAN_MEMBER)
};

/// Of one device; plain data.
struct DeviceFunctions {
  VkDevice device = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr GetDeviceProcAddr = nullptr;
  TUNECHECK_VULKAN_DEVICE_FUNCTIONS(TUNECHECK_VULKAN_MEMBER)
  TUNECHECK_VULKAN_NEWER_FUNCTIONS(TUNECHECK_VULKAN_MEMBER)
};

#undef TUNECHECK_VULKAN_MEMBER

[[nodiscard]] InstanceFunctions functions_of(VkInstance instance, PFN_vkGetInstanceProcAddr get);
[[nodiscard]] DeviceFunctions functions_of(VkDevice device, PFN_vkGetDeviceProcAddr get);

}  // namespace tunecheck::vulkan
