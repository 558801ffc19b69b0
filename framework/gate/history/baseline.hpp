#pragma once
// A stored run as the baseline of another one. They are compared only where both were measured
// under the same conditions.
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "gate/history/run.hpp"

namespace tunecheck::history {

/// A benchmark that at least one of the two has.
struct Compared {
  std::string benchmark;
  std::optional<SampleSet> baseline, present;  ///< nothing: removed, added
};

/// Both side by side, by name. An error where a benchmark of both has another fingerprint now, or
/// another unit; it names the benchmark and what differs.
[[nodiscard]] Result<std::vector<Compared>> compared(const std::vector<SampleSet>& baseline,
                                                     const std::vector<SampleSet>& present);

}  // namespace tunecheck::history
