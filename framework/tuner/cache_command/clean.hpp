#pragma once
// Removing from a cache folder what nobody can use, and what is too much.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::cache {

struct Cleaned {
  std::vector<std::string> removed;      ///< a line each: what, and why
  std::vector<std::string> in_use;       ///< what stayed because somebody tunes it
  std::vector<std::string> not_removed;  ///< a line each: what should have gone, and why not
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

/// Removes damaged entries, what is left of tunings that did not end, temporary files of processes
/// that are gone, and then the least recently used entries until the rest fits into `limit_bytes`.
/// What is being tuned stays. `dry` removes nothing and says what it would.
[[nodiscard]] Result<Cleaned> clean(const std::filesystem::path& cache_folder,
                                    std::uint64_t limit_bytes, bool dry);

}  // namespace tunecheck::cache
