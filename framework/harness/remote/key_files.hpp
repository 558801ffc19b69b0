#pragma once
// Files with the secrets by which a scenario's processes sign what they share.
#include <filesystem>

#include "core/result.hpp"
#include "harness/process/remote_words.hpp"

namespace tunecheck {

/// Writes the file that `key` (own or other) names into `folder`, readable by this user alone, and
/// returns its path. Every call writes the same.
[[nodiscard]] Result<std::filesystem::path> write_key_file(const std::filesystem::path& folder,
                                                           RemoteKey key);

}  // namespace tunecheck
