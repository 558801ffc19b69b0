#include "tuner/parts.hpp"

#include "tuner/compile_jobs.hpp"
#include "tuner/search/effort.hpp"
#include "tuner/search/finalists.hpp"
#include "tuner/store/folder_store.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck {

TunerParts TunerParts::standard() {
  TunerParts parts;
  parts.release = tuner_version;
  parts.key_axes = standard_key_axes();
  parts.make_arguments = [](const CallArguments& call) {
    return std::make_unique<TrialArguments>(call);
  };
  parts.make_store = [](const TunerOptions& options) {
    return std::make_unique<FolderStore>(
        options.cache_folder,
        std::make_shared<Eviction>(options.cache_folder, options.cache_limit_bytes),
        options.lock_time_limit);
  };
  parts.make_remote = [](const RemoteOptions& options) {
    return std::make_unique<RemoteCache>(open_remote_store(options), options);
  };
  parts.make_bundle = [](const BundleOptions& options, const std::filesystem::path& cache_folder) {
    return std::make_unique<ProgramBundle>(options, cache_folder);
  };
  parts.make_search = tunecheck::make_search;
  parts.make_drift_watch = [] { return std::make_unique<DriftWatch>(); };
  parts.make_trial_site = [](const Backend& backend, std::chrono::milliseconds time_limit) {
    return backend.make_trial_site(time_limit);
  };
  parts.runner = std::make_shared<IsolatedTrialRunner>();
  parts.direct_runner = std::make_shared<InProcessTrialRunner>();
  parts.measurement = std::make_shared<Measurement>();
  parts.validation = std::make_shared<Validation>();
  parts.choose_truth = most_votes;
  parts.judge_looks = tunecheck::judge_looks;
  parts.choose_finalists = tunecheck::finalists;
  parts.choose_winner = fastest_trial;
  parts.may_search = [](const TunerOptions& options) { return options.may_search; };
  parts.must_search = [](const TunerOptions& options) { return options.search_anew; };
  parts.is_enough = tunecheck::is_enough;
  parts.believes_earlier = is_as_fast;
  parts.compile_jobs = bounded_compile_jobs;
  parts.choose_unsearched = place_of_default;
  parts.must_search_last = [](const TunerOptions& options) { return options.search_last; };
  parts.choose_explicit = [](const TuneRequest& request) { return request.config; };
  parts.read_table = table::read_table;
  parts.look_up = table::look_up;
  parts.tell_table = [](const std::filesystem::path& file, const table::Entry& entry) {
    return table::merge_into_table(file, {entry});
  };
  parts.may_tune = [](const Backend& backend, Stream stream) {
    return !backend.is_capturing(stream);
  };
  parts.real_call = std::make_shared<StandardRealCall>();
  parts.observer = std::make_shared<TunerObserver>();
  parts.turns = std::make_shared<Turns>();
  parts.meanwhile = std::make_shared<Meanwhile>();
  return parts;
}

}  // namespace tunecheck
