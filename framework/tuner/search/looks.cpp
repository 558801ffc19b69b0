#include "tuner/search/looks.hpp"

#include "tuner/trial/measurement.hpp"

namespace tunecheck {

void add_look(Trial& trial, std::vector<std::int64_t>& pooled, std::vector<std::int64_t> samples) {
  if (!pooled.empty()) {
    const MedianEstimate look = estimate_median(samples);
    const bool agree = look.low_ns <= trial.high_ns && look.high_ns >= trial.low_ns;
    if (agree)
      samples.insert(samples.end(), pooled.begin(), pooled.end());
    else if (look.median_ns < trial.median_ns)
      samples = std::move(pooled);
  }
  pooled = std::move(samples);
  const MedianEstimate estimate = estimate_median(pooled);
  trial.median_ns = estimate.median_ns;
  trial.low_ns = estimate.low_ns;
  trial.high_ns = estimate.high_ns;
  trial.reps = static_cast<int>(pooled.size());
}

}  // namespace tunecheck
