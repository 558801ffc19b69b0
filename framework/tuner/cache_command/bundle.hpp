#pragma once
// Entries in one file, for another machine or another folder. docs/cache-format.md has the format.
#include <filesystem>
#include <string>
#include <vector>

#include "tuner/cache_command/contents.hpp"

namespace tunecheck::cache {

/// Writes all entries that are good, atomically, signed with `key` unless that is "". What is
/// damaged is left out: the names of these.
[[nodiscard]] Result<std::vector<std::string>> write_bundle(const Contents& contents,
                                                            const std::filesystem::path& bundle,
                                                            const std::string& key = {});

struct Imported {
  std::vector<std::string> added;  ///< ids
  std::vector<std::string> kept;   ///< ids of entries of the folder that are as new or newer
};

/// Reads the whole bundle before anything is written: one mistake in it and nothing is. Then puts
/// each entry as the tuner does, under the lock of its key; names follow from keys alone. With a
/// `key`, only a bundle that was signed with it is read.
[[nodiscard]] Result<Imported> read_bundle(const std::filesystem::path& bundle,
                                           const std::filesystem::path& cache_folder,
                                           const std::string& key = {});

}  // namespace tunecheck::cache
