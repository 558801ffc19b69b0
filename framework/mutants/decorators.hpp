#pragma once
// What the families share: stores and observers that pass everything on, so that a mutant changes
// one member and no other, and the ways to plant them.
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "mutants/mutant.hpp"
#include "tuner/call_report.hpp"
#include "tuner/parts.hpp"

namespace tunecheck::mutants {

class StoreDecorator : public WinnerStore {
 public:
  explicit StoreDecorator(std::unique_ptr<WinnerStore> inner) : m_inner(std::move(inner)) {}

  Found find(const Key& key, const KeyContext& context) override {
    return m_inner->find(key, context);
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    return m_inner->put(entry, artifact);
  }
  std::optional<Key> nearest(const Key& key) override { return m_inner->nearest(key); }
  std::unique_ptr<StoreLock> lock(const Key& key) override { return m_inner->lock(key); }
  std::string take_lock_trouble() override { return m_inner->take_lock_trouble(); }
  std::unique_ptr<TuningJournal> journal(const Key& key) override { return m_inner->journal(key); }

 protected:
  [[nodiscard]] WinnerStore& inner() { return *m_inner; }

 private:
  std::unique_ptr<WinnerStore> m_inner;
};

class ObserverDecorator : public TunerObserver {
 public:
  explicit ObserverDecorator(std::shared_ptr<TunerObserver> inner) : m_inner(std::move(inner)) {}

  void on_lookup(const Key& key, const std::string& outcome) override {
    m_inner->on_lookup(key, outcome);
  }
  void on_compiled(const Key& key, const Config& config, const Artifact& artifact) override {
    m_inner->on_compiled(key, config, artifact);
  }
  void on_measured(const Config& config, const TrialRecord& record) override {
    m_inner->on_measured(config, record);
  }
  void on_trial(const Trial& trial) override { m_inner->on_trial(trial); }
  void on_stored(const Key& key) override { m_inner->on_stored(key); }
  void on_warning(const std::string& message) override { m_inner->on_warning(message); }
  void on_report(CallReport& report) override { m_inner->on_report(report); }

 private:
  std::shared_ptr<TunerObserver> m_inner;
};

template <class Arguments>
void use_arguments(ReferenceAdapterSetup& setup) {
  setup.parts.make_arguments = [](const CallArguments& call) {
    return std::make_unique<Arguments>(call);
  };
}

/// Puts a `Decorator` around the store; `shared` are further arguments of its constructor.
template <class Decorator, class... Shared>
void decorate_store(ReferenceAdapterSetup& setup, Shared... shared) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store),
                            shared...](const TunerOptions& options) {
    return std::make_unique<Decorator>(inner(options), shared...);
  };
}

template <class Decorator, class... Shared>
void decorate_observer(ReferenceAdapterSetup& setup, Shared... shared) {
  setup.parts.observer = std::make_shared<Decorator>(setup.parts.observer, shared...);
}

/// Compilers that a mutant's store started in the current call. A mutant that compiles too often
/// does not lie about it: they are added to what the tuner reports.
using CompileCount = std::shared_ptr<std::atomic<std::int64_t>>;
[[nodiscard]] CompileCount count_compiles(ReferenceAdapterSetup& setup);

/// Compiles one config for the call that `context` is about.
[[nodiscard]] Result<Artifact> compile_config(const KeyContext& context, const Config& config);

}  // namespace tunecheck::mutants
