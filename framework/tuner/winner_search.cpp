#include "tuner/winner_search.hpp"

#include <algorithm>
#include <chrono>

#include "core/digest.hpp"
#include "tuner/trial/loading.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::detail {
namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void add_sentence(std::string& message, const std::string& sentence) {
  if (sentence.empty()) return;
  message += (message.empty() ? "" : "; ") + sentence;
}

// The slow path of one call. run() is called once: it looks into the store, takes the key's lock,
// looks again, and tunes. The lock is held until run() returns, so that a process that waits for it
// finds the winner in the store. Only a winner that was loaded is stored, and only after that the
// journal goes: a process that is killed before leaves the measured trials to the next one, and one
// that is killed after leaves the winner. A winner that cannot be stored is still returned, with a
// warning; an error means that there is none, and the caller's tensors are as they were.
class WinnerFinder {
 public:
  WinnerFinder(TunerState& tuner, const TuneRequest& request, const BoundFacts& facts,
               const Key& key, const CallArguments& call)
      : m_tuner(tuner), m_request(request), m_facts(facts), m_key(key), m_call(call) {}

  Result<WinnerSearch> run() {
    if (m_tuner.store == nullptr) {
      m_result.report.cache = CacheUse::disabled;
      add_sentence(m_result.report.message, "there is no cache folder to keep the winner in");
      return tune_and_store(false);
    }
    if (use_stored()) return std::move(m_result);
    // Another process may have tuned this very key in the meantime. What is stale stays stale:
    // lock() may just have mended the permissions of the folder it lies in.
    const std::unique_ptr<StoreLock> lock = m_tuner.store->lock(m_key);
    if (lock != nullptr && m_result.report.cache == CacheUse::miss && use_stored())
      return std::move(m_result);
    m_tuner.parts.observer->on_lookup(m_key,
                                      m_stale_reason.empty() ? "miss" : "stale: " + m_stale_reason);
    explain_miss();
    return tune_and_store(lock != nullptr);
  }

 private:
  KeyContext context() const {
    return {m_tuner.backend, m_request, m_tuner.options, m_facts, &m_call};
  }

  // True where the store has a winner that can be loaded.
  bool use_stored() {
    CallReport& report = m_result.report;
    Found found = m_tuner.store->find(m_key, context());
    if (found.state == Found::State::hit) {
      auto module = load_beside_trials(m_tuner.backend, found.artifact);
      if (module) {
        use(std::move(found.entry.winner), std::move(*module));
        m_result.in_store = true;
        report.cache = CacheUse::hit;
        m_tuner.parts.observer->on_lookup(m_key, "hit");
        return true;
      }
      found.state = Found::State::stale;
      found.reason = "its artifact cannot be loaded: " + module.error().text();
    }
    const bool stale = found.state == Found::State::stale;
    report.cache = stale ? CacheUse::stale : CacheUse::miss;
    m_stale_reason = std::move(found.reason);
    return false;
  }

  void use(Config config, std::unique_ptr<Module> module) {
    m_result.winner = std::make_shared<const LoadedWinner>(
        LoadedWinner{m_tuner.winners.keep(std::move(config)), std::move(module)});
  }

  void explain_miss() {
    CallReport& report = m_result.report;
    if (report.cache == CacheUse::stale) {
      add_sentence(report.message, "the stored winner must not be used: " + m_stale_reason);
      return;
    }
    const std::optional<Key> nearest = m_tuner.store->nearest(m_key);
    if (!nearest) return add_sentence(report.message, "no winner of this kernel is stored yet");
    report.missed_axes = m_key.differing_axes(*nearest);
    add_sentence(report.message,
                 "no winner is stored for this key: " + explain_difference(m_key, *nearest));
  }

  // Nobody may search: the default config, which is not stored, because it has not won against any
  // other.
  Result<WinnerSearch> use_unsearched() {
    const auto place = m_tuner.parts.choose_unsearched(m_request, m_facts.configs);
    if (!place)
      return failure(
          "{} has no winner for this call and no default config that it may choose, and searching "
          "is switched off",
          m_request.kernel.name);
    const Config& config = m_facts.configs[*place];
    std::vector<DType> dtypes;
    for (const TensorView& tensor : m_call.launch.tensors)
      dtypes.push_back(tensor.dtype);
    const std::vector<CompileRequest> requests = {{&m_request.kernel, std::move(dtypes), config,
                                                   m_facts.arch, m_request.compile_options,
                                                   m_request.sizes}};
    std::vector<Result<Artifact>> artifacts = m_tuner.backend.compile_all(requests, 1);
    TUNECHECK_TRY(const Artifact artifact, std::move(artifacts.at(0)));
    m_tuner.parts.observer->on_compiled(m_key, config, artifact);
    TUNECHECK_TRY(auto module, load_beside_trials(m_tuner.backend, artifact));
    use(config, std::move(module));
    m_result.report.compiles = 1;
    add_sentence(m_result.report.message,
                 "searching is switched off, so that the default config is launched");
    return std::move(m_result);
  }

  Result<WinnerSearch> tune_and_store(bool locked) {
    if (!m_tuner.parts.may_search(m_tuner.options)) return use_unsearched();
    if (!m_tuner.parts.may_tune(m_tuner.backend, m_call.launch.stream))
      return failure(
          "{} has no winner for this call, and nothing can be tuned while a graph is captured from "
          "its stream; call it once before the capture",
          m_request.kernel.name);
    std::unique_ptr<TuningJournal> journal;
    if (locked) journal = m_tuner.store->journal(m_key);
    auto found = tune_and_store(journal.get());
    // Not before the winner is stored: until then a kill would lose what was measured.
    if (journal) journal->remove();
    return found;
  }

  Result<WinnerSearch> tune_and_store(TuningJournal* journal) {
    auto tuned = tune({m_tuner.backend, m_request, m_tuner.options, m_tuner.parts, m_facts, m_key,
                       m_call, journal});
    if (!tuned) {
      Error error = std::move(tuned).error();
      if (!m_facts.toolchain)
        error.message += "; there is no compiler here: " + m_facts.toolchain.error().text();
      add_sentence(error.message, m_result.report.message);
      return failure(std::move(error));
    }
    m_result.arguments = std::move(tuned->arguments);
    auto module = load_beside_trials(m_tuner.backend, tuned->artifact);
    if (!module) {
      m_result.arguments->undo();
      return failure("the winner cannot be loaded: {}", module.error().text());
    }
    const Config& config = tuned->trials[tuned->winner].config;
    use(config, std::move(*module));
    m_result.report.compiles = tuned->compiles;
    m_result.report.snapshot_bytes = tuned->bytes_held;
    m_result.report.flush_share = tuned->flush_share;
    m_result.report.device_state = m_tuner.backend.device_state();
    if (tuned->resumed > 0)
      add_sentence(m_result.report.message,
                   fmt::format("{} of {} configs had been measured by a tuning that was killed",
                               tuned->resumed, tuned->trials.size()));
    m_result.report.trials = std::move(tuned->trials);
    add_sentence(m_result.report.message, summarise_failures(m_result.report.trials));
    store(tuned->artifact);
    return std::move(m_result);
  }

  void store(const Artifact& artifact) {
    if (m_tuner.store == nullptr) return;
    const Entry entry{m_key,
                      *m_result.winner->config,
                      artifact_digest(artifact.bytes),
                      artifact.bytes.size(),
                      m_result.report.trials,
                      now_ns(),
                      std::string(tuner_version)};
    if (const auto done = m_tuner.store->put(entry, artifact); !done) {
      const std::string warning =
          "the winner could not be stored, so the next process has to tune again: " +
          done.error().text();
      m_result.report.warnings.push_back(warning);
      add_sentence(m_result.report.message, "warning: " + warning);
      m_tuner.parts.observer->on_warning(warning);
    } else {
      m_result.in_store = true;
      m_tuner.parts.observer->on_stored(m_key);
    }
  }

  TunerState& m_tuner;
  const TuneRequest& m_request;
  const BoundFacts& m_facts;
  const Key& m_key;
  const CallArguments& m_call;
  std::string m_stale_reason;
  WinnerSearch m_result;
};

}  // namespace

Result<WinnerSearch> find_winner(TunerState& tuner, const TuneRequest& request,
                                 const BoundFacts& facts, const Key& key,
                                 const CallArguments& call) {
  return WinnerFinder(tuner, request, facts, key, call).run();
}

}  // namespace tunecheck::detail
