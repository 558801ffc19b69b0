#pragma once
// Lists of names in a file, one a line: blank lines, and what follows a '#', say nothing.
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

struct ListedName {
  std::string name;
  int line = 0;  ///< from 1
};

/// An error where the file cannot be read, names nothing, has two words in a line, or is no text.
[[nodiscard]] Result<std::vector<ListedName>> read_name_list(const std::filesystem::path& file);

}  // namespace tunecheck
