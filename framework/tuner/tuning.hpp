#pragma once
// One tuning: configs compiled, tried and judged as a search proposes them, and the winner chosen.
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tuner/parts.hpp"
#include "tuner/trial/compiled_config.hpp"

namespace tunecheck {

struct TuningInput {
  const Backend& backend;
  const TuneRequest& request;
  const TunerOptions& options;
  const TunerParts& parts;
  const BoundFacts& facts;
  const Key& key;
  const CallArguments& call;
  TuningJournal* journal;  ///< null where none is kept
  /// What an earlier, smaller search of this key tried, its winner among them.
  std::span<const Trial> earlier = {};
  std::stop_token stop = {};  ///< no trial begins once it asks for that: then an error
  /// What has been compiled for this very call, or could not be: it is not compiled again.
  std::span<const CompiledConfig> compiled = {};
};

struct TuningOutput {
  std::vector<Trial> trials;  ///< one a config that was tried, in the order of the space
  std::size_t winner = 0;     ///< index among them
  Artifact artifact;          ///< of the winner, as it was measured
  std::int64_t compiles = 0;
  std::size_t resumed = 0;            ///< trials that an earlier, killed tuning had finished
  std::size_t reused = 0;             ///< trials that an earlier search had made
  std::chrono::nanoseconds spent{0};  ///< by the device's clock, what resumed trials took left out
  double flush_share = 0;      ///< of the time that kernels and flushes of the caches took together
  std::size_t bytes_held = 0;  ///< by the snapshot and the trials' memory while it lasted
  /// Keeps the snapshot, so that a real launch that fails can be undone.
  std::unique_ptr<TrialArguments> arguments;
};

/// Compiles and tries what the search proposes, a proposal at a time, and then looks again at the
/// fastest config and those that cannot be told apart from it. What a killed tuning had measured is
/// not measured again: the best of it is launched once, to see that it still works and what is
/// right. The error lists why configs failed; the caller's tensors are then as they were.
[[nodiscard]] Result<TuningOutput> tune(const TuningInput& input);

}  // namespace tunecheck
