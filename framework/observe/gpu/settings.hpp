#pragma once
// What the GPU probe is told by its environment; docs/evidence.md has the list.
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace tunecheck::gpu {

struct Settings {
  std::string evidence;              ///< file
  std::string folder;                ///< to list at each launch; "" for none
  std::string files;                 ///< of the folder, as listing_digest() takes them
  bool watch = false;                ///< digest tensors
  std::set<std::string> kernels;     ///< those of interest by their symbols; empty: all
  std::filesystem::path watch_file;  ///< "" for none

  [[nodiscard]] bool is_of_interest(const std::string& kernel) const {
    return kernels.empty() || kernels.contains(kernel);
  }
};

/// From the environment; nothing where the probe is to be inert.
[[nodiscard]] std::optional<Settings> read_settings();

}  // namespace tunecheck::gpu
