#pragma once
// The driver's compiler, as the judge wants it to be: TUNECHECK_VULKAN_COMPILER names the settings.
#include <vulkan/vulkan_core.h>

#include "observe/spy_settings.hpp"

namespace tunecheck::vulkan {

/// What the judge has said that becomes of compiles, which may have changed since the last one.
/// Without settings that can be read, compiles go on: the judge notices that nobody obeys it.
[[nodiscard]] SpySettings compiler_settings();

/// What tells the driver's compiler from another one, in what the driver says of itself: makes it
/// that of another release (version_suffix: its version and all of its digests differ) or of
/// another build (mode rebuilt: the digests alone). Does nothing otherwise.
void stand_for_compiler(const SpySettings& compiler, VkPhysicalDeviceProperties& properties);
/// The same for a chain of structures, of which those that it does not know stay as they are.
void stand_for_compiler(const SpySettings& compiler, VkPhysicalDeviceProperties2& properties);

}  // namespace tunecheck::vulkan
