// What a device is given to run: modules, pipelines, and how they are bound.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <span>
#include <thread>
#include <unistd.h>

#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/file_digest.hpp"
#include "observe/vulkan/compiler.hpp"
#include "observe/vulkan/device.hpp"

namespace tunecheck::vulkan {
namespace {

// As of the compiler spies: where they refuse, and where a signal ends the compiler.
constexpr int refused_status = 86;
constexpr int crashed_status = 128 + SIGSEGV;

std::string digest_of(const VkShaderModuleCreateInfo& info) {
  return info.pCode == nullptr
             ? std::string()
             : bytes_digest(std::as_bytes(std::span(info.pCode, info.codeSize / 4)));
}

}  // namespace

VkResult Device::create_shader_module(const VkShaderModuleCreateInfo& info,
                                      const VkAllocationCallbacks* allocator,
                                      VkShaderModule* module) {
  const std::int64_t started_ns = evidence_now_ns();
  const VkResult result = m_next.CreateShaderModule(m_next.device, &info, allocator, module);
  ModuleEvent event;
  event.time_ns = started_ns;
  event.pid = ::getpid();
  event.kind = "spirv";
  event.size = info.codeSize;
  event.status = result;
  event.module = digest_of(info);
  m_writer.write(to_line(event));
  if (result == VK_SUCCESS) {
    const std::lock_guard lock(m_mutex);
    m_modules[*module] = event.module;
  }
  return result;
}

void Device::destroy_shader_module(VkShaderModule module, const VkAllocationCallbacks* allocator) {
  {
    const std::lock_guard lock(m_mutex);
    m_modules.erase(module);
  }
  m_next.DestroyShaderModule(m_next.device, module, allocator);
}

// The code may also stand in the stage itself (VK_KHR_maintenance5).
std::string Device::module_of(const VkPipelineShaderStageCreateInfo& stage) const {
  if (stage.module != VK_NULL_HANDLE) {
    const std::lock_guard lock(m_mutex);
    const auto known = m_modules.find(stage.module);
    return known != m_modules.end() ? known->second : "";
  }
  for (auto* chained = static_cast<const VkBaseInStructure*>(stage.pNext); chained != nullptr;
       chained = chained->pNext)
    if (chained->sType == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)
      return digest_of(*reinterpret_cast<const VkShaderModuleCreateInfo*>(chained));
  return {};
}

// What the judge says of compiles is about the kernel under test: a library that an application
// uses has kernels of its own, without which it does not even begin.
bool Device::is_of_interest(std::span<const VkComputePipelineCreateInfo> infos) const {
  return std::any_of(infos.begin(), infos.end(), [&](const VkComputePipelineCreateInfo& info) {
    const auto any = [](const gpu::WatchedKernel&) { return true; };
    return m_writer.is_of_interest(m_writer.watched(info.stage.pName, any).as);
  });
}

VkResult Device::create_compute_pipelines(VkPipelineCache cache,
                                          std::span<const VkComputePipelineCreateInfo> infos,
                                          const VkAllocationCallbacks* allocator,
                                          VkPipeline* pipelines) {
  const SpySettings compiler = is_of_interest(infos) ? compiler_settings() : SpySettings{};
  // This compiler is a part of the program: where it crashes, the program sees a call that failed.
  const bool crashes = compiler.mode == "crashing";
  const bool refused = compiler.mode == "poisoned" || crashes;
  if (compiler.mode == "slow")
    std::this_thread::sleep_for(std::chrono::milliseconds(compiler.delay_ms));
  const std::int64_t started_ns = evidence_now_ns();
  VkResult result = VK_ERROR_INVALID_SHADER_NV;  // "failed to compile or link"
  if (refused)
    std::fill_n(pipelines, infos.size(), VkPipeline(VK_NULL_HANDLE));
  else
    result = m_next.CreateComputePipelines(m_next.device, cache,
                                           static_cast<std::uint32_t>(infos.size()), infos.data(),
                                           allocator, pipelines);
  std::string lines;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const VkPipelineShaderStageCreateInfo& stage = infos[i].stage;
    const Pipeline pipeline{stage.pName != nullptr ? stage.pName : "", module_of(stage)};
    const bool is_made = !refused && pipelines[i] != VK_NULL_HANDLE;
    CompileEvent event;
    event.time_ns = started_ns;
    event.pid = ::getpid();
    event.tool = "vulkan";
    event.arguments = {pipeline.entry_point};
    event.mode = compiler.mode;
    event.exit_status = is_made ? 0 : crashes ? crashed_status : refused ? refused_status : 1;
    event.output_digest = is_made ? pipeline.module : "";
    event.wall_ns = evidence_now_ns() - started_ns;
    lines += to_line(event);
    if (!is_made) continue;
    const std::lock_guard lock(m_mutex);
    m_pipelines[pipelines[i]] = pipeline;
  }
  m_writer.write(lines);
  return result;
}

void Device::destroy_pipeline(VkPipeline pipeline, const VkAllocationCallbacks* allocator) {
  {
    const std::lock_guard lock(m_mutex);
    m_pipelines.erase(pipeline);
  }
  m_next.DestroyPipeline(m_next.device, pipeline, allocator);
}

void Device::bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                           VkPipeline pipeline) {
  m_next.CmdBindPipeline(commands, point, pipeline);
  if (point != VK_PIPELINE_BIND_POINT_COMPUTE) return;
  const std::lock_guard lock(m_mutex);
  const auto known = m_pipelines.find(pipeline);
  m_recordings[commands].pipeline = known != m_pipelines.end() ? known->second : Pipeline{};
}

}  // namespace tunecheck::vulkan
