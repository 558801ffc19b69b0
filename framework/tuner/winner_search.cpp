#include "tuner/winner_search.hpp"

#include <algorithm>
#include <chrono>

#include "core/digest.hpp"
#include "tuner/store/folder_store.hpp"
#include "tuner/table_tier.hpp"
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

// The slow path of one call. run() is called once: it launches the caller's own config, or looks
// into the store, takes the key's lock, looks again, asks the remote cache, asks the offline table,
// and tunes. Who may not search takes no lock: it would wait for somebody else's search. The lock
// is held until run() returns, so that a process that waits for it finds the winner in the store.
// Only a winner that was loaded is stored, and only after that the journal goes: a process that is
// killed before leaves the measured trials to the next one, and one that is killed after leaves the
// winner. A stored winner that was searched with less than the call asks for is kept in m_earlier:
// the search goes on from its trials, and if it cannot go on, that winner is used. A winner that
// cannot be stored is still returned, with a warning; an error means that there is none, and the
// caller's tensors are as they were.
class WinnerFinder {
 public:
  WinnerFinder(TunerState& tuner, const TuneRequest& request, const BoundFacts& facts,
               const Key& key, const CallArguments& call, const LookupMode& mode)
      : m_tuner(tuner),
        m_request(request),
        m_facts(facts),
        m_key(key),
        m_call(call),
        m_mode(mode),
        m_compiled(mode.compiled.begin(), mode.compiled.end()) {}

  Result<WinnerSearch> run() {
    if (const auto config = m_tuner.parts.choose_explicit(m_request)) return use_explicit(*config);
    if (m_tuner.store == nullptr) {
      m_result.report.cache = CacheUse::disabled;
      add_sentence(m_result.report.message, "there is no cache folder to keep the winner in");
      return use_unstored(false);
    }
    if (m_mode.is_stand_in) {
      if (use_stored()) return std::move(m_result);
      TUNECHECK_TRY(WinnerSearch stand_in, use_unstored(false));
      stand_in.compiled = std::move(m_compiled);
      return stand_in;
    }
    if (must_search() && m_tuner.searched_anew.take(m_key)) return search_anew();
    if (use_stored()) return std::move(m_result);
    // Another process may have tuned this very key in the meantime. What is stale stays stale:
    // lock() may just have mended the permissions of the folder it lies in.
    const std::unique_ptr<StoreLock> lock = may_search() ? lock_key() : nullptr;
    if (lock != nullptr && m_result.report.cache == CacheUse::miss && use_stored())
      return std::move(m_result);
    if (use_remote()) return std::move(m_result);
    m_tuner.parts.observer->on_lookup(m_key,
                                      m_stale_reason.empty() ? "miss" : "stale: " + m_stale_reason);
    if (m_earlier) return search_on(lock != nullptr);
    explain_miss();
    return use_unstored(lock != nullptr);
  }

 private:
  // Nothing is stored for the call: the table, the default config where that goes before a search,
  // and a search.
  Result<WinnerSearch> use_unstored(bool locked) {
    if (use_table()) return std::move(m_result);
    const bool has_default =
        m_tuner.parts.choose_unsearched(m_request, m_facts.configs).has_value();
    if (!may_search() || (m_tuner.parts.must_search_last(m_tuner.options) && has_default))
      return use_default();
    return with_report(tune_and_store(locked));
  }

  Result<WinnerSearch> use_explicit(const Config& config) {
    const auto& space = m_facts.configs;
    if (std::find(space.begin(), space.end(), config) == space.end())
      return failure(ErrorKind::bad_input, "{}: the config {} is not one of those allowed",
                     m_request.kernel.name, to_string(config));
    if (m_tuner.store == nullptr)
      m_result.report.cache = CacheUse::disabled;
    else
      m_result.report.cache = CacheUse::miss;
    TUNECHECK_CHECK(compile_and_use(config, instead_of_search("the caller's own config")));
    add_sentence(m_result.report.message, "the caller's own config is launched");
    return std::move(m_result);
  }

  // True where the table has a config that compiles and loads.
  bool use_table() {
    if (!m_tuner.table) return false;
    table::Choice choice = ask_table(m_tuner, m_request, m_facts, m_call);
    const std::string file = m_tuner.options.table_file.string();
    m_result.report.table = choice.use;
    if (choice.use == table::Use::refused)
      warn("the table " + file + " is not used: " + choice.reason);
    if (choice.use == table::Use::absent)
      add_sentence(m_result.report.message,
                   "the table " + file + " does not serve: " + choice.reason);
    if (choice.use != table::Use::exact && choice.use != table::Use::nearest) return false;
    if (const auto used = compile_and_use(choice.config, instead_of_search("an offline table"));
        !used) {
      m_result.report.table = table::Use::refused;
      warn("the table " + file + " is not used: its config " + to_string(choice.config) + " " +
           used.error().text());
      return false;
    }
    add_sentence(m_result.report.message, "the config is the table's, " + describe(choice));
    return true;
  }

  KeyContext context() const {
    return {m_tuner.backend, m_request, m_tuner.options, m_facts, &m_call};
  }

  bool must_search() const { return m_tuner.parts.must_search(m_tuner.options) && may_search(); }

  // Whatever is stored, and whatever a killed tuning had measured.
  Result<WinnerSearch> search_anew() {
    const std::unique_ptr<StoreLock> lock = lock_key();
    m_result.report.cache = CacheUse::miss;
    add_sentence(m_result.report.message, "a search is forced, so that no stored winner is used");
    m_tuner.parts.observer->on_lookup(m_key, "miss: a search is forced");
    return with_report(tune_and_store(false));
  }

  // An error comes without the report, so it says what that says.
  Result<WinnerSearch> with_report(Result<WinnerSearch> found) const {
    if (!found) add_sentence(found.error().message, m_result.report.message);
    return found;
  }

  // Null where the store could not lock. Why not is told once.
  std::unique_ptr<StoreLock> lock_key() {
    auto lock = m_tuner.store->lock(m_key);
    const std::string trouble = lock == nullptr ? m_tuner.store->take_lock_trouble() : "";
    if (!trouble.empty())
      warn(trouble + "; processes that need the same winner at the same moment each search for it");
    return lock;
  }

  bool may_search() const {
    return !m_mode.is_stand_in && m_tuner.parts.may_search(m_tuner.options);
  }

  const SearchOptions& search_options() const { return search_for(m_request, m_tuner.options); }

  // Where nobody may search now, any winner is.
  bool is_good_enough(const SearchedWith& searched) const {
    return takes_any_winner(m_request, m_tuner.options) || !may_search() ||
           !m_tuner.parts.may_tune(m_tuner.backend, m_call.launch.stream) ||
           m_tuner.parts.is_enough(searched, search_options(), m_facts.configs.size());
  }

  // With a winner that was searched with less: with its trials, and with it where nothing better
  // can be found.
  Result<WinnerSearch> search_on(bool locked) {
    add_sentence(m_result.report.message,
                 fmt::format("the stored winner was searched with {} of {} configs, and this call "
                             "asks for more ({}): the search goes on",
                             m_earlier->entry.searched.configs, m_facts.configs.size(),
                             describe(search_options())));
    auto found = tune_and_store(locked);
    if (found) return found;
    auto module = load_beside_trials(m_tuner.backend, m_earlier->artifact);
    if (!module) return with_report(std::move(found));
    use(m_earlier->entry.winner, std::move(*module), m_earlier->entry.searched);
    m_result.in_store = true;
    m_result.report.cache = CacheUse::hit;
    warn("the search could not go on, so the winner of a smaller one is used: " +
         found.error().text());
    return std::move(m_result);
  }

  // True where the store has a winner that can be loaded and is good enough.
  bool use_stored() {
    CallReport& report = m_result.report;
    Found found = m_tuner.store->find(m_key, context());
    if (found.state == Found::State::hit && !is_good_enough(found.entry.searched)) {
      keep_earlier(std::move(found.entry), std::move(found.artifact));
      report.cache = CacheUse::miss;
      return false;
    }
    if (found.state == Found::State::hit) {
      auto module = load_beside_trials(m_tuner.backend, found.artifact);
      if (module) {
        use(std::move(found.entry.winner), std::move(*module), std::move(found.entry.searched));
        note_used(with_unknown_axes(found.entry.key));
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

  // Of two, the one that was searched with more.
  void keep_earlier(Entry entry, Artifact artifact) {
    if (m_earlier && m_earlier->entry.searched.configs >= entry.searched.configs) return;
    m_earlier = Earlier{std::move(entry), std::move(artifact)};
  }

  // True where the remote cache has a winner that can be loaded; it is then stored here as well.
  // Asked under the lock, so that of several processes one asks. The config of an entry without a
  // signature is kept in m_proposed.
  bool use_remote() {
    if (m_tuner.remote == nullptr) return false;
    RemoteFound found = m_tuner.remote->find(m_key);
    const auto& space = m_facts.configs;
    const bool has_entry = found.use == RemoteUse::hit || found.use == RemoteUse::config;
    if (has_entry && std::find(space.begin(), space.end(), found.entry.winner) == space.end())
      found = {RemoteUse::refused, "its config is not one of those allowed", {}, {}};
    if (found.use == RemoteUse::config) m_proposed = found.entry.winner;
    if (found.use == RemoteUse::hit) return load_remote(std::move(found));
    tell_remote(found.use, found.reason);
    return false;
  }

  bool load_remote(RemoteFound found) {
    auto module = load_beside_trials(m_tuner.backend, found.artifact);
    if (!module) {
      tell_remote(RemoteUse::refused, "its artifact cannot be loaded: " + module.error().text());
      return false;
    }
    if (!is_good_enough(found.entry.searched)) {
      keep_earlier(std::move(found.entry), std::move(found.artifact));
      tell_remote(RemoteUse::miss, {});
      return false;
    }
    use(found.entry.winner, std::move(*module), found.entry.searched);
    m_result.report.cache = CacheUse::hit;
    tell_remote(RemoteUse::hit, {});
    m_tuner.parts.observer->on_lookup(m_key, "hit in the remote cache");
    store_here(found.entry, found.artifact);
    return true;
  }

  void tell_remote(RemoteUse use, const std::string& reason) {
    CallReport& report = m_result.report;
    report.remote = use;
    if (reason.empty()) return;
    warn(use == RemoteUse::refused ? "an entry of the remote cache is not used: " + reason
                                   : "the remote cache was not used: " + reason);
  }

  void warn(const std::string& warning) {
    m_result.report.warnings.push_back(warning);
    add_sentence(m_result.report.message, "warning: " + warning);
    m_tuner.parts.observer->on_warning(warning);
  }

  void use(Config config, std::unique_ptr<Module> module, SearchedWith searched) {
    m_result.winner = std::make_shared<const LoadedWinner>(LoadedWinner{
        m_tuner.winners.keep(std::move(config)), std::move(module), std::move(searched)});
  }

  void explain_miss() {
    CallReport& report = m_result.report;
    if (report.cache == CacheUse::stale) {
      add_sentence(report.message, "nothing in the cache may be used: " + m_stale_reason);
      return;
    }
    const std::optional<Key> nearest = m_tuner.store->nearest(m_key);
    if (!nearest) return add_sentence(report.message, "no winner of this kernel is stored yet");
    report.missed_axes = m_key.differing_axes(*nearest);
    add_sentence(report.message,
                 "no winner is stored for this key: " + explain_difference(m_key, *nearest));
  }

  // Compiles one config, and no other, and loads it. It is not stored, because it has not won
  // against any other.
  Result<void> compile_and_use(const Config& config, SearchedWith searched) {
    std::vector<DType> dtypes;
    for (const TensorView& tensor : m_call.launch.tensors)
      dtypes.push_back(tensor.dtype);
    const std::vector<CompileRequest> requests = {{&m_request.kernel, std::move(dtypes), config,
                                                   m_facts.arch, m_request.compile_options,
                                                   m_request.sizes}};
    ++m_result.report.compiles;
    std::vector<Result<Artifact>> artifacts = m_tuner.backend.compile_all(requests, 1);
    m_compiled.push_back({config, artifacts.at(0)});
    TUNECHECK_TRY(const Artifact artifact, std::move(artifacts.at(0)));
    m_tuner.parts.observer->on_compiled(m_key, config, artifact);
    TUNECHECK_TRY(auto module, load_beside_trials(m_tuner.backend, artifact));
    use(config, std::move(module), std::move(searched));
    return {};
  }

  // A config that comes before any search: no call that asks for more of one gets another.
  SearchedWith instead_of_search(const char* words) const {
    SearchedWith searched;
    searched.configs = static_cast<std::int64_t>(m_facts.configs.size());
    searched.words = words;
    return searched;
  }

  // Whether a search beside the call is to follow.
  bool is_searched_for() const {
    return m_mode.is_stand_in && m_tuner.parts.may_search(m_tuner.options);
  }

  Result<WinnerSearch> use_default() {
    const auto place = m_tuner.parts.choose_unsearched(m_request, m_facts.configs);
    if (!place)
      return failure(
          "{} has no winner for this call and no default config that it may choose, and {}",
          m_request.kernel.name,
          is_searched_for() ? "the call does not wait for a search" : "searching is switched off");
    const bool goes_first = may_search();
    TUNECHECK_CHECK(compile_and_use(
        m_facts.configs[*place], goes_first ? instead_of_search("the default") : SearchedWith()));
    add_sentence(
        m_result.report.message,
        is_searched_for() ? "the winner is being searched for, and the default config is launched"
        : goes_first      ? "the default config goes before a search, so that it is launched"
                          : "searching is switched off, so that the default config is launched");
    return std::move(m_result);
  }

  Result<WinnerSearch> tune_and_store(bool locked) {
    if (!m_tuner.parts.may_tune(m_tuner.backend, m_call.launch.stream))
      return failure(
          "{} has no winner for this call, and nothing can be tuned while a graph is captured from "
          "its stream; call it once before the capture",
          m_request.kernel.name);
    std::unique_ptr<TuningJournal> journal;
    if (locked) journal = m_tuner.store->journal(m_key);
    auto found = tune_and_store(journal.get());
    // Not before the winner is stored: until then a kill would lose what was measured. A tuning
    // that was ended leaves it to the next one.
    if (journal && !m_mode.stop.stop_requested()) journal->remove();
    return found;
  }

  // The default config and the one that somebody unknown proposes: it can win only by being right
  // and faster here. Nothing where that settles nothing.
  std::optional<TuningOutput> try_proposed(const Config& proposed) {
    TuneRequest request = m_request;
    request.search = SearchOptions();
    BoundFacts facts = m_facts;
    facts.configs = {proposed};
    const auto place = place_of_default(m_request, m_facts.configs);
    if (!place && !m_request.reference) return std::nullopt;  // nothing here says what is right
    if (place && m_facts.configs[*place] != proposed)
      facts.configs.insert(facts.configs.begin(), m_facts.configs[*place]);
    auto tuned = tune(
        {m_tuner.backend, request, m_tuner.options, m_tuner.parts, facts, m_key, m_call, nullptr});
    const auto is_good = [&](const Trial& trial) {
      return trial.config != proposed || trial.measured();
    };
    if (tuned && std::all_of(tuned->trials.begin(), tuned->trials.end(), is_good))
      return std::move(*tuned);
    m_compiled_before += tuned ? tuned->compiles : 0;
    tell_remote(RemoteUse::refused, "its config " + to_string(proposed) + " does not work here");
    return std::nullopt;
  }

  // A proposal that works is the winner, unless this call asks for more than that says: then it is
  // where the search begins, so that nobody who can write to a remote cache ends searches early.
  Result<TuningOutput> find_fastest(TuningJournal* journal) {
    std::vector<Trial> earlier;
    if (m_earlier) earlier = m_earlier->entry.trials;
    if (auto tuned = m_proposed ? try_proposed(*m_proposed) : std::nullopt) {
      m_is_proposed = true;
      if (is_good_enough(searched_with(*tuned))) return std::move(*tuned);
      m_is_proposed = false;
      m_compiled_before += tuned->compiles;
      for (Trial& trial : tuned->trials)
        if (std::none_of(earlier.begin(), earlier.end(),
                         [&](const Trial& each) { return each.config == trial.config; }))
          earlier.push_back(std::move(trial));
    }
    return tune({m_tuner.backend, m_request, m_tuner.options, m_tuner.parts, m_facts, m_key, m_call,
                 journal, earlier, m_mode.stop, m_compiled});
  }

  // A budget of time counts as spent even if the search ended by itself before.
  SearchedWith searched_with(const TuningOutput& tuned) const {
    SearchedWith searched;
    searched.configs = static_cast<std::int64_t>(tuned.trials.size());
    searched.words = m_is_proposed ? "a config that was proposed" : describe(search_options());
    searched.time = tuned.spent;
    if (!m_is_proposed) searched.time = std::max(searched.time, search_options().time);
    return searched;
  }

  Result<WinnerSearch> tune_and_store(TuningJournal* journal) {
    auto tuned = find_fastest(journal);
    if (!tuned) {
      Error error = std::move(tuned).error();
      if (!m_facts.toolchain)
        error.message += "; there is no compiler here: " + m_facts.toolchain.error().text();
      return failure(std::move(error));
    }
    m_result.arguments = std::move(tuned->arguments);
    auto module = load_beside_trials(m_tuner.backend, tuned->artifact);
    if (!module) {
      m_result.arguments->undo();
      return failure("the winner cannot be loaded: {}", module.error().text());
    }
    const Config& config = tuned->trials[tuned->winner].config;
    use(config, std::move(*module), searched_with(*tuned));
    m_result.report.compiles += tuned->compiles + m_compiled_before;
    m_result.report.snapshot_bytes = tuned->bytes_held;
    m_result.report.flush_share = tuned->flush_share;
    m_result.report.device_state = m_tuner.backend.device_state();
    if (tuned->resumed > 0)
      add_sentence(m_result.report.message,
                   fmt::format("{} of {} configs had been measured by a tuning that was killed",
                               tuned->resumed, tuned->trials.size()));
    if (tuned->reused > 0)
      add_sentence(m_result.report.message,
                   fmt::format("{} of {} configs had been measured by the earlier search",
                               tuned->reused, tuned->trials.size()));
    m_result.report.trials = std::move(tuned->trials);
    add_sentence(m_result.report.message, summarise_failures(m_result.report.trials));
    store(tuned->artifact);
    tell_table();
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
                      m_tuner.parts.release,
                      m_result.winner->searched};
    store_here(entry, artifact);
    if (m_tuner.remote == nullptr || m_is_proposed) return;
    // It has just kept this call waiting: once is enough.
    if (m_result.report.remote == RemoteUse::failed) return;
    if (const auto told = m_tuner.remote->put(entry, artifact); !told) {
      if (m_result.report.remote != RemoteUse::refused) m_result.report.remote = RemoteUse::failed;
      warn("the winner is not in the remote cache: " + told.error().text());
    }
  }

  void tell_table() {
    const auto& file = m_tuner.options.table_output;
    if (file.empty() || m_is_proposed) return;
    const table::Entry entry = table_entry(m_tuner, m_request, m_facts, m_call,
                                           *m_result.winner->config, m_result.report.trials);
    if (const auto told = m_tuner.parts.tell_table(file, entry); !told)
      warn("the winner is not in the table: " + told.error().text());
  }

  // Without a bundle nobody asks, and a process may have a million keys.
  void note_used(const Key& key) {
    if (m_tuner.bundle != nullptr) m_tuner.used.add(key);
  }

  void store_here(const Entry& entry, const Artifact& artifact) {
    if (const auto done = m_tuner.store->put(entry, artifact); !done) {
      warn("the winner could not be stored, so the next process has to tune again: " +
           done.error().text());
    } else {
      m_result.in_store = true;
      note_used(entry.key);
      m_tuner.parts.observer->on_stored(m_key);
    }
  }

  TunerState& m_tuner;
  const TuneRequest& m_request;
  const BoundFacts& m_facts;
  const Key& m_key;
  const CallArguments& m_call;
  const LookupMode& m_mode;
  std::string m_stale_reason;
  struct Earlier {
    Entry entry;
    Artifact artifact;
  };
  std::optional<Earlier> m_earlier;    // a winner that was searched with too little
  std::optional<Config> m_proposed;    // by an entry of the remote cache that is not signed
  bool m_is_proposed = false;          // the winner, without a search
  std::int64_t m_compiled_before = 0;  // to try that, before a search
  // For this key, and not by its search, which need not compile it again.
  std::vector<CompiledConfig> m_compiled;
  WinnerSearch m_result;
};

}  // namespace

Result<WinnerSearch> find_winner(TunerState& tuner, const TuneRequest& request,
                                 const BoundFacts& facts, const Key& key, const CallArguments& call,
                                 const LookupMode& mode) {
  return WinnerFinder(tuner, request, facts, key, call, mode).run();
}

}  // namespace tunecheck::detail
