#pragma once
// A session of the gate between two builds: which benchmarks there are, and how each is run.
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/measure/build.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

struct CompareOptions {
  Build base, head;
  std::vector<std::string> kernels, sizes;
  std::vector<std::string> metrics;  ///< all if empty
  std::size_t tunings = 5;           ///< of each side, kernel and size, before anything is compared
  std::filesystem::path out;         ///< work folders go to out/work, what is compiled to
                                     ///< out/compile-store
  /// Called with one line of what is going on.
  std::function<void(const std::string&)> progress;
  std::function<Result<void>(const GateResult&)> so_far;  ///< see SessionHooks
};

/// `result` has seed, settings, backend and whatever is known before; it may also be that of a
/// session that was interrupted, which goes on then. The error is a mistake in the options (a
/// kernel that neither build has; it has a key) or the judge's own trouble.
[[nodiscard]] Result<void> compare_builds(const CompareOptions& options, GateResult& result);

}  // namespace tunecheck::gate
