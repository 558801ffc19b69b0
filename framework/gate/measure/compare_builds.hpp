#pragma once
// A session of the gate between two builds: which benchmarks there are, and how each is run.
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/measure/build.hpp"
#include "gate/measure/kernel_side.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

struct CompareOptions {
  Build base, head;
  std::vector<std::string> kernels, sizes;
  std::vector<std::string> metrics;  ///< all if empty
  std::size_t tunings = 5;           ///< of each side, kernel and size, before anything is compared
  std::filesystem::path out;         ///< work folders go to out/work, what is compiled to
                                     ///< out/compile-store
  std::filesystem::path store;       ///< where what is compiled goes instead, if not ""
  /// The head is really slower by this share in whatever can be slowed down: for sessions whose
  /// right answer is known.
  double slower_head = 0;
  /// False for sessions whose right answer is known: no canaries, and no winner_choice unless it is
  /// asked for.
  bool is_whole = true;
  /// Where a loop slows launches down: an earlier session here has shown that it takes effect.
  bool is_loop_tried = false;
  /// Called once for each kernel and size, where both sides are tuned.
  std::function<void(const KernelSide& base, const KernelSide& head)> tuned;
  /// Called with one line of what is going on.
  std::function<void(const std::string&)> progress;
  std::function<Result<void>(const GateResult&)> so_far;  ///< see SessionHooks
};

/// `result` has seed, settings, backend and whatever is known before; it may also be that of a
/// session that was interrupted, which goes on then. The error is a mistake in the options (a
/// kernel that neither build has; it has a key) or the judge's own trouble.
[[nodiscard]] Result<void> compare_builds(const CompareOptions& options, GateResult& result);

}  // namespace tunecheck::gate
