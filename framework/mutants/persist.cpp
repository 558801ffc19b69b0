// A winner is stored, alone, before it is first used: bugs in what is written, and when.
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

class SilentPersistFailure : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    (void)inner().put(entry, artifact);
    return {};
  }
};

// Winners that wait to be written; shared by the store and whoever decides that it is time.
class Pending {
 public:
  void add(WinnerStore& store, const Entry& entry, const Artifact& artifact) {
    const std::scoped_lock lock(m_mutex);
    m_winners.push_back({&store, entry, artifact});
  }

  void forget(const WinnerStore& store) {
    const std::scoped_lock lock(m_mutex);
    std::erase_if(m_winners, [&](const Winner& winner) { return winner.store == &store; });
  }

  // Writes all of them; the last error where one failed.
  Result<void> write() {
    const std::scoped_lock lock(m_mutex);
    Result<void> result;
    for (const Winner& winner : m_winners)
      if (auto written = winner.store->put(winner.entry, winner.artifact); !written)
        result = std::move(written);
    m_winners.clear();
    return result;
  }

 private:
  struct Winner {
    WinnerStore* store;
    Entry entry;
    Artifact artifact;
  };
  std::mutex m_mutex;
  std::vector<Winner> m_winners;
};

class DeferringStore : public StoreDecorator {
 public:
  DeferringStore(std::unique_ptr<WinnerStore> inner, std::shared_ptr<Pending> pending)
      : StoreDecorator(std::move(inner)), m_pending(std::move(pending)) {}
  ~DeferringStore() override { m_pending->forget(inner()); }
  DeferringStore(const DeferringStore&) = delete;
  DeferringStore& operator=(const DeferringStore&) = delete;

  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    m_pending->add(inner(), entry, artifact);
    return {};
  }

 private:
  std::shared_ptr<Pending> m_pending;
};

// A call that tunes writes the winners of earlier calls as well: its lookup comes before its put.
class WriteAtNextLookup : public ObserverDecorator {
 public:
  WriteAtNextLookup(std::shared_ptr<TunerObserver> inner, std::shared_ptr<Pending> pending)
      : ObserverDecorator(std::move(inner)), m_pending(std::move(pending)) {}
  void on_lookup(const Key& key, const std::string& outcome) override {
    (void)m_pending->write();
    ObserverDecorator::on_lookup(key, outcome);
  }

 private:
  std::shared_ptr<Pending> m_pending;
};

class WriteAtNextHit : public RealCall {
 public:
  explicit WriteAtNextHit(std::shared_ptr<Pending> pending) : m_pending(std::move(pending)) {}
  void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
               CallKind kind) const override {
    if (kind == CallKind::hit) (void)m_pending->write();
    RealCall::prepare(roles, arguments, kind);
  }

 private:
  std::shared_ptr<Pending> m_pending;
};

void plant_persist_on_next_launch(ReferenceAdapterSetup& setup) {
  const auto pending = std::make_shared<Pending>();
  decorate_store<DeferringStore>(setup, pending);
  decorate_observer<WriteAtNextLookup>(setup, pending);
  setup.parts.real_call = std::make_shared<WriteAtNextHit>(pending);
}

// The report is made when the call's own launch is over.
class WriteAtReport : public ObserverDecorator {
 public:
  WriteAtReport(std::shared_ptr<TunerObserver> inner, std::shared_ptr<Pending> pending)
      : ObserverDecorator(std::move(inner)), m_pending(std::move(pending)) {}
  void on_report(CallReport& report) override {
    if (const auto written = m_pending->write(); !written) {
      report.warnings.push_back("the winner could not be stored: " + written.error().text());
      report.message +=
          (report.message.empty() ? "warning: " : "; warning: ") + report.warnings.back();
    }
    ObserverDecorator::on_report(report);
  }

 private:
  std::shared_ptr<Pending> m_pending;
};

void plant_persist_after_launch(ReferenceAdapterSetup& setup) {
  const auto pending = std::make_shared<Pending>();
  decorate_store<DeferringStore>(setup, pending);
  decorate_observer<WriteAtReport>(setup, pending);
}

// What is stored is not looked at, and all else is done as ever.
class WritesOnly : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Found find(const Key& /*key*/, const KeyContext& /*context*/) override { return {}; }
};

class ReadsOnly : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  Result<void> put(const Entry& /*entry*/, const Artifact& /*artifact*/) override { return {}; }
  std::unique_ptr<StoreLock> lock(const Key& /*key*/) override { return nullptr; }
  std::unique_ptr<TuningJournal> journal(const Key& /*key*/) override { return nullptr; }
};

// Where the cache is switched off, it is only half so.
template <class Store>
void plant_half_off(ReferenceAdapterSetup& setup) {
  constexpr const char* off = "TUNECHECK_CACHE_OFF";
  const char* const value = std::getenv(off);
  if (value == nullptr || *value == '\0') return;
  ::unsetenv(off);
  decorate_store<Store>(setup);
}

class WriteEveryArtifact : public ObserverDecorator {
 public:
  WriteEveryArtifact(std::shared_ptr<TunerObserver> inner,
                     std::shared_ptr<std::filesystem::path> cache_folder)
      : ObserverDecorator(std::move(inner)), m_cache_folder(std::move(cache_folder)) {}
  void on_compiled(const Key& key, const Config& config, const Artifact& artifact) override {
    if (!m_cache_folder->empty()) {
      const std::filesystem::path folder = *m_cache_folder / "trials";
      if (create_folders(folder))
        (void)write_file(folder / (artifact_digest(artifact.bytes) + ".so"), artifact.bytes);
    }
    ObserverDecorator::on_compiled(key, config, artifact);
  }

 private:
  std::shared_ptr<std::filesystem::path> m_cache_folder;  // set when the store is made
};

void plant_persist_losers(ReferenceAdapterSetup& setup) {
  const auto folder = std::make_shared<std::filesystem::path>();
  setup.parts.make_store = [inner = setup.parts.make_store, folder](const TunerOptions& options) {
    *folder = options.cache_folder;
    return inner(options);
  };
  decorate_observer<WriteEveryArtifact>(setup, folder);
}

}  // namespace

std::vector<Mutant> persist_mutants() {
  return {
      {"silent_persist_failure",
       "says nothing if the winner could not be written (Helion and FlyDSL, from source)",
       [](ReferenceAdapterSetup& setup) { decorate_store<SilentPersistFailure>(setup); }},
      {"persist_on_next_launch",
       "writes the winner at the next call, so that a process that calls once stores nothing "
       "(transformers-qwen3-moe-fused#21)",
       plant_persist_on_next_launch},
      {"persist_after_launch",
       "writes the winner only after the call's own launch, so that it is lost if that launch "
       "crashes",
       plant_persist_after_launch},
      {"writes_with_caching_off",
       "stores its winners although its cache is switched off, as a measurement of compile times "
       "must not",
       plant_half_off<WritesOnly>},
      {"reads_with_caching_off",
       "uses stored winners although its cache is switched off, as somebody who looks for a bug "
       "must not get them",
       plant_half_off<ReadsOnly>},
      {"persist_losers", "writes the artifact of every config to the cache folder",
       plant_persist_losers},
  };
}

}  // namespace tunecheck::mutants
