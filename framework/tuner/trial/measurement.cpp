#include "tuner/trial/measurement.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

namespace tunecheck {
namespace {

constexpr std::int32_t fewest_samples = 7;
constexpr std::int32_t samples_between_estimates = 8;
constexpr double certain_enough = 0.02;
// A kernel so slow that seven reps take this many times the measuring time is judged by fewer.
constexpr int patience = 50;
// For reps that nothing interrupts.
constexpr int patience_for_quiet = 4;

bool is_certain(std::span<const std::int64_t> samples) {
  const MedianEstimate estimate = estimate_median(samples);
  return estimate.high_ns - estimate.low_ns <= certain_enough * estimate.median_ns;
}

void add(TrialRecord& record, const TimedLaunch& rep) {
  const auto place =
      rep.interrupted ? static_cast<std::int32_t>(TrialRecord::max_samples) - ++record.interrupted
                      : record.samples++;
  record.elapsed_ns[static_cast<std::size_t>(place)] = rep.elapsed_ns;
}

bool is_full(const TrialRecord& record) {
  return record.samples + record.interrupted >= static_cast<std::int32_t>(TrialRecord::max_samples);
}

void count_interrupted_too(TrialRecord& record) {
  const auto end = record.elapsed_ns.end();
  std::copy(end - record.interrupted, end, record.elapsed_ns.begin() + record.samples);
  record.samples += record.interrupted;
}

// The parent watches this member in the shared record.
void count_progress(TrialRecord& record) {
  std::atomic_ref(record.progress).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void TrialRecord::set_message(std::string_view text) {
  message[text.copy(message.data(), message.size() - 1)] = '\0';
}

// The interval between the order statistics at n/2 +- 0.98 sqrt(n), which holds the median in 95 %
// of cases whatever the distribution.
MedianEstimate estimate_median(std::span<const std::int64_t> elapsed_ns) {
  if (elapsed_ns.empty()) return {};
  std::vector<std::int64_t> sorted(elapsed_ns.begin(), elapsed_ns.end());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  const auto at = [&](double position) {
    return static_cast<double>(
        sorted[static_cast<std::size_t>(std::clamp(position, 0.0, count - 1))]);
  };
  const double reach = 0.98 * std::sqrt(count);
  return {(at(std::ceil(count / 2) - 1) + at(std::floor(count / 2))) / 2,
          at(std::floor(count / 2 - reach) - 1), at(std::ceil(count / 2 + reach))};
}

TimedLaunch Measurement::run_rep(const Module& module, TrialArguments& arguments) const {
  arguments.before_rep();
  arguments.run_hook();
  return module.timed_launch(arguments.trial_launch());
}

void Measurement::measure(const Module& module, TrialArguments& arguments,
                          std::chrono::nanoseconds measuring_time, TrialRecord& record) const {
  record.status = run_rep(module, arguments).status;
  count_progress(record);
  // A config that spoils what it may only read would run on spoilt arguments from here on; the
  // validation says so.
  if (record.status != 0 || arguments.changed_read_only()) return;
  time_reps(module, arguments, measuring_time, record);
  if (record.samples < fewest_samples) count_interrupted_too(record);
}

void Measurement::time_reps(const Module& module, TrialArguments& arguments,
                            std::chrono::nanoseconds measuring_time, TrialRecord& record) const {
  const auto started = module.now();
  while (!is_full(record)) {
    const TimedLaunch rep = run_rep(module, arguments);
    count_progress(record);
    if (rep.status != 0) {
      record.status = rep.status;
      return;
    }
    add(record, rep);
    record.flush_ns += rep.flush_ns;
    const auto spent = module.now() - started;
    if (spent > patience * measuring_time) return;
    if (record.samples + record.interrupted < fewest_samples) continue;
    if (record.samples < fewest_samples && spent <= patience_for_quiet * measuring_time) continue;
    if (spent > measuring_time) return;
    const auto samples = static_cast<std::size_t>(record.samples);
    if (record.samples % samples_between_estimates == 0 &&
        is_certain(std::span(record.elapsed_ns).first(samples)))
      return;
  }
}

}  // namespace tunecheck
