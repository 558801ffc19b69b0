// A winner comes back from disk as it was, and nothing is compiled: bugs in what is made of it.
#include <filesystem>
#include <map>
#include <mutex>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::mutants {
namespace {

class RecompileOnReload : public StoreDecorator {
 public:
  RecompileOnReload(std::unique_ptr<WinnerStore> inner, CompileCount compiles)
      : StoreDecorator(std::move(inner)), m_compiles(std::move(compiles)) {}

  Found find(const Key& key, const KeyContext& context) override {
    Found found = inner().find(key, context);
    if (found.state != Found::State::hit) return found;
    auto compiled = compile_config(context, found.entry.winner);
    if (!compiled) return {Found::State::stale, compiled.error().message, {}, {}};
    ++*m_compiles;
    found.artifact = std::move(*compiled);
    return found;
  }

 private:
  CompileCount m_compiles;
};

void plant_recompile_on_reload(ReferenceAdapterSetup& setup) {
  const auto compiles = count_compiles(setup);
  decorate_store<RecompileOnReload>(setup, compiles);
}

// What trials compiled is gone when the winner is to be stored.
class CompilesWinnerAgain : public StoreDecorator {
 public:
  CompilesWinnerAgain(std::unique_ptr<WinnerStore> inner, CompileCount compiles)
      : StoreDecorator(std::move(inner)), m_compiles(std::move(compiles)) {}

  Found find(const Key& key, const KeyContext& context) override {
    {
      const std::scoped_lock lock(m_mutex);
      m_contexts.insert_or_assign(key.text(), std::make_shared<const KeyContext>(context));
    }
    return StoreDecorator::find(key, context);
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    std::shared_ptr<const KeyContext> context;
    {
      const std::scoped_lock lock(m_mutex);
      context = m_contexts.at(entry.key.text());
    }
    if (const auto again = compile_config(*context, entry.winner); !again)
      return failure(again.error());
    ++*m_compiles;
    return StoreDecorator::put(entry, artifact);
  }

 private:
  CompileCount m_compiles;
  std::mutex m_mutex;
  // By the key's text: of the call that looked last, which is the one that stores.
  std::map<std::string, std::shared_ptr<const KeyContext>> m_contexts;
};

void plant_compiles_winner_again(ReferenceAdapterSetup& setup) {
  const auto compiles = count_compiles(setup);
  decorate_store<CompilesWinnerAgain>(setup, compiles);
}

class UnverifiedStore : public FolderStore {
 public:
  using FolderStore::FolderStore;

 protected:
  Result<void> verify_artifact(const Entry& /*entry*/,
                               const Artifact& /*artifact*/) const override {
    return {};
  }
};

void plant_reload_skips_digest(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [](const TunerOptions& options) {
    return std::make_unique<UnverifiedStore>(options.cache_folder);
  };
}

class RetunesOnReload : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Found find(const Key& key, const KeyContext& context) override {
    Found found = inner().find(key, context);
    return found.state == Found::State::hit ? Found() : found;
  }
};

// What was compiled in this process, until its tuning is stored.
class Compiled {
 public:
  void add(const Key& key, const Config& config, const Artifact& artifact) {
    const std::scoped_lock lock(m_mutex);
    m_artifacts[key.text()][config] = artifact;
  }
  std::map<Config, Artifact> take(const Key& key) {
    const std::scoped_lock lock(m_mutex);
    const auto node = m_artifacts.extract(key.text());
    return node.empty() ? std::map<Config, Artifact>() : node.mapped();
  }

 private:
  std::mutex m_mutex;
  std::map<std::string, std::map<Config, Artifact>> m_artifacts;  // by the key's text
};

class RememberCompiled : public ObserverDecorator {
 public:
  RememberCompiled(std::shared_ptr<TunerObserver> inner, std::shared_ptr<Compiled> compiled)
      : ObserverDecorator(std::move(inner)), m_compiled(std::move(compiled)) {}
  void on_compiled(const Key& key, const Config& config, const Artifact& artifact) override {
    m_compiled->add(key, config, artifact);
    ObserverDecorator::on_compiled(key, config, artifact);
  }

 private:
  std::shared_ptr<Compiled> m_compiled;
};

// Another config stands in the entry, with its own artifact: the entry is whole, and no later
// process needs a compiler to use it.
class ForgetsWinner : public StoreDecorator {
 public:
  ForgetsWinner(std::unique_ptr<WinnerStore> inner, std::shared_ptr<Compiled> compiled)
      : StoreDecorator(std::move(inner)), m_compiled(std::move(compiled)) {}

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    const auto compiled = m_compiled->take(entry.key);
    for (const Trial& trial : entry.trials) {
      const auto other = compiled.find(trial.config);
      if (trial.config == entry.winner || !trial.measured() || other == compiled.end()) continue;
      Entry changed = entry;
      changed.winner = trial.config;
      changed.artifact_digest = artifact_digest(other->second.bytes);
      changed.artifact_bytes = other->second.bytes.size();
      return inner().put(changed, other->second);
    }
    return inner().put(entry, artifact);
  }

 private:
  std::shared_ptr<Compiled> m_compiled;
};

// The entry names the winner, and beside it lies the artifact of another config.
class BinaryOfAnother : public StoreDecorator {
 public:
  BinaryOfAnother(std::unique_ptr<WinnerStore> inner, std::shared_ptr<Compiled> compiled)
      : StoreDecorator(std::move(inner)), m_compiled(std::move(compiled)) {}

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    for (const auto& [config, other] : m_compiled->take(entry.key)) {
      if (config == entry.winner) continue;
      Entry changed = entry;
      changed.artifact_digest = artifact_digest(other.bytes);
      changed.artifact_bytes = other.bytes.size();
      return inner().put(changed, other);
    }
    return inner().put(entry, artifact);
  }

 private:
  std::shared_ptr<Compiled> m_compiled;
};

// Beside the cache folder, where no copy of it takes them along: the artifact in the folder is
// none.
class BinariesElsewhere : public StoreDecorator {
 public:
  BinariesElsewhere(std::unique_ptr<WinnerStore> inner, const std::filesystem::path& cache_folder)
      : StoreDecorator(std::move(inner)),
        m_folder(cache_folder.parent_path() / (cache_folder.filename().string() + "-binaries")) {}

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    Entry changed = entry;
    Artifact nothing;
    nothing.bytes.assign(entry.artifact_digest.size(), std::byte{'-'});
    changed.artifact_digest = artifact_digest(nothing.bytes);
    changed.artifact_bytes = nothing.bytes.size();
    TUNECHECK_CHECK(write_file_atomically(m_folder / name_of(entry.key), artifact.bytes));
    return inner().put(changed, nothing);
  }

  Found find(const Key& key, const KeyContext& context) override {
    Found found = inner().find(key, context);
    if (found.state != Found::State::hit) return found;
    auto bytes = read_binary_file(m_folder / name_of(key));
    if (!bytes) return {Found::State::stale, bytes.error().message, {}, {}};
    found.artifact.bytes = std::move(*bytes);
    return found;
  }

 private:
  static std::string name_of(const Key& key) { return artifact_digest(key.text()); }

  std::filesystem::path m_folder;
};

void plant_binaries_elsewhere(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store)](
                               const TunerOptions& options) -> std::unique_ptr<WinnerStore> {
    return std::make_unique<BinariesElsewhere>(inner(options), options.cache_folder);
  };
}

void plant_binary_of_another_config(ReferenceAdapterSetup& setup) {
  const auto compiled = std::make_shared<Compiled>();
  decorate_store<BinaryOfAnother>(setup, compiled);
  decorate_observer<RememberCompiled>(setup, compiled);
}

void plant_forgets_winner_config(ReferenceAdapterSetup& setup) {
  const auto compiled = std::make_shared<Compiled>();
  decorate_store<ForgetsWinner>(setup, compiled);
  decorate_observer<RememberCompiled>(setup, compiled);
}

}  // namespace

std::vector<Mutant> reload_mutants() {
  return {
      {"recompile_on_reload",
       "compiles the winner again although its artifact came from disk (helion PR 2768)",
       plant_recompile_on_reload},
      {"compiles_winner_again",
       "throws away what trials compiled, and compiles the winner again to store it (helion PR "
       "2768)",
       plant_compiles_winner_again},
      {"reload_skips_digest",
       "loads a stored artifact without checking that its bytes are those that were stored "
       "(pytorch#119698)",
       plant_reload_skips_digest},
      {"retunes_on_reload",
       "tries every config again although the winner is on disk "
       "(pytorch#172819)",
       [](ReferenceAdapterSetup& setup) { decorate_store<RetunesOnReload>(setup); }},
      {"forgets_winner_config", "reloads a config that worked but was not the winner",
       plant_forgets_winner_config},
      {"binaries_elsewhere",
       "keeps binaries outside of the cache folder, so that what is judged, copied or shipped with "
       "the folder is not what runs",
       plant_binaries_elsewhere},
      {"binary_of_another_config",
       "stores the winner's name with the binary of another config (pytorch#92664, triton#1242)",
       plant_binary_of_another_config},
  };
}

}  // namespace tunecheck::mutants
