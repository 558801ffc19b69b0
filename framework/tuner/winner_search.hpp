#pragma once
// The slow path for one key: store, then tuning.
#include <memory>
#include <stop_token>

#include "tuner/call_report.hpp"
#include "tuner/tuner_state.hpp"
#include "tuner/tuning.hpp"

namespace tunecheck::detail {

/// A winner as it was found for one call.
struct WinnerSearch {
  std::shared_ptr<const LoadedWinner> winner;
  bool in_store = false;  ///< the store holds the winner
  CallReport report;
  /// Where the call tuned: keeps the snapshot of the caller's arguments.
  std::unique_ptr<TrialArguments> arguments;
  /// Where no search was made: what was compiled instead.
  std::vector<CompiledConfig> compiled;
};

/// How a key is looked up.
struct LookupMode {
  /// Neither waits nor searches: whatever winner is stored here, however little was tried to find
  /// it, else the default config.
  bool is_stand_in = false;
  std::stop_token stop = {};                      ///< of a search that nobody waits for
  std::span<const CompiledConfig> compiled = {};  ///< for this key, before
};

/// Looks the key up in the store and tunes where that has nothing to use; the winner is stored
/// before it is returned.
[[nodiscard]] Result<WinnerSearch> find_winner(TunerState& tuner, const TuneRequest& request,
                                               const BoundFacts& facts, const Key& key,
                                               const CallArguments& call,
                                               const LookupMode& mode = {});

}  // namespace tunecheck::detail
