#pragma once
// The files below a folder, as the snapshot and the launch probe see them.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

struct ListedFile {
  std::string path;  ///< relative to the folder
  std::uint64_t size = 0;
  unsigned mode = 0;  ///< permission bits
  bool is_link = false;
};

/// Regular files and symbolic links, sorted by path. What vanishes meanwhile is left out; an error
/// where the folder or one below it cannot be read.
[[nodiscard]] Result<std::vector<ListedFile>> list_files(const std::filesystem::path& folder);

}  // namespace tunecheck
