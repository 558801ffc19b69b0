// Bugs of calls that do not wait for a search, and of the search beside them.
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/digest.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/meanwhile.hpp"

namespace tunecheck::mutants {
namespace {

// The caller's own memory in place of a copy.
class BorrowedArguments : public HeldArguments {
 public:
  explicit BorrowedArguments(const CallArguments& call)
      : m_call(call),
        m_tensors(call.launch.tensors.begin(), call.launch.tensors.end()),
        m_scalars(call.launch.scalars.begin(), call.launch.scalars.end()),
        m_order(call.caller_order.begin(), call.caller_order.end()) {}

  [[nodiscard]] CallArguments call() const override {
    CallArguments call = m_call;
    call.launch.tensors = m_tensors;
    call.launch.scalars = m_scalars;
    call.caller_order = m_order;
    return call;
  }

 private:
  CallArguments m_call;
  std::vector<TensorView> m_tensors;
  std::vector<Scalar> m_scalars;
  std::vector<int> m_order;
};

class WaitsInSpite : public Meanwhile {
 public:
  [[nodiscard]] bool waits(const TuneRequest& /*request*/,
                           const TunerOptions& /*options*/) const override {
    return true;
  }
};

class CopiesLate : public Meanwhile {
 public:
  [[nodiscard]] Result<std::shared_ptr<const HeldArguments>> hold(
      const CallArguments& call) const override {
    return std::make_shared<const BorrowedArguments>(call);
  }
};

// Begins when a call has been answered.
using Reported = std::shared_ptr<std::atomic<bool>>;

class BeginsLate : public CopiesLate {
 public:
  explicit BeginsLate(Reported reported) : m_reported(std::move(reported)) {}
  [[nodiscard]] bool must_search(bool has_winner) const override {
    for (int waited_ms = 0; !*m_reported && waited_ms < 5000; ++waited_ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return CopiesLate::must_search(has_winner);
  }

 private:
  Reported m_reported;
};

class NotesReport : public ObserverDecorator {
 public:
  NotesReport(std::shared_ptr<TunerObserver> inner, Reported reported)
      : ObserverDecorator(std::move(inner)), m_reported(std::move(reported)) {}
  void on_report(CallReport& report) override {
    *m_reported = true;
    ObserverDecorator::on_report(report);
  }

 private:
  Reported m_reported;
};

void plant_copies_late(ReferenceAdapterSetup& setup) {
  const auto reported = std::make_shared<std::atomic<bool>>(false);
  setup.parts.meanwhile = std::make_shared<BeginsLate>(reported);
  decorate_observer<NotesReport>(setup, reported);
}

class NeverDelivers : public Meanwhile {
 public:
  [[nodiscard]] bool delivers() const override { return false; }
};

// Each call begins a search, whether one goes on or not.
class SearchPerCall : public Meanwhile {
 public:
  [[nodiscard]] std::string name_of_search(const Key& key) const override {
    return key.text() + std::to_string(++m_searches);
  }
  [[nodiscard]] bool must_search(bool /*has_winner*/) const override { return true; }

 private:
  mutable std::atomic<int> m_searches{0};
};

template <class Kind>
void use_meanwhile(ReferenceAdapterSetup& setup) {
  setup.parts.meanwhile = std::make_shared<Kind>();
}

// Trials write to the memory that they are given, which is the caller's.
class OnCallersMemory : public TrialArguments {
 public:
  using TrialArguments::TrialArguments;
  LaunchArguments trial_launch() const override { return call().launch; }
};

void plant_searches_on_callers_memory(ReferenceAdapterSetup& setup) {
  use_meanwhile<CopiesLate>(setup);
  use_arguments<OnCallersMemory>(setup);
}

// Whether the tuner has been asked by somebody who does not wait.
using Asked = std::shared_ptr<std::atomic<bool>>;

Asked watch_calls(ReferenceAdapterSetup& setup) {
  const auto unwaited = std::make_shared<std::atomic<bool>>(false);
  setup.before_call = [unwaited](protocol::CallRequest& request) {
    *unwaited = *unwaited || !request.wait;
  };
  return unwaited;
}

// Finds nothing in a process in which a search goes on, so that it is made again.
class ForgetfulStore : public StoreDecorator {
 public:
  ForgetfulStore(std::unique_ptr<WinnerStore> inner, Asked unwaited)
      : StoreDecorator(std::move(inner)), m_unwaited(std::move(unwaited)) {}
  Found find(const Key& key, const KeyContext& context) override {
    return *m_unwaited ? Found() : inner().find(key, context);
  }

 private:
  Asked m_unwaited;
};

void plant_search_per_call(ReferenceAdapterSetup& setup) {
  use_meanwhile<SearchPerCall>(setup);
  const auto always = std::make_shared<std::atomic<bool>>(true);
  decorate_store<ForgetfulStore>(setup, always);
}

// What a store has been told last of all, for an observer that tells it something more.
struct KnownStore {
  std::mutex mutex;
  WinnerStore* store = nullptr;
};

class ToldStore : public StoreDecorator {
 public:
  ToldStore(std::unique_ptr<WinnerStore> inner, std::shared_ptr<KnownStore> known)
      : StoreDecorator(std::move(inner)), m_known(std::move(known)) {
    m_known->store = &this->inner();
  }

 private:
  std::shared_ptr<KnownStore> m_known;
};

// The first config that is compiled is the one that is launched meanwhile.
class StoresStandIn : public ObserverDecorator {
 public:
  StoresStandIn(std::shared_ptr<TunerObserver> inner, std::shared_ptr<KnownStore> known,
                Asked unwaited)
      : ObserverDecorator(std::move(inner)),
        m_known(std::move(known)),
        m_unwaited(std::move(unwaited)) {}

  void on_compiled(const Key& key, const Config& config, const Artifact& artifact) override {
    const std::scoped_lock lock(m_known->mutex);
    if (*m_unwaited && m_known->store != nullptr) {
      Entry entry;
      entry.key = key;
      entry.winner = config;
      entry.artifact_digest = artifact_digest(artifact.bytes);
      entry.artifact_bytes = artifact.bytes.size();
      entry.created_ns = 1;
      entry.searched.configs = 1;
      (void)std::exchange(m_known->store, nullptr)->put(entry, artifact);
    }
    ObserverDecorator::on_compiled(key, config, artifact);
  }

 private:
  std::shared_ptr<KnownStore> m_known;
  Asked m_unwaited;
};

void plant_stores_stand_in(ReferenceAdapterSetup& setup) {
  const auto known = std::make_shared<KnownStore>();
  decorate_store<ToldStore>(setup, known);
  decorate_observer<StoresStandIn>(setup, known, watch_calls(setup));
}

// Keeps what a search beside calls has found until a call launches it.
struct Unstored {
  std::mutex mutex;
  std::vector<std::pair<Entry, Artifact>> entries;
  WinnerStore* store = nullptr;

  void write() {
    const std::scoped_lock lock(mutex);
    for (const auto& [entry, artifact] : std::exchange(entries, {}))
      (void)store->put(entry, artifact);
  }
};

class StoresAtDelivery : public StoreDecorator {
 public:
  StoresAtDelivery(std::unique_ptr<WinnerStore> inner, std::shared_ptr<Unstored> unstored,
                   Asked unwaited)
      : StoreDecorator(std::move(inner)),
        m_unstored(std::move(unstored)),
        m_unwaited(std::move(unwaited)) {
    m_unstored->store = &this->inner();
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    if (!*m_unwaited) return inner().put(entry, artifact);
    const std::scoped_lock lock(m_unstored->mutex);
    m_unstored->entries.emplace_back(entry, artifact);
    return {};
  }

 private:
  std::shared_ptr<Unstored> m_unstored;
  Asked m_unwaited;
};

class WritesAtReport : public ObserverDecorator {
 public:
  WritesAtReport(std::shared_ptr<TunerObserver> inner, std::shared_ptr<Unstored> unstored)
      : ObserverDecorator(std::move(inner)), m_unstored(std::move(unstored)) {}
  void on_report(CallReport& report) override {
    if (report.cache == CacheUse::hit) m_unstored->write();
    ObserverDecorator::on_report(report);
  }

 private:
  std::shared_ptr<Unstored> m_unstored;
};

void plant_stores_at_delivery(ReferenceAdapterSetup& setup) {
  const auto unstored = std::make_shared<Unstored>();
  decorate_store<StoresAtDelivery>(setup, unstored, watch_calls(setup));
  decorate_observer<WritesAtReport>(setup, unstored);
}

void plant_counts_wrong(ReferenceAdapterSetup& setup) {
  setup.before_answer = [](const protocol::CallRequest&, protocol::CallAnswer& answer) {
    if (answer.given_meanwhile && *answer.given_meanwhile > 0) *answer.given_meanwhile = 1;
  };
}

void plant_failure_is_silent(ReferenceAdapterSetup& setup) {
  setup.before_answer = [](const protocol::CallRequest&, protocol::CallAnswer& answer) {
    if (answer.search_failure.empty()) return;
    answer.search_failure.clear();
    answer.message.clear();
  };
}

}  // namespace

std::vector<Mutant> pending_mutants() {
  return {
      {"pending_copies_late",
       "copies the arguments of a call that does not wait when the search begins, and not when it "
       "is asked: they hold something else by then",
       plant_copies_late},
      {"pending_counts_wrong",
       "says of every call that did not wait that it was the only one that got another config",
       plant_counts_wrong},
      {"pending_failure_is_silent",
       "says nothing if the search that nobody waits for fails, so that callers wait for a winner "
       "that never comes",
       plant_failure_is_silent},
      {"pending_never_delivers",
       "searches beside calls that do not wait, and never launches what it has found",
       use_meanwhile<NeverDelivers>},
      {"pending_search_per_call", "begins a search with each call that does not wait",
       plant_search_per_call},
      {"pending_searches_on_callers_memory",
       "tries configs on the arguments of a call that has long been answered",
       plant_searches_on_callers_memory},
      {"pending_stores_at_delivery",
       "stores the winner that was searched for meanwhile only if a later call launches it",
       plant_stores_at_delivery},
      {"pending_stores_stand_in",
       "stores the config that it launches while the winner is searched for, as if it had won",
       plant_stores_stand_in},
      {"pending_waits_in_spite", "lets a call that does not wait wait for the search",
       use_meanwhile<WaitsInSpite>},
  };
}

}  // namespace tunecheck::mutants
