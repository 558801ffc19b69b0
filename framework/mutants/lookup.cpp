// What is stored is found again under its own key, for as long as it is of use: bugs in how the
// folder is searched, and in what becomes of other winners in it.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <vector>

#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

namespace fs = std::filesystem;

// A store that knows where in the cache folder the winners of a kernel lie.
class FolderKeeper : public StoreDecorator {
 public:
  FolderKeeper(std::unique_ptr<WinnerStore> inner, const fs::path& cache_folder)
      : StoreDecorator(std::move(inner)), m_folder(cache_folder) {}

 protected:
  [[nodiscard]] fs::path folder_of(const Key& key) const { return m_folder.folder_of(key); }
  // The folders of all keys of the kernel, by name.
  [[nodiscard]] std::vector<fs::path> folders_beside(const Key& key) const {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_of(key).parent_path(), error))
      folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
  }

 private:
  FolderStore m_folder;
};

template <class Keeper>
void keep_folder(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner =
                                std::move(setup.parts.make_store)](const TunerOptions& options) {
    return std::make_unique<Keeper>(inner(options), options.cache_folder);
  };
}

class ComparesFirstOnly : public FolderKeeper {
 public:
  using FolderKeeper::FolderKeeper;
  Found find(const Key& key, const KeyContext& context) override {
    const std::vector<fs::path> folders = folders_beside(key);
    if (!folders.empty() && folders.front() != folder_of(key)) return {};
    return FolderKeeper::find(key, context);
  }
};

class KeepsOneEntry : public FolderKeeper {
 public:
  using FolderKeeper::FolderKeeper;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    for (const fs::path& folder : folders_beside(entry.key)) {
      std::error_code ignored;
      if (folder != folder_of(entry.key)) fs::remove_all(folder, ignored);
    }
    return FolderKeeper::put(entry, artifact);
  }
};

using LastFolder = std::shared_ptr<fs::path>;

class RemembersFolder : public FolderKeeper {
 public:
  RemembersFolder(std::unique_ptr<WinnerStore> inner, const fs::path& cache_folder, LastFolder last)
      : FolderKeeper(std::move(inner), cache_folder), m_last(std::move(last)) {}
  Found find(const Key& key, const KeyContext& context) override {
    *m_last = folder_of(key);
    return FolderKeeper::find(key, context);
  }

 private:
  LastFolder m_last;  // of what was asked for last; the adapter's calls come one by one
};

// A winner that fails for one caller is no good for any other, it thinks.
void plant_failed_launch_drops_entry(ReferenceAdapterSetup& setup) {
  const auto last = std::make_shared<fs::path>();
  setup.parts.make_store = [inner = setup.parts.make_store, last](const TunerOptions& options) {
    return std::make_unique<RemembersFolder>(inner(options), options.cache_folder, last);
  };
  setup.before_answer = [last](const protocol::CallRequest&, const protocol::CallAnswer& answer) {
    std::error_code ignored;
    if (!answer.done && answer.winner) fs::remove_all(*last, ignored);
  };
}

// The key in memory has the options; on disk they are not looked at.
class OptionsNotOnDisk : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Found find(const Key& key, const KeyContext& context) override {
    Found found = inner().find(key, context);
    if (found.state != Found::State::miss) return found;
    const std::optional<Key> nearest = inner().nearest(key);
    if (!nearest || key.differing_axes(*nearest) != std::vector<std::string>{"options"})
      return found;
    std::vector<KeyValue> values = key.values();
    for (KeyValue& value : values)
      if (value.axis == "options") value.value = *nearest->find("options");
    return inner().find(Key(std::move(values)), context);
  }
};

// Looks whether the folder is still there before it uses what it has in memory.
class LooksAtFolder : public RealCall {
 public:
  explicit LooksAtFolder(std::shared_ptr<fs::path> folder) : m_folder(std::move(folder)) {}
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    if (kind == CallKind::hit)
      (void)FileDescriptor(::open(m_folder->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    RealCall::prepare(roles, arguments, kind);
  }

 private:
  std::shared_ptr<fs::path> m_folder;  // set when the store is made
};

void plant_opens_folder_on_each_hit(ReferenceAdapterSetup& setup) {
  const auto folder = std::make_shared<fs::path>();
  setup.parts.make_store = [inner = setup.parts.make_store, folder](const TunerOptions& options) {
    *folder = options.cache_folder;
    return inner(options);
  };
  setup.parts.real_call = std::make_shared<LooksAtFolder>(folder);
}

void plant_empties_cache_at_start(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner =
                                std::move(setup.parts.make_store)](const TunerOptions& options) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(options.cache_folder, error)) {
      std::error_code ignored;
      fs::remove_all(entry.path(), ignored);
    }
    return inner(options);
  };
}

}  // namespace

std::vector<Mutant> lookup_mutants() {
  return {
      {"compares_first_entry_only",
       "compares a key with the kernel's first entry only, and tunes again if that entry has "
       "another key (CubeCL, from source)",
       keep_folder<ComparesFirstOnly>},
      {"keeps_one_entry",
       "removes all other winners of a kernel when it stores one, so that a list of configs that "
       "is used again later is tuned again (triton#9822)",
       keep_folder<KeepsOneEntry>},
      {"options_not_on_disk",
       "loses the compile options between the key in memory and the key on disk "
       "(flashinfer#3363)",
       [](ReferenceAdapterSetup& setup) { decorate_store<OptionsNotOnDisk>(setup); }},
      {"failed_launch_drops_entry", "removes a stored winner if its launch fails for one caller",
       plant_failed_launch_drops_entry},
      {"opens_folder_on_each_hit",
       "opens the cache folder at each hit, although it has the winner in memory",
       plant_opens_folder_on_each_hit},
      {"empties_cache_at_start", "removes all stored winners when a process starts (sglang#40420)",
       plant_empties_cache_at_start},
  };
}

}  // namespace tunecheck::mutants
