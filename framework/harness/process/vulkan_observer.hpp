#pragma once
// How a process gets the Vulkan observer: the layer, through Vulkan's loader, and what it is told.
#include <filesystem>
#include <map>
#include <string>

#include "core/result.hpp"
#include "harness/process/listed_path.hpp"
#include "harness/process/process_setup.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck {

/// The folder of the layer's manifest, as VK_ADD_LAYER_PATH takes it; an empty path where the
/// observer was not built, which matters to those alone that need it.
[[nodiscard]] Result<ListedPath> find_vulkan_layer_folder();

/// Variables of a process in which every pipeline and every launch of `kernel` by Vulkan is to be
/// recorded, and no other launch. `bin` is the folder of the process's compilers, `home` a folder
/// of the process.
[[nodiscard]] std::map<std::string, std::string> vulkan_observer_variables(
    const ListedPath& layer_folder, const std::filesystem::path& bin,
    const std::filesystem::path& home, const std::string& kernel);

/// Tells it what becomes of compiles from now on. It stands for Vulkan's own compiler as spies do
/// for others: poisoned or absent it refuses, slow it waits.
[[nodiscard]] Result<void> tell_vulkan_observer(const std::filesystem::path& bin,
                                                SpySettings settings, CompilerMode mode);

}  // namespace tunecheck
