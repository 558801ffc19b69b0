#include "tuner/finalists.hpp"

#include <algorithm>

namespace tunecheck {
namespace {

// A second look at more configs than this costs more than it tells.
constexpr std::size_t most_finalists = 3;

}  // namespace

std::vector<std::size_t> finalists(std::span<const Trial> trials,
                                   const std::vector<bool>& looked_again) {
  const auto best = fastest_trial(trials);
  if (!best || looked_again[*best]) return {};
  const auto measured = std::count_if(trials.begin(), trials.end(),
                                      [](const Trial& trial) { return trial.measured(); });
  if (measured < 2) return {};
  const double limit = trials[*best].high_ns;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (trials[i].measured() && trials[i].low_ns <= limit && !looked_again[i]) chosen.push_back(i);
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return trials[a].median_ns < trials[b].median_ns;
  });
  chosen.resize(std::min(chosen.size(), most_finalists));
  return chosen;
}

}  // namespace tunecheck
