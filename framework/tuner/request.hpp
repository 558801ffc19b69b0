#pragma once
// What a caller asks of the tuner, and what the tuner is told about itself.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/kernel.hpp"
#include "tuner/call_arguments.hpp"
#include "tuner/remote/remote_options.hpp"
#include "tuner/search/search.hpp"

namespace tunecheck {

/// The right content of each tensor after one launch: for each tensor that the kernel writes its
/// elements in row-major order, for each other an empty vector.
using ExpectedTensors = std::vector<std::vector<double>>;

/// Computes what one launch on `arguments` (as a rep sees them) must leave behind. Must not write
/// to them.
using ReferenceFunction = std::function<Result<ExpectedTensors>(const LaunchArguments& arguments)>;

/// One kernel as it is to be tuned; everything but the arguments of the calls.
struct TuneRequest {
  KernelDefinition kernel;
  Sizes sizes;                                     ///< the kernel file's size names to values
  SpaceDefinition space;                           ///< the configs to choose from
  std::string arch;                                ///< "" for the backend's default, or "native"
  std::vector<std::string> compile_options;        ///< after the kernel's own
  std::optional<int> compile_jobs = std::nullopt;  ///< compilers at once; none: as the options say
  /// Where set, trials are held to its result instead of the default config's.
  ReferenceFunction reference;
  LaunchHook before_launch;  ///< of the caller's, none if empty
  /// How much is to be searched; a stored winner that was searched with less is searched on. None:
  /// as TunerOptions says.
  std::optional<SearchOptions> search = std::nullopt;
  /// Where set, this very config is launched: nothing is looked up, tried or stored. A call in
  /// whose space it is not is an error.
  std::optional<Config> config = std::nullopt;
  /// What TunerOptions::may_wait says, for this kernel. None: as TunerOptions says.
  std::optional<bool> may_wait = std::nullopt;

  /// The kernel with its own space at one of its named sizes.
  [[nodiscard]] static TuneRequest of(KernelDefinition kernel, const std::string& size);
};
/// The index of the kernel file's default config among `configs`, if it is there.
[[nodiscard]] std::optional<std::size_t> place_of_default(const TuneRequest& request,
                                                          std::span<const Config> configs);

/// How a tuner works, for all of its calls; which environment variables say so is the program's
/// matter.
struct TunerOptions {
  std::filesystem::path cache_folder;  ///< "" keeps winners in memory only
  /// What the files of the cache folder may have together; no_cache_limit for any size.
  std::uint64_t cache_limit_bytes = std::uint64_t{1} << 30;
  /// Winners that stay loaded; one that is asked for again is loaded from the store. Those that the
  /// store does not hold, and up to 16 of each bound kernel, stay in any case.
  std::size_t loaded_winners_limit = 1024;
  /// How long a call waits for another process that tunes the same key; then it tunes as well. That
  /// process may stand still, and nobody can tell it from one that works.
  std::chrono::milliseconds lock_time_limit = std::chrono::minutes(10);
  int compile_jobs = 1;  ///< compilers at once, within bounded_compile_jobs(); 0: as many as those
  /// What one compiler may need; as many run at once as the machine's free memory has room for.
  std::uint64_t compile_memory_bytes = std::uint64_t{512} << 20;
  /// A trial that shows no progress (no rep ends) for this long is killed.
  std::chrono::milliseconds trial_time_limit = std::chrono::seconds(2);
  /// What a trial may allocate beside what the process has; more is a failed trial.
  std::uint64_t trial_memory_bytes = std::uint64_t{1} << 30;
  /// Timed launches of one trial end after this long, or as soon as the median is certain enough.
  std::chrono::microseconds measuring_time = std::chrono::milliseconds(4);
  /// How a key without a winner is searched: every config, if nothing else is said. Where it names
  /// an effort, a stored winner that was searched with less is searched on.
  SearchOptions search = {};
  /// What is asked after the cache folder and told what is put into it; without a folder, nothing.
  std::optional<RemoteOptions> remote = std::nullopt;
  /// False: where no winner is stored, the kernel file's default config is launched, nothing is
  /// tried, and nothing is stored. For processes that must not begin to search in the middle of
  /// their work.
  bool may_search = true;
  /// True: a key's first call is tuned although a winner is stored, here or in a remote cache, and
  /// replaces it. For a machine that was busy when its winners were found. Not where may_search is
  /// false.
  bool search_anew = false;
  /// An offline table, which is asked after the cache folder and the remote cache: docs/tables.md.
  /// Read once, by the tuner's constructor; one that cannot be read is told of in each call that
  /// would have asked it, and not used. "" for none.
  std::filesystem::path table_file = {};
  /// A table that is told each winner of a search, and made where it is missing. "" for none.
  std::filesystem::path table_output = {};
  /// True: the kernel file's default config is launched before a key is searched for, so that only
  /// kernels without one are searched. It is not stored.
  bool search_last = false;
  /// False: a call that would have to search launches another config, the kernel file's default or
  /// a winner that was searched with less, and the search goes on in a thread of the tuner's, on a
  /// copy of the call's arguments. The caller's hook is then called from that thread too. Later
  /// calls get the winner. On a GPU calls wait all the same: what is current in the caller's thread
  /// decides where they run.
  bool may_wait = true;
};

/// How a call of this kernel searches.
[[nodiscard]] const SearchOptions& search_for(const TuneRequest& request,
                                              const TunerOptions& options);
/// True where the call takes whatever winner is stored, however little was tried to find it.
[[nodiscard]] bool takes_any_winner(const TuneRequest& request, const TunerOptions& options);

}  // namespace tunecheck
