// What is damaged in the cache folder, or could be somebody else's, is a miss that heals itself:
// bugs in what is made of it.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <unistd.h>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

// A store that also looks at the folder itself, where the store around which it stands refuses to.
class FolderReader : public StoreDecorator {
 public:
  FolderReader(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : StoreDecorator(std::move(inner)), m_folder(cache_folder), m_root(cache_folder) {}

 protected:
  [[nodiscard]] const FolderStore& folder() const { return m_folder; }
  [[nodiscard]] const std::filesystem::path& root() const { return m_root; }
  [[nodiscard]] bool has_entry(const Key& key) const {
    std::error_code error;
    return key.file_digest() && std::filesystem::exists(m_folder.file_of(key), error);
  }
  [[nodiscard]] Result<Entry> read_entry(const Key& key) const {
    TUNECHECK_TRY(const std::string text, read_text_file(m_folder.file_of(key)));
    return parse_entry(text);
  }
  [[nodiscard]] Result<Artifact> read_artifact(const Key& key, const Entry& entry) const {
    TUNECHECK_TRY(auto bytes,
                  read_binary_file(m_folder.folder_of(key) / (entry.artifact_digest + ".so")));
    return Artifact{std::move(bytes)};
  }

 private:
  FolderStore m_folder;
  std::filesystem::path m_root;
};

template <class Store, class... Shared>
void read_folder(ReferenceAdapterSetup& setup, Shared... shared) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store),
                            shared...](const TunerOptions& options) {
    return std::make_unique<Store>(inner(options), options.cache_folder, shared...);
  };
}

using Flag = std::shared_ptr<std::atomic<bool>>;

// Notices an entry that cannot be used for a reason of its own, and lets the call fail.
class NoticesTrouble : public FolderReader {
 public:
  NoticesTrouble(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder,
                 Flag trouble)
      : FolderReader(std::move(inner), cache_folder), m_trouble(std::move(trouble)) {}
  Found find(const Key& key, const KeyContext& context) override {
    Found found = FolderReader::find(key, context);
    *m_trouble = found.state == Found::State::stale && is_trouble(key);
    return found;
  }

 protected:
  [[nodiscard]] virtual bool is_trouble(const Key& key) const = 0;

 private:
  Flag m_trouble;
};

class NoticesDamage : public NoticesTrouble {
  using NoticesTrouble::NoticesTrouble;
  bool is_trouble(const Key& key) const override { return has_entry(key) && !read_entry(key); }
};

class NoticesLostArtifact : public NoticesTrouble {
  using NoticesTrouble::NoticesTrouble;
  bool is_trouble(const Key& key) const override {
    if (!has_entry(key)) return false;
    const auto entry = read_entry(key);
    return entry && !read_artifact(key, *entry);
  }
};

class NoticesFileForFolder : public NoticesTrouble {
  using NoticesTrouble::NoticesTrouble;
  bool is_trouble(const Key& key) const override {
    std::error_code error;
    for (auto place = folder().folder_of(key);; place = place.parent_path()) {
      if (std::filesystem::is_regular_file(place, error)) return true;
      if (place == root()) return false;
    }
  }
};

// The first thing of a tuning that may fail.
class RefusesTrouble : public TrialArguments {
 public:
  RefusesTrouble(const CallArguments& call, Flag trouble)
      : TrialArguments(call), m_trouble(std::move(trouble)) {}
  Result<void> take_snapshot() override {
    if (m_trouble->exchange(false)) return failure("the entry of this key cannot be read");
    return TrialArguments::take_snapshot();
  }

 private:
  Flag m_trouble;
};

template <class Notices>
void plant_refusal(ReferenceAdapterSetup& setup) {
  const auto trouble = std::make_shared<std::atomic<bool>>(false);
  read_folder<Notices>(setup, trouble);
  setup.parts.make_arguments = [trouble](const CallArguments& call) {
    return std::make_unique<RefusesTrouble>(call, trouble);
  };
}

// Opens an entry as if it had to be changed.
class NeedsWritePermission : public FolderReader {
 public:
  using FolderReader::FolderReader;
  Found find(const Key& key, const KeyContext& context) override {
    const std::filesystem::path file = folder().file_of(key);
    if (has_entry(key) && (::access(file.c_str(), W_OK) != 0 ||
                           ::access(file.parent_path().c_str(), W_OK | X_OK) != 0))
      return {Found::State::stale, "the entry cannot be opened", {}, {}};
    return FolderReader::find(key, context);
  }
};

// Somebody has made the cache folder, it thinks.
class ExpectsCacheFolder : public FolderReader {
 public:
  using FolderReader::FolderReader;
  std::unique_ptr<StoreLock> lock(const Key& key) override {
    return is_there() ? FolderReader::lock(key) : nullptr;
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    return is_there() ? FolderReader::put(entry, artifact) : Result<void>();
  }

 private:
  [[nodiscard]] bool is_there() const {
    std::error_code error;
    return std::filesystem::exists(root(), error);
  }
};

// Its digest of an artifact, in the entry and in the file's name, covers all bytes but the last.
class EndUnchecked : public FolderStore {
 public:
  using FolderStore::FolderStore;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    Entry changed = entry;
    changed.artifact_digest = digest_of_most(artifact);
    return FolderStore::put(changed, artifact);
  }

 protected:
  Result<void> verify_artifact(const Entry& entry, const Artifact& artifact) const override {
    if (artifact.bytes.size() == entry.artifact_bytes &&
        digest_of_most(artifact) == entry.artifact_digest)
      return {};
    return failure("the artifact is not the one that was stored");
  }

 private:
  static std::string digest_of_most(const Artifact& artifact) {
    const std::size_t size = artifact.bytes.size();
    return artifact_digest(std::span(artifact.bytes).first(std::max<std::size_t>(size, 1) - 1));
  }
};

void plant_artifact_end_unchecked(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [](const TunerOptions& options) {
    return std::make_unique<EndUnchecked>(options.cache_folder);
  };
}

// Looks at all winners of a kernel before it believes one.
class KernelReader : public FolderReader {
 public:
  using FolderReader::FolderReader;

 protected:
  // The kernel that the key belongs to.
  [[nodiscard]] std::filesystem::path kernel_folder(const Key& key) const {
    return folder().folder_of(key).parent_path();
  }
  [[nodiscard]] bool has_damaged_entry(const Key& key) const {
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(kernel_folder(key), error), end;
         !error && at != end; at.increment(error)) {
      if (at->path().extension() != ".json") continue;
      const auto text = read_text_file(at->path());
      if (text && !parse_entry(*text)) return true;
    }
    return false;
  }
};

class BelievesAllOrNone : public KernelReader {
 public:
  using KernelReader::KernelReader;
  Found find(const Key& key, const KeyContext& context) override {
    if (has_damaged_entry(key)) return {};
    return KernelReader::find(key, context);
  }
};

// Only the call that meets the damage clears the folder: until then all are as they were.
class ClearsAfterDamage : public KernelReader {
 public:
  using KernelReader::KernelReader;
  Found find(const Key& key, const KeyContext& context) override {
    Found found = KernelReader::find(key, context);
    std::error_code ignored;
    if (found.state == Found::State::stale && has_entry(key) && !read_entry(key))
      std::filesystem::remove_all(kernel_folder(key), ignored);
    return found;
  }
};

class KeepsWhatIsThere : public FolderReader {
 public:
  using FolderReader::FolderReader;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    if (has_entry(entry.key)) return {};
    return FolderReader::put(entry, artifact);
  }
};

// Everything but who owns the files and who may write them is still looked at.
class TrustsEverybody : public FolderReader {
 public:
  using FolderReader::FolderReader;
  Found find(const Key& key, const KeyContext& context) override {
    Found refused = FolderReader::find(key, context);
    if (refused.state != Found::State::stale || !has_entry(key)) return refused;
    auto entry = read_entry(key);
    if (!entry || !key.agrees_with(entry->key)) return refused;
    auto artifact = read_artifact(key, *entry);
    if (!artifact || artifact_digest(artifact->bytes) != entry->artifact_digest) return refused;
    return {Found::State::hit, {}, std::move(*entry), std::move(*artifact)};
  }
};

}  // namespace

std::vector<Mutant> damage_mutants() {
  return {
      {"damaged_entry_is_an_error",
       "fails a call whose entry is damaged instead of tuning again (pytorch#119698)",
       plant_refusal<NoticesDamage>},
      {"missing_artifact_is_an_error",
       "fails a call whose entry is whole and whose artifact cannot be read (pytorch#100870)",
       plant_refusal<NoticesLostArtifact>},
      {"file_for_folder_is_an_error",
       "fails a call if a file stands where a folder of the cache should be",
       plant_refusal<NoticesFileForFolder>},
      {"needs_write_permission",
       "uses no entry that it may not write, so that a cache that is shared for reading is of no "
       "use (pytorch#126942)",
       read_folder<NeedsWritePermission>},
      {"expects_cache_folder",
       "stores nothing, and says nothing of it, if the cache folder has not been made yet",
       read_folder<ExpectsCacheFolder>},
      {"artifact_end_unchecked",
       "loads a stored artifact whose last byte is not the one that was stored (pytorch#119698)",
       plant_artifact_end_unchecked},
      {"damaged_entry_hides_others",
       "uses no winner of a kernel as long as one of its entries is damaged (pytorch#153791)",
       read_folder<BelievesAllOrNone>},
      {"damaged_entry_clears_others",
       "removes all winners of a kernel if it finds one of its entries damaged",
       read_folder<ClearsAfterDamage>},
      {"damaged_entry_stays",
       "does not replace an entry that already exists, so that a damaged one is never healed",
       read_folder<KeepsWhatIsThere>},
      {"loads_files_of_others",
       "loads files that another user wrote, or could have written, to the cache folder "
       "(pycuda#54)",
       read_folder<TrustsEverybody>},
  };
}

}  // namespace tunecheck::mutants
