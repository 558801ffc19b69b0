#include "observe/vulkan/functions.hpp"

namespace tunecheck::vulkan {

InstanceFunctions functions_of(VkInstance instance, PFN_vkGetInstanceProcAddr get) {
  InstanceFunctions functions;
  functions.instance = instance;
  functions.GetInstanceProcAddr = get;
#define TUNECHECK_VULKAN_FIND(name) \
  functions.name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));
  TUNECHECK_VULKAN_INSTANCE_FUNCTIONS(TUNECHECK_VULKAN_FIND)
#undef TUNECHECK_VULKAN_FIND
  return functions;
}

DeviceFunctions functions_of(VkDevice device, PFN_vkGetDeviceProcAddr get) {
  DeviceFunctions functions;
  functions.device = device;
  functions.GetDeviceProcAddr = get;
#define TUNECHECK_VULKAN_FIND(name) \
  functions.name = reinterpret_cast<PFN_vk##name>(get(device, "vk" #name));
  TUNECHECK_VULKAN_DEVICE_FUNCTIONS(TUNECHECK_VULKAN_FIND)
  TUNECHECK_VULKAN_NEWER_FUNCTIONS(TUNECHECK_VULKAN_FIND)
#undef TUNECHECK_VULKAN_FIND
  return functions;
}

}  // namespace tunecheck::vulkan
