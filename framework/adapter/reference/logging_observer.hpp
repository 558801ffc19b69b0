#pragma once
// What the tuner does, on the adapter's log.
#include <memory>

#include "tuner/observer.hpp"

namespace tunecheck {

/// Logs to stderr, and passes everything on to `next`.
class LoggingObserver : public TunerObserver {
 public:
  explicit LoggingObserver(std::shared_ptr<TunerObserver> next) : m_next(std::move(next)) {}

  void on_lookup(const Key& key, const std::string& outcome) override;
  void on_compiled(const Key& key, const Config& config, const Artifact& artifact) override;
  void on_measured(const Config& config, const TrialRecord& record) override;
  void on_trial(const Trial& trial) override;
  void on_stored(const Key& key) override;
  void on_warning(const std::string& message) override;
  void on_report(CallReport& report) override;

 private:
  std::shared_ptr<TunerObserver> m_next;
};

/// All of spdlog's default logger goes to stderr from now on.
void log_to_stderr();

}  // namespace tunecheck
