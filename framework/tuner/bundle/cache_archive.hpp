#pragma once
// All entries of a cache folder in one file, and back: `tunecheck cache export` and `import`.
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tuner/bundle/bundle_format.hpp"
#include "tuner/key/key.hpp"
#include "tuner/store/store.hpp"

namespace tunecheck {

/// What an import did with the entries of a file.
struct ImportedEntries {
  std::vector<Key> added;
  std::vector<Key> kept;  ///< the folder has one that is as new or newer
};

/// One cache folder. Other processes may use it meanwhile. Seam: every virtual member may be
/// overridden on its own. One thread at a time.
class CacheArchive {
 public:
  /// Signs with `key` and expects others to have signed with it, unless that is "".
  CacheArchive(std::filesystem::path cache_folder, std::string key)
      : m_folder(std::move(cache_folder)), m_key(std::move(key)) {}
  virtual ~CacheArchive() = default;

  /// Writes all entries that are good, atomically; how many.
  [[nodiscard]] Result<std::size_t> export_to(const std::filesystem::path& file) const;

  /// Reads the whole file before anything is written: one mistake in it and nothing is. Then puts
  /// each entry as the tuner does, under the lock of its key; names follow from keys alone.
  [[nodiscard]] Result<ImportedEntries> import_from(const std::filesystem::path& file) const;

 protected:
  [[nodiscard]] virtual std::string pack(std::span<const PackedEntry> entries) const;
  [[nodiscard]] virtual Result<std::vector<PackedEntry>> unpack(const std::string& text,
                                                                const std::string& file) const;
  /// True where the folder's own entry stays.
  [[nodiscard]] virtual bool keeps(const Found& present, const Entry& imported) const;
  /// Before an import that can be made.
  virtual void prepare_import() const {}
  [[nodiscard]] const std::string& key() const { return m_key; }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

 private:
  std::filesystem::path m_folder;
  std::string m_key;
};

}  // namespace tunecheck
