#include "gate/rule/pair.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tunecheck::gate {
namespace {

Result<double> median_of(const ProcessRun& run, const char* side, TimeKind kind) {
  const std::vector<double>& samples = kind == TimeKind::cpu ? run.cpu_samples : run.samples;
  if (samples.empty()) return failure("the {} gave no sample", side);
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (!std::isfinite(samples[i]) || samples[i] <= 0)
      return failure("sample {} of {} of the {} is {}; expected a positive number", i + 1,
                     samples.size(), side, samples[i]);
  return median(samples);
}

}  // namespace

double median(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

Result<double> log_ratio(const Pair& pair, TimeKind kind) {
  TUNECHECK_TRY(const double base, median_of(pair.base, "base", kind));
  TUNECHECK_TRY(const double head, median_of(pair.head, "head", kind));
  return std::log(head) - std::log(base);
}

bool is_one_recording(const Pair& pair) {
  const std::vector<double>& samples = pair.base.samples;
  const bool varies =
      std::adjacent_find(samples.begin(), samples.end(), std::not_equal_to<>()) != samples.end();
  return varies && samples == pair.head.samples;
}

}  // namespace tunecheck::gate
