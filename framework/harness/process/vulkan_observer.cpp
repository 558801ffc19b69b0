#include "harness/process/vulkan_observer.hpp"

#include <utility>

#include "core/files.hpp"
#include "observe/tools.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr const char* compiler_name = "vulkan";

}  // namespace

Result<ListedPath> find_vulkan_layer_folder() {
  const auto manifest = find_vulkan_layer();
  if (!manifest) return ListedPath();
  return ListedPath::create(manifest->parent_path());
}

std::map<std::string, std::string> vulkan_observer_variables(const ListedPath& layer_folder,
                                                             const fs::path& bin,
                                                             const fs::path& home,
                                                             const std::string& kernel) {
  return {{"VK_ADD_LAYER_PATH", layer_folder.string()},
          {"VK_INSTANCE_LAYERS", std::string(vulkan_layer_name)},
          {"TUNECHECK_PROBE_KERNEL", kernel},
          {"TUNECHECK_VULKAN_COMPILER", spy_settings_file(bin / compiler_name).string()},
          // What a driver compiled must not come from another process.
          {"MESA_SHADER_CACHE_DIR", (home / "driver-cache").string()}};
}

Result<void> tell_vulkan_observer(const fs::path& bin, SpySettings settings, CompilerMode mode) {
  if (mode == CompilerMode::absent) settings.mode = "poisoned";
  return write_file_atomically(spy_settings_file(bin / compiler_name), to_text(settings));
}

}  // namespace tunecheck
