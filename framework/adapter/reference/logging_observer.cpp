#include "adapter/reference/logging_observer.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "tuner/call_report.hpp"

namespace tunecheck {

void log_to_stderr() {
  auto logger =
      std::make_shared<spdlog::logger>("tuner", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void LoggingObserver::on_lookup(const Key& key, const std::string& outcome) {
  spdlog::info("lookup of {}/{}: {}", key.folder_digest(), key.file_digest().value_or("?"),
               outcome);
  m_next->on_lookup(key, outcome);
}

void LoggingObserver::on_compiled(const Key& key, const Config& config, const Artifact& artifact) {
  m_next->on_compiled(key, config, artifact);
}

void LoggingObserver::on_measured(const Config& config, const TrialRecord& record) {
  m_next->on_measured(config, record);
}

void LoggingObserver::on_trial(const Trial& trial) {
  if (trial.measured())
    spdlog::info("{}: {:.0f} ns ({:.0f} to {:.0f}) in {} reps", to_string(trial.config),
                 trial.median_ns, trial.low_ns, trial.high_ns, trial.reps);
  else
    spdlog::info("{}: {}", to_string(trial.config), trial.failure);
  m_next->on_trial(trial);
}

void LoggingObserver::on_stored(const Key& key) {
  spdlog::info("winner stored in {}", key.folder_digest());
  m_next->on_stored(key);
}

void LoggingObserver::on_warning(const std::string& message) {
  spdlog::warn("{}", message);
  m_next->on_warning(message);
}

void LoggingObserver::on_report(CallReport& report) {
  if (!report.device_state.empty())
    spdlog::info(
        "the device after the trials: {}; {:.0f} % of its time there was spent on cold caches",
        report.device_state, 100 * report.flush_share);
  m_next->on_report(report);
}

}  // namespace tunecheck
