#pragma once
// The entries that one program uses, as one file: loaded into the cache folder when the program
// begins, and written when it ends. docs/bundles.md says what that is for.
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tuner/bundle/bundle_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck {

/// What makes a program this one, and where its bundle is.
struct BundleOptions {
  std::filesystem::path folder;                ///< of bundles; made where it is missing
  std::vector<std::filesystem::path> sources;  ///< the program's, whose comments decide nothing
  std::string device;                          ///< programs on two devices have two bundles
  std::string key;                             ///< signs the bundle; "" for none
};

enum class BundleUse {
  none,     ///< no bundle is named
  loaded,   ///< its entries are in the cache folder
  absent,   ///< there is none yet
  refused,  ///< it must not be used
};
[[nodiscard]] std::string_view name_of(BundleUse use);

struct BundleBegun {
  BundleUse use = BundleUse::none;
  std::size_t entries = 0;  ///< that the folder did not have
  std::string reason;       ///< why it was refused
};

/// Keys whose entries were found in the cache folder, or put there, by any thread.
class UsedEntries {
 public:
  void add(const Key& key);
  [[nodiscard]] std::vector<Key> all() const;

 private:
  mutable std::mutex m_mutex;
  std::map<std::string, Key> m_keys;  // by their text
};

/// Seam. begin() and end() are each called once, by one thread.
class ProgramBundle {
 public:
  ProgramBundle(BundleOptions options, std::filesystem::path cache_folder)
      : m_options(std::move(options)), m_store(std::move(cache_folder)) {}
  virtual ~ProgramBundle() = default;

  /// Reads the whole bundle before it puts an entry anywhere. A good entry of the folder stays. The
  /// error is about the program's sources or this machine; what is wrong with the bundle itself is
  /// `refused`, and the program goes on without it.
  [[nodiscard]] virtual Result<BundleBegun> begin();

  /// Writes all that was used, as a whole, in place of the earlier bundle. If nothing was, it
  /// writes nothing, and an earlier bundle stays. How many entries were written.
  [[nodiscard]] virtual Result<std::size_t> end(const std::vector<Key>& used);

  [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

 protected:
  /// Seam: 64 hex digits that name the program with sources of these texts.
  [[nodiscard]] virtual std::string name_of_program(const std::vector<std::string>& sources) const;
  /// Seam: the entries of a bundle.
  [[nodiscard]] virtual Result<std::vector<PackedEntry>> unpack(const std::string& text) const;

  [[nodiscard]] const BundleOptions& options() const { return m_options; }

 private:
  [[nodiscard]] Result<std::string> read_safely() const;

  BundleOptions m_options;
  FolderStore m_store;
  std::filesystem::path m_file;
};

}  // namespace tunecheck
