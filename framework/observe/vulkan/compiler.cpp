#include "observe/vulkan/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace tunecheck::vulkan {
namespace {

bool is_another(const SpySettings& compiler) {
  return compiler.mode == "rebuilt" || !compiler.version_suffix.empty();
}

// Two compilers that the judge makes are two: their names go into it.
void make_another(const SpySettings& compiler, std::span<std::uint8_t> digest) {
  const std::string name = compiler.mode + compiler.version_suffix;
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] ^= static_cast<std::uint8_t>(name[i % name.size()]);
}

void append(std::span<char> text, std::string_view suffix) {
  const std::size_t length = ::strnlen(text.data(), text.size());
  const std::size_t room = text.size() - 1 - std::min(length, text.size() - 1);
  const std::string_view fits = suffix.substr(0, room);
  std::copy(fits.begin(), fits.end(), text.begin() + static_cast<std::ptrdiff_t>(length));
  text[length + fits.size()] = '\0';
}

}  // namespace

SpySettings compiler_settings() {
  const char* const file = std::getenv("TUNECHECK_VULKAN_COMPILER");
  if (file == nullptr || *file == '\0') return {};
  auto settings = read_spy_settings(file);
  return settings ? std::move(*settings) : SpySettings{};
}

void stand_for_compiler(const SpySettings& compiler, VkPhysicalDeviceProperties& properties) {
  if (!is_another(compiler)) return;
  if (!compiler.version_suffix.empty()) ++properties.driverVersion;
  make_another(compiler, properties.pipelineCacheUUID);
}

void stand_for_compiler(const SpySettings& compiler, VkPhysicalDeviceProperties2& properties) {
  if (!is_another(compiler)) return;
  stand_for_compiler(compiler, properties.properties);
  for (auto* each = static_cast<VkBaseOutStructure*>(properties.pNext); each != nullptr;
       each = each->pNext) {
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
      append(reinterpret_cast<VkPhysicalDeviceDriverProperties*>(each)->driverInfo,
             compiler.version_suffix);
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES)
      append(reinterpret_cast<VkPhysicalDeviceVulkan12Properties*>(each)->driverInfo,
             compiler.version_suffix);
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
      make_another(compiler, reinterpret_cast<VkPhysicalDeviceIDProperties*>(each)->driverUUID);
    if (each->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
      make_another(compiler,
                   reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(each)->driverUUID);
  }
}

}  // namespace tunecheck::vulkan
