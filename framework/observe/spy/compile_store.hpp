#pragma once
// Outputs of earlier compiles, by everything that decides them. Shared by any number of spies and
// workspaces; a damaged or vanished entry is a miss, and the next compile replaces it.
//
//   <store>/<first 2 digits of the key>/<key>/<digest>.entry  dependencies and text of one compile
//   <store>/outputs/<SHA-256>                                 its output file
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "observe/spy/command_line.hpp"
#include "observe/spy/movable_paths.hpp"
#include "observe/spy/temporary_name.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck::spy {

class KeyText;
struct Dependencies;

/// What a successful compile left.
struct StoredCompile {
  std::string out;  ///< its stdout
  std::string err;
  std::string output;  ///< content of the output file
  bool executable = false;
  std::string output_digest;  ///< SHA-256
};

/// The store as seen by one command.
class CompileStore {
 public:
  /// Nothing where the command must not be answered from a store.
  [[nodiscard]] static std::optional<CompileStore> open(const SpySettings& settings,
                                                        const CommandLine& command);

  [[nodiscard]] std::optional<StoredCompile> find() const;
  /// The options that make the compiler write its dependencies to `file`.
  [[nodiscard]] static std::vector<std::string> dependency_options(
      const std::filesystem::path& file);
  /// Keeps a compile that began at `started_ns` (CLOCK_REALTIME) and wrote `dependency_file`. A
  /// compile that cannot be kept is silently not kept.
  void add(const StoredCompile& compile, const std::filesystem::path& dependency_file,
           std::int64_t started_ns) const;

  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

 private:
  CompileStore(std::filesystem::path folder, MovablePaths paths)
      : m_folder(std::move(folder)), m_paths(std::move(paths)) {}
  /// False where something that belongs to the key cannot be read.
  [[nodiscard]] bool make_key(const SpySettings& settings, const CommandLine& command);
  [[nodiscard]] bool add_to_key(KeyText& key, const Argument& argument);
  [[nodiscard]] std::optional<StoredCompile> read_entry(const std::filesystem::path& file) const;
  /// Without the source itself where its name is another each time: its content is in the key.
  void leave_out_temporary_source(Dependencies& dependencies) const;
  [[nodiscard]] std::filesystem::path output_file(const std::string& digest) const;

  std::filesystem::path m_folder;
  MovablePaths m_paths;
  TemporaryName m_temporary;  // of the source
  std::vector<std::filesystem::path> m_search_folders;
  std::vector<std::filesystem::path> m_mapped_folders;
  std::filesystem::path m_entries;  // the folder of this key
};

}  // namespace tunecheck::spy
