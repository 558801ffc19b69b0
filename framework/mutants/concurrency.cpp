// Several ask at the same moment, or after somebody died: bugs in who tunes, and in what is left.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

#include <sys/file.h>

#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

class NoTurns : public Turns {
 public:
  [[nodiscard]] std::unique_lock<std::mutex> take(std::mutex& /*of_key*/) const override {
    return {};
  }
};

using FailureFlag = std::shared_ptr<std::atomic<bool>>;

// A key of which a tuning has failed stays pending: who comes next waits for a result that nobody
// makes any more.
class PendingForEver : public Turns {
 public:
  explicit PendingForEver(FailureFlag failed) : m_failed(std::move(failed)) {}
  [[nodiscard]] std::unique_lock<std::mutex> take(std::mutex& of_key) const override {
    std::unique_lock turn = Turns::take(of_key);
    while (*m_failed)
      ::pause();
    return turn;
  }

 private:
  FailureFlag m_failed;
};

// Its first virtual member is called when a tuning begins, its second when one has failed.
class RemembersFailure : public TrialArguments {
 public:
  RemembersFailure(const CallArguments& call, FailureFlag failed, bool gives_up)
      : TrialArguments(call), m_failed(std::move(failed)), m_gives_up(gives_up) {}
  Result<void> take_snapshot() override {
    if (m_gives_up && *m_failed) return failure("no config of this kernel can be used");
    return TrialArguments::take_snapshot();
  }
  void undo() override {
    *m_failed = true;
    TrialArguments::undo();
  }

 private:
  FailureFlag m_failed;
  bool m_gives_up;
};

FailureFlag remember_failure(ReferenceAdapterSetup& setup, bool gives_up) {
  auto failed = std::make_shared<std::atomic<bool>>(false);
  setup.parts.make_arguments = [failed, gives_up](const CallArguments& call) {
    return std::make_unique<RemembersFailure>(call, failed, gives_up);
  };
  return failed;
}

class WithoutLock : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  std::unique_ptr<StoreLock> lock(const Key& /*key*/) override { return nullptr; }
};

// A lock that cannot be had is waited for, whatever the reason.
class InsistsOnLock : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  std::unique_ptr<StoreLock> lock(const Key& key) override {
    for (;;) {
      if (auto held = StoreDecorator::lock(key)) return held;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
};

// Stores only under a lock.
class StoresLocked : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  std::unique_ptr<StoreLock> lock(const Key& key) override {
    auto held = StoreDecorator::lock(key);
    m_locked = held != nullptr;
    return held;
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    if (!m_locked) return failure("the cache folder is not locked");
    return StoreDecorator::put(entry, artifact);
  }

 private:
  std::atomic<bool> m_locked{false};
};

class NoJournal : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  std::unique_ptr<TuningJournal> journal(const Key& /*key*/) override { return nullptr; }
};

// A store that knows where the entries lie.
class InFolder : public StoreDecorator {
 public:
  InFolder(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : StoreDecorator(std::move(inner)), m_folder(cache_folder), m_root(cache_folder) {}

 protected:
  [[nodiscard]] const FolderStore& folder() const { return m_folder; }
  [[nodiscard]] const std::filesystem::path& root() const { return m_root; }

 private:
  FolderStore m_folder;
  std::filesystem::path m_root;
};

template <class Store>
void store_in_folder(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner =
                                std::move(setup.parts.make_store)](const TunerOptions& options) {
    return std::make_unique<Store>(inner(options), options.cache_folder);
  };
}

class LockFile : public StoreLock {
 public:
  explicit LockFile(std::filesystem::path file) : m_file(std::move(file)) {}
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile() override {
    std::error_code ignored;
    std::filesystem::remove(m_file, ignored);
  }

 private:
  std::filesystem::path m_file;
};

// A file that exists as long as somebody tunes: nobody removes that of the dead.
class LocksByFile : public InFolder {
 public:
  using InFolder::InFolder;
  std::unique_ptr<StoreLock> lock(const Key& key) override {
    if (!create_folders(root())) return nullptr;
    const std::filesystem::path file = root() / (key.folder_digest() + ".lock");
    for (;;) {
      const FileDescriptor made(
          ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (made.valid()) return std::make_unique<LockFile>(file);
      if (errno != EEXIST) return nullptr;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
};

class FolderHandle : public StoreLock {
 public:
  explicit FolderHandle(FileDescriptor folder) : m_folder(std::move(folder)) {}

 private:
  FileDescriptor m_folder;
};

class LocksRoot : public InFolder {
 public:
  using InFolder::InFolder;
  std::unique_ptr<StoreLock> lock(const Key& key) override {
    auto own = inner().lock(key);  // makes the folders
    FileDescriptor all(::open(root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!all.valid() || ::flock(all.get(), LOCK_EX) != 0) return own;
    return std::make_unique<FolderHandle>(std::move(all));
  }
};

// All winners of a kernel are written together, as they were when this process last read them.
class RewritesAll : public InFolder {
 public:
  RewritesAll(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : InFolder(std::move(inner), cache_folder), m_known(entries()) {}

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    auto stored = inner().put(entry, artifact);
    const std::scoped_lock lock(m_mutex);
    m_known.insert(folder().file_of(entry.key));
    for (const std::filesystem::path& other : entries())
      if (!m_known.contains(other)) {
        std::error_code ignored;
        std::filesystem::remove(other, ignored);
      }
    return stored;
  }

 private:
  [[nodiscard]] std::set<std::filesystem::path> entries() const {
    std::set<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(root(), error), end; !error && at != end;
         at.increment(error))
      if (at->path().extension() == ".json") files.insert(at->path());
    return files;
  }

  std::mutex m_mutex;
  std::set<std::filesystem::path> m_known;
};

}  // namespace

std::vector<Mutant> concurrency_mutants() {
  return {
      {"threads_tune_each", "lets every thread that asks for a key tune it by itself",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.turns = std::make_shared<NoTurns>();
         decorate_store<WithoutLock>(setup);
       }},
      {"failed_tuning_stays_pending",
       "lets every later call of the process wait for a tuning that has failed (CubeCL, from "
       "source)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.turns = std::make_shared<PendingForEver>(remember_failure(setup, false));
       }},
      {"failed_tuning_is_final",
       "tunes nothing any more in a process in which a tuning has failed, although what failed may "
       "have been mended",
       [](ReferenceAdapterSetup& setup) { (void)remember_failure(setup, true); }},
      {"processes_tune_each",
       "takes no lock between processes, so that every rank tunes (flashinfer#3186)",
       [](ReferenceAdapterSetup& setup) { decorate_store<WithoutLock>(setup); }},
      {"lock_stays_behind",
       "locks with a file that a killed process leaves behind, so that waiters hang (CubeCL, from "
       "source)",
       store_in_folder<LocksByFile>},
      {"waits_for_ever",
       "waits for another process for as long as that lives, although it may stand still (CubeCL, "
       "from source)",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.make_store = [inner = setup.parts.make_store](TunerOptions options) {
           options.lock_time_limit = std::chrono::hours(24);
           return inner(options);
         };
       }},
      {"insists_on_a_lock",
       "waits for a lock also where the file system has none, so that the call never returns",
       [](ReferenceAdapterSetup& setup) { decorate_store<InsistsOnLock>(setup); }},
      {"stores_only_locked",
       "stores no winner where the file system has no locks, so that every process tunes",
       [](ReferenceAdapterSetup& setup) { decorate_store<StoresLocked>(setup); }},
      {"locks_whole_cache", "makes the tuning of one key wait for the tuning of another",
       store_in_folder<LocksRoot>},
      {"loses_entries_of_others",
       "rewrites all entries that it knows, and so loses those that another process has stored "
       "since "
       "(FlyDSL, from source)",
       store_in_folder<RewritesAll>},
      {"forgets_measured",
       "keeps nothing of a tuning that is killed before it ends (transformers-qwen3-moe-fused#21)",
       [](ReferenceAdapterSetup& setup) { decorate_store<NoJournal>(setup); }},
  };
}

}  // namespace tunecheck::mutants
