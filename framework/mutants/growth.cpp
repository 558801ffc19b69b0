// Ever more keys and calls: bugs in what is kept, what is removed, and what a call costs.
#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

namespace fs = std::filesystem;

class NewestFirst : public Eviction {
 public:
  using Eviction::Eviction;

 protected:
  void order(std::vector<StoredItem>& items) const override {
    Eviction::order(items);
    std::reverse(items.begin(), items.end());
  }
};

class InUse : public NewestFirst {
 public:
  using NewestFirst::NewestFirst;

 protected:
  bool must_stay(const StoredItem& /*item*/, const fs::path& /*keep*/) const override {
    return false;
  }
  FileDescriptor lock(const StoredItem& item) const override {
    return FileDescriptor(::open(item.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
};

class KeepsTemporaries : public Eviction {
 public:
  using Eviction::Eviction;

 protected:
  bool remove_temporary(const fs::path& /*file*/, std::error_code& /*error*/) const override {
    return false;
  }
};

class FirstIn : public Eviction {
 public:
  using Eviction::Eviction;

 protected:
  void order(std::vector<StoredItem>& items) const override {
    std::sort(items.begin(), items.end(),
              [](const StoredItem& a, const StoredItem& b) { return written(a) < written(b); });
  }

 private:
  static fs::file_time_type written(const StoredItem& item) {
    std::error_code ignored;
    return fs::last_write_time(item.folder / item.entry, ignored);
  }
};

template <class Evicts>
void plant_eviction(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [](const TunerOptions& options) {
    return std::make_unique<FolderStore>(
        options.cache_folder,
        std::make_shared<Evicts>(options.cache_folder, options.cache_limit_bytes));
  };
}

void plant_never_evicts(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [](const TunerOptions& options) {
    return std::make_unique<FolderStore>(options.cache_folder);
  };
}

// Reads every entry until it has seen all of them, and only then the one that is wanted.
class LinearLookup : public StoreDecorator {
 public:
  LinearLookup(std::unique_ptr<WinnerStore> inner, fs::path cache_folder)
      : StoreDecorator(std::move(inner)), m_root(std::move(cache_folder)) {}

  Found find(const Key& key, const KeyContext& context) override {
    std::size_t agree = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(m_root, error), end; !error && at != end;
         at.increment(error)) {
      if (at->path().extension() != ".json") continue;
      const auto text = read_text_file(at->path());
      const auto entry = text ? parse_entry(*text) : failure("not readable");
      if (entry && key.agrees_with(entry->key)) ++agree;
    }
    return agree > 0 ? inner().find(key, context) : Found{};
  }

 private:
  fs::path m_root;
};

void plant_linear_lookup(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner =
                                std::move(setup.parts.make_store)](const TunerOptions& options) {
    return std::make_unique<LinearLookup>(inner(options), options.cache_folder);
  };
}

class SingleConfigUncached : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    if (entry.trials.size() == 1) return {};
    return inner().put(entry, artifact);
  }
};

class LeaksEachCall : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    RealCall::prepare(roles, arguments, kind);
    const std::scoped_lock lock(m_mutex);
    m_calls.emplace_back(leaked_bytes, 'x');
  }

 private:
  static constexpr std::size_t leaked_bytes = 1024;
  mutable std::mutex m_mutex;
  mutable std::vector<std::string> m_calls;
};

class SlowDispatch : public RealCall {
 public:
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    RealCall::prepare(roles, arguments, kind);
    if (kind == CallKind::hit) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

template <class Call>
void plant_real_call(ReferenceAdapterSetup& setup) {
  setup.parts.real_call = std::make_shared<Call>();
}

}  // namespace

std::vector<Mutant> growth_mutants() {
  return {
      {"evicts_entry_in_use",
       "a full cache folder loses the entry that was just written or is being tuned",
       plant_eviction<InUse>},
      {"evicts_first_in", "a full cache folder loses the oldest entries, however often they hit",
       plant_eviction<FirstIn>},
      {"evicts_newest_first", "a full cache folder loses the entries that were used last",
       plant_eviction<NewestFirst>},
      {"keeps_what_killed_writers_left",
       "a full cache folder keeps the temporary files of processes that were killed "
       "(flashinfer#3687)",
       plant_eviction<KeepsTemporaries>},
      {"leaks_each_call", "leaks a kilobyte in each call", plant_real_call<LeaksEachCall>},
      {"linear_lookup",
       "reads every entry of the cache folder to find one (flashinfer#3687, flashinfer#4043)",
       plant_linear_lookup},
      {"never_evicts", "the cache folder grows without a limit (flashinfer#3687)",
       plant_never_evicts},
      {"single_config_uncached",
       "does not store the winner of a space with a single config (triton-ascend#1827)",
       [](ReferenceAdapterSetup& setup) { decorate_store<SingleConfigUncached>(setup); }},
      {"slow_dispatch", "a hit takes a millisecond before the kernel is launched",
       plant_real_call<SlowDispatch>},
  };
}

}  // namespace tunecheck::mutants
