#pragma once
// The entries of a cache folder, each read as the tuner reads it.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tuner/store/folder_store.hpp"

namespace tunecheck::cache {

struct StoredEntry {
  std::string kernel;
  std::string id;             ///< what people call it: "3449596a4fff-de5208"
  std::string folder_digest;  ///< 32 hex digits, as is the next one
  std::string file_digest;
  std::filesystem::path file;
  std::uint64_t bytes = 0;        ///< of the entry and its artifact
  std::int64_t last_used_ns = 0;  ///< CLOCK_REALTIME
  std::string trouble;            ///< why the tuner would not use it; "" where it would
  bool displaced = false;         ///< `file` stands where a folder belongs, as a link may
  Entry entry;                    ///< where there is no trouble
  Artifact artifact;              ///< likewise
};

/// Hands out the entries one by one, by kernel, then by key, in the same memory however many there
/// are. Entries that come or go meanwhile may be handed out or not. What stands where a folder of
/// entries belongs, and is none, is handed out as a damaged entry. Error: the folder is none, or
/// another user could have written to it; or the first one that `visit` returns.
using VisitEntry = std::function<Result<void>(const StoredEntry&)>;
[[nodiscard]] Result<void> for_each_entry(const std::filesystem::path& cache_folder,
                                          const VisitEntry& visit);

/// All entries with their artifacts in memory: for a bundle, which is in memory as well.
struct Contents {
  std::vector<StoredEntry> entries;  ///< by kernel, then by key
};
[[nodiscard]] Result<Contents> read_contents(const std::filesystem::path& cache_folder);

/// The one entry that `name` means: its id, or the beginning of it. Only the names
/// of the others are read. The error lists those that it could be, up to a number.
[[nodiscard]] Result<StoredEntry> find_entry(const std::filesystem::path& cache_folder,
                                             const std::string& name);

}  // namespace tunecheck::cache
