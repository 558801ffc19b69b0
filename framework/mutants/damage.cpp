// What is damaged in the cache folder, or could be somebody else's, is a miss that heals itself:
// bugs in what is made of it.
#include <atomic>
#include <filesystem>

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
      : StoreDecorator(std::move(inner)), m_folder(cache_folder) {}

 protected:
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
};

template <class Store, class... Shared>
void read_folder(ReferenceAdapterSetup& setup, Shared... shared) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store),
                            shared...](const TunerOptions& options) {
    return std::make_unique<Store>(inner(options), options.cache_folder, shared...);
  };
}

using Flag = std::shared_ptr<std::atomic<bool>>;

class NoticesDamage : public FolderReader {
 public:
  NoticesDamage(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder,
                Flag damaged)
      : FolderReader(std::move(inner), cache_folder), m_damaged(std::move(damaged)) {}
  Found find(const Key& key, const KeyContext& context) override {
    Found found = FolderReader::find(key, context);
    *m_damaged = found.state == Found::State::stale && has_entry(key) && !read_entry(key);
    return found;
  }

 private:
  Flag m_damaged;
};

// The first thing of a tuning that may fail.
class RefusesDamage : public TrialArguments {
 public:
  RefusesDamage(const CallArguments& call, Flag damaged)
      : TrialArguments(call), m_damaged(std::move(damaged)) {}
  Result<void> take_snapshot() override {
    if (m_damaged->exchange(false)) return failure("the entry of this key cannot be read");
    return TrialArguments::take_snapshot();
  }

 private:
  Flag m_damaged;
};

void plant_damaged_entry_is_an_error(ReferenceAdapterSetup& setup) {
  const auto damaged = std::make_shared<std::atomic<bool>>(false);
  read_folder<NoticesDamage>(setup, damaged);
  setup.parts.make_arguments = [damaged](const CallArguments& call) {
    return std::make_unique<RefusesDamage>(call, damaged);
  };
}

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
       plant_damaged_entry_is_an_error},
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
