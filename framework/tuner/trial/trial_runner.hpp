#pragma once
// How a trial is kept from harming the tuner.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "core/result.hpp"
#include "tuner/trial/measurement.hpp"

namespace tunecheck {

struct TrialLimits {
  std::chrono::milliseconds time_limit;  ///< without progress in the record
  std::uint64_t memory_bytes = 0;        ///< beside what the process has; 0 for no limit
};

/// Seam.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;

  struct Outcome {
    TrialRecord record;   ///< as the body left it
    std::string failure;  ///< why the body did not come to its end, "" if it did
  };
  /// Runs `body` on a record. An error only where no trial can be run at all.
  [[nodiscard]] virtual Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                                            const TrialLimits& limits) const = 0;
};

/// Each body in a forked child of its own: a crash, an abort, a hang or endless allocation costs
/// that trial alone. The child's stdout goes nowhere, its stderr is this process's. One trial at a
/// time in the whole process, so that trials do not disturb each other's times.
class IsolatedTrialRunner : public TrialRunner {
 public:
  [[nodiscard]] Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                                    const TrialLimits& limits) const override;
};

/// Calls the body. Nothing is limited, and what it does is done to this process.
class InProcessTrialRunner : public TrialRunner {
 public:
  [[nodiscard]] Result<Outcome> run(const std::function<void(TrialRecord&)>& body,
                                    const TrialLimits& limits) const override;
};

}  // namespace tunecheck
