#pragma once
// Damage to single files of a cache folder, and to the folders that hold them.
#include <filesystem>
#include <string>

#include "core/result.hpp"
#include "harness/process/process_setup.hpp"

namespace tunecheck {

/// Does what `action` says (truncate, flip, remove, replace, protect or hide) to the files whose
/// paths below `cache` match `glob`, or to the folders that hold them. An error where no file
/// matches.
[[nodiscard]] Result<void> damage_cache(const std::filesystem::path& cache,
                                        const CacheAction& action, const std::string& glob);

}  // namespace tunecheck
