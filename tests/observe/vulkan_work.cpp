// A program that adds vectors by Vulkan, on a device that is a CPU: for tests of the observer.
//
//   observe-vulkan-work WORK
//     add         two launches in one command buffer, submitted once
//     again       the same command buffer is submitted twice
//     recorded    launches are recorded and never submitted
//     device      says whether there is such a device, and ends
//     driver      prints what the driver says of itself, a line each: its version's number, its
//                 information, and the digests of its code and of its compiler
//
// Ends with status 0 if it did the work, 2 if there is no device, 3 if a pipeline was refused.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <vulkan/vulkan.h>

#include "vulkan_shader.hpp"

namespace {

using namespace tunecheck::vulkan_case;

constexpr VkDeviceSize bytes = elements * sizeof(float);
// The second tensor begins here in the memory of its buffer.
constexpr VkDeviceSize second_offset = 256;

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + " failed");
}

struct Work {
  VkInstance instance{};
  VkPhysicalDevice physical{};
  VkDevice device{};
  VkQueue queue{};
  VkBuffer buffers[2]{};
  VkPipeline pipeline{};
  VkPipelineLayout layout{};
  VkDescriptorSet set{};
  VkCommandBuffer commands{};

  bool find_device();
  void open_device();
  void make_buffer(int which, float value);
  VkResult make_pipeline();
  void make_set(VkDescriptorSetLayout set_layout);
  void record();
  void submit() const;
};

bool Work::find_device() {
  VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "work", 1, "", 0, VK_API_VERSION_1_1};
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) return false;
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> all(count);
  vkEnumeratePhysicalDevices(instance, &count, all.data());
  for (const VkPhysicalDevice each : all) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(each, &properties);
    if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) physical = each;
  }
  return physical != VK_NULL_HANDLE;
}

void Work::open_device() {
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  vkGetDeviceQueue(device, 0, 0, &queue);
}

void Work::make_buffer(int which, float value) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = second_offset + bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  check(vkCreateBuffer(device, &info, nullptr, &buffers[which]), "vkCreateBuffer");
  VkMemoryRequirements needed;
  vkGetBufferMemoryRequirements(device, buffers[which], &needed);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  VkMemoryAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needed.size;
  for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if ((memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0)
      allocation.memoryTypeIndex = type;
  VkDeviceMemory allocated{};
  check(vkAllocateMemory(device, &allocation, nullptr, &allocated), "vkAllocateMemory");
  check(vkBindBufferMemory(device, buffers[which], allocated, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  check(vkMapMemory(device, allocated, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::fill_n(static_cast<float*>(mapped), (second_offset + bytes) / sizeof(float), value);
}

VkResult Work::make_pipeline() {
  VkDescriptorSetLayoutBinding bindings[2]{};
  for (std::uint32_t i = 0; i < 2; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           nullptr, 0, 2, bindings};
  VkDescriptorSetLayout set_layout{};
  check(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &set_layout), "set layout");
  VkPipelineLayoutCreateInfo layout_info{};
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.setLayoutCount = 1;
  layout_info.pSetLayouts = &set_layout;
  check(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout), "pipeline layout");
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                       sizeof(shader), shader};
  VkShaderModule module{};
  check(vkCreateShaderModule(device, &module_info, nullptr, &module), "vkCreateShaderModule");
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = entry_point;
  info.layout = layout;
  const VkResult result =
      vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  if (result == VK_SUCCESS) make_set(set_layout);
  return result;
}

void Work::make_set(VkDescriptorSetLayout set_layout) {
  VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  VkDescriptorPoolCreateInfo pool_info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
  VkDescriptorPool pool{};
  check(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                       pool, 1, &set_layout};
  check(vkAllocateDescriptorSets(device, &set_info, &set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo bound[2] = {{buffers[0], 0, bytes},
                                           {buffers[1], second_offset, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet writes[2]{};
  for (std::uint32_t i = 0; i < 2; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &bound[i];
  }
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
}

void Work::record() {
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, 0};
  VkCommandPool pool{};
  check(vkCreateCommandPool(device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                   VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  check(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  for (int launch = 0; launch < 2; ++launch) {
    vkCmdDispatch(commands, (elements + 63) / 64, 1, 1);
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                         nullptr);
  }
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void Work::submit() const {
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

void print(const char* name, const std::uint8_t (&digest)[VK_UUID_SIZE]) {
  std::printf("%s ", name);
  for (const std::uint8_t byte : digest)
    std::printf("%02x", byte);
  std::printf("\n");
}

void print_driver(VkPhysicalDevice physical) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceIDProperties id{};
  id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  id.pNext = &driver;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &id;
  vkGetPhysicalDeviceProperties2(physical, &all);
  VkPhysicalDeviceProperties plain{};
  vkGetPhysicalDeviceProperties(physical, &plain);
  if (plain.driverVersion != all.properties.driverVersion)
    throw std::runtime_error("two versions of one driver");
  std::printf("version %u\ninformation %s\n", plain.driverVersion, driver.driverInfo);
  print("code", id.driverUUID);
  print("compiler", plain.pipelineCacheUUID);
}

int run(const std::string& what) {
  Work work;
  if (!work.find_device()) return 2;
  if (what == "device") return 0;
  if (what == "driver") {
    print_driver(work.physical);
    return 0;
  }
  work.open_device();
  work.make_buffer(0, 1);  // terms
  work.make_buffer(1, 5);  // sums
  if (work.make_pipeline() != VK_SUCCESS) return 3;
  work.record();
  if (what == "add" || what == "again") work.submit();
  if (what == "again") work.submit();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
