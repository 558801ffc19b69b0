#include "tuner/search/finalists.hpp"

#include <algorithm>

namespace tunecheck {
namespace {

// A second look at more configs than this costs more than it tells.
constexpr std::size_t most_finalists = 3;
constexpr int enough_looks = 2;

}  // namespace

std::vector<std::size_t> finalists(std::span<const Trial> trials,
                                   const std::vector<int>& further_looks) {
  const auto best = fastest_trial(trials);
  if (!best || further_looks[*best] >= enough_looks) return {};
  const auto measured = std::count_if(trials.begin(), trials.end(),
                                      [](const Trial& trial) { return trial.measured(); });
  if (measured < 2) return {};
  if (further_looks[*best] > 0) return {*best};
  const double limit = trials[*best].high_ns;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (trials[i].measured() && trials[i].low_ns <= limit && further_looks[i] == 0)
      chosen.push_back(i);
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return trials[a].median_ns < trials[b].median_ns;
  });
  chosen.resize(std::min(chosen.size(), most_finalists));
  return chosen;
}

}  // namespace tunecheck
