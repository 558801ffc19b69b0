#pragma once
// What the tuner tells while it works.
#include <string>

#include "backend/backend.hpp"
#include "tuner/key/key.hpp"
#include "tuner/trial/measurement.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

struct CallReport;

/// Seam. Does nothing by itself; an application logs, a test listens. Calls come from whatever
/// thread tunes, one at a time for one tuning; they must not throw.
class TunerObserver {
 public:
  virtual ~TunerObserver() = default;
  virtual void on_lookup(const Key& /*key*/, const std::string& /*outcome*/) {}
  /// Each config that compiled, before it is measured; on a GPU others may have been by then.
  virtual void on_compiled(const Key& /*key*/, const Config& /*config*/,
                           const Artifact& /*artifact*/) {}
  /// Each time that a config has been measured: what the clock said, before anything is made of it.
  virtual void on_measured(const Config& /*config*/, const TrialRecord& /*record*/) {}
  virtual void on_trial(const Trial& /*trial*/) {}
  virtual void on_stored(const Key& /*key*/) {}
  virtual void on_warning(const std::string& /*message*/) {}
  /// The report of a call that tuned or read the store, before the caller gets it; what is changed
  /// here is what the caller is told. Calls on the fast path do not come by.
  virtual void on_report(CallReport& /*report*/) {}
};

}  // namespace tunecheck
