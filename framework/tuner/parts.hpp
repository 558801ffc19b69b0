#pragma once
// What a tuner is made of: every behaviour that can be replaced without touching the tuner itself.
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "table/lookup.hpp"
#include "tuner/bundle/program_bundle.hpp"
#include "tuner/key/key_axes.hpp"
#include "tuner/meanwhile.hpp"
#include "tuner/observer.hpp"
#include "tuner/remote/remote_cache.hpp"
#include "tuner/search/looks.hpp"
#include "tuner/search/search.hpp"
#include "tuner/store/store.hpp"
#include "tuner/trial/drift_watch.hpp"
#include "tuner/trial/measurement.hpp"
#include "tuner/trial/trial_arguments.hpp"
#include "tuner/trial/trial_runner.hpp"
#include "tuner/trial/validation.hpp"

namespace tunecheck {

/// Seam. Whose turn it is to tune a key, among the threads of one tuner.
class Turns {
 public:
  virtual ~Turns() = default;
  /// Waits until nobody else has the key's turn, which ends with the returned lock.
  [[nodiscard]] virtual std::unique_lock<std::mutex> take(std::mutex& of_key) const {
    return std::unique_lock(of_key);
  }
};

/// All members are set. The shared instances serve several tunings at once, so they keep no state
/// of one tuning (what make_arguments returns does).
struct TunerParts {
  /// What entries say of the tuner that made them; no part of the key.
  std::string release;
  std::vector<KeyAxis> key_axes;
  /// One object a tuning.
  std::function<std::unique_ptr<TrialArguments>(const CallArguments&)> make_arguments;
  /// One object a tuner; only asked for where there is a cache folder.
  std::function<std::unique_ptr<WinnerStore>(const TunerOptions&)> make_store;
  /// One object a tuner; only asked for where the options name a remote cache, and there is a
  /// cache folder. Never null.
  std::function<std::unique_ptr<RemoteCache>(const RemoteOptions&)> make_remote;
  /// The bundle of the program that the tuner works for. Never null.
  std::function<std::unique_ptr<ProgramBundle>(const BundleOptions&,
                                               const std::filesystem::path& cache_folder)>
      make_bundle;
  /// Which configs are tried. One object a tuning.
  std::function<std::unique_ptr<Search>(const SearchInput&)> make_search;
  /// One object a tuning.
  std::function<std::unique_ptr<DriftWatch>()> make_drift_watch;
  /// Where trials run that a child of this process cannot; see Backend::make_trial_site().
  std::function<Result<std::unique_ptr<TrialSite>>(const Backend&, std::chrono::milliseconds)>
      make_trial_site;
  std::shared_ptr<const TrialRunner> runner;
  /// For backends whose kernels cannot harm the process.
  std::shared_ptr<const TrialRunner> direct_runner;
  std::shared_ptr<const Measurement> measurement;
  std::shared_ptr<const Validation> validation;
  /// Which result is right where no reference says so: how many configs computed each, the first
  /// one's result first. See most_votes().
  std::function<std::size_t(std::span<const std::size_t>)> choose_truth;
  /// What several looks at one config say together; see judge_looks().
  std::function<void(Trial&, std::span<const Look>)> judge_looks;
  /// The trials to look at again, asked until it names none; see finalists().
  std::function<std::vector<std::size_t>(std::span<const Trial>, std::span<const LooksAgain>)>
      choose_finalists;
  /// The index of the winner among the trials, if one may win.
  std::function<std::optional<std::size_t>(std::span<const Trial>)> choose_winner;
  /// What TunerOptions::may_search says.
  std::function<bool(const TunerOptions&)> may_search;
  /// What TunerOptions::search_anew says.
  std::function<bool(const TunerOptions&)> must_search;
  /// Whether a stored winner is good enough for a call; see is_enough().
  std::function<bool(const SearchedWith&, const SearchOptions&, std::size_t space)> is_enough;
  /// Whether the times of an earlier search still hold, by its winner's time then and now; see
  /// is_as_fast().
  std::function<bool(const Trial& then, const Trial& now)> believes_earlier;
  /// Compilers that run at once where so many are asked for; see bounded_compile_jobs().
  std::function<int(int asked, std::uint64_t memory_bytes_each)> compile_jobs;
  /// The index of the config to launch where nobody may search, if there is one.
  std::function<std::optional<std::size_t>(const TuneRequest&, std::span<const Config>)>
      choose_unsearched;
  /// What TunerOptions::search_last says.
  std::function<bool(const TunerOptions&)> must_search_last;
  /// What TuneRequest::config says.
  std::function<std::optional<Config>(const TuneRequest&)> choose_explicit;
  /// The offline table of a tuner; only asked for where the options name one.
  std::function<Result<table::OfflineTable>(const std::filesystem::path&)> read_table;
  /// What of it a call may use.
  std::function<table::Choice(const table::OfflineTable&, const table::Question&)> look_up;
  /// Tells a table a winner of a search.
  std::function<Result<void>(const std::filesystem::path&, const table::Entry&)> tell_table;
  /// False while nothing may be tuned for a call on this stream.
  std::function<bool(const Backend&, Stream)> may_tune;
  std::shared_ptr<const RealCall> real_call;
  std::shared_ptr<TunerObserver> observer;
  std::shared_ptr<const Turns> turns;
  std::shared_ptr<const Meanwhile> meanwhile;

  /// The reference tuner's own.
  [[nodiscard]] static TunerParts standard();
};

}  // namespace tunecheck
