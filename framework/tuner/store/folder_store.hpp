#pragma once
// Winners in a local folder: <cache>/v1/<kernel>/<digest of the key>/<digest of the toolchain>.json
// and the artifact beside it. docs/cache-format.md has the format.
#include <atomic>
#include <chrono>
#include <filesystem>

#include "core/files.hpp"
#include "tuner/request.hpp"
#include "tuner/store/eviction.hpp"
#include "tuner/store/safe_file.hpp"
#include "tuner/store/store.hpp"

namespace tunecheck {

/// Nothing is trusted that another user could have written: a file or folder that is a symbolic
/// link, belongs to neither this user nor root, or may be written by group or others is stale, and
/// so is whatever is torn or damaged.
class FolderStore : public WinnerStore {
 public:
  /// `eviction` keeps the folder below a limit; null where there is none. lock() gives up after
  /// `lock_time_limit`.
  explicit FolderStore(std::filesystem::path cache_folder,
                       std::shared_ptr<Eviction> eviction = nullptr,
                       std::chrono::milliseconds lock_time_limit = TunerOptions().lock_time_limit);

  [[nodiscard]] Found find(const Key& key, const KeyContext& context) override;
  [[nodiscard]] Result<void> put(const Entry& entry, const Artifact& artifact) override;
  [[nodiscard]] std::optional<Key> nearest(const Key& key) override;
  [[nodiscard]] std::unique_ptr<StoreLock> lock(const Key& key) override;
  [[nodiscard]] std::string take_lock_trouble() override;
  [[nodiscard]] std::unique_ptr<TuningJournal> journal(const Key& key) override;

  /// Reads an entry's file as find() does, whatever its key, and does not count as a use. Stale too
  /// where the file does not lie where its key belongs.
  [[nodiscard]] Found examine(const std::filesystem::path& file) const;

  /// The folder and the file of a key; the file only where the key knows all of its axes.
  [[nodiscard]] std::filesystem::path folder_of(const Key& key) const;
  [[nodiscard]] std::filesystem::path file_of(const Key& key) const;

 protected:
  /// Seam: an error where the bytes are not those that `entry` was written for.
  [[nodiscard]] virtual Result<void> verify_artifact(const Entry& entry,
                                                     const Artifact& artifact) const;

 private:
  [[nodiscard]] std::filesystem::path kernel_folder(const Key& key) const;
  [[nodiscard]] FileDescriptor open_folder_of(const Key& key) const;
  [[nodiscard]] Found read(const FileDescriptor& folder, const std::string& name,
                           const Key* key) const;
  [[nodiscard]] std::optional<Found> read_once(const FileDescriptor& folder,
                                               const std::string& name, const Key* key) const;
  [[nodiscard]] Result<void> put_once(const Entry& entry, const Artifact& artifact,
                                      const std::string& text) const;
  [[nodiscard]] Found newest_of(const FileDescriptor& folder, const Key& key) const;
  [[nodiscard]] SafeOpen open_key_folder(const std::filesystem::path& folder) const;
  [[nodiscard]] Result<void> prepare_folders(const Key& key) const;

  std::filesystem::path m_root;
  std::shared_ptr<Eviction> m_eviction;
  std::chrono::milliseconds m_lock_time_limit;
  std::atomic<int> m_lock_error{0};  // the first errno that says that locks do not work here
  std::atomic<bool> m_lock_trouble_told{false};
};

/// The key as it was before it was written to an entry's file, which does not say what axes a
/// machine may be unable to tell: file_of() and folder_of() need to know.
[[nodiscard]] Key with_unknown_axes(const Key& read);

/// Entries that nearest() reads at most, the newest first among the first few thousand.
inline constexpr std::size_t nearest_entry_limit = 512;

}  // namespace tunecheck
