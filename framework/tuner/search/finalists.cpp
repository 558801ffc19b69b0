#include "tuner/search/finalists.hpp"

#include <algorithm>
#include <array>

namespace tunecheck {
namespace {

// How many times as slow as the fastest a config may be to be looked at once more, by how often it
// was. What slows a machine down hardly ever doubles the time of a whole look.
constexpr std::array<double, 5> reach = {2.0, 1.6, 1.4, 1.3, 1.2};
// Where they agree. The winner is one of many that may have been lucky.
constexpr std::size_t enough_looks = 2;
constexpr std::size_t enough_for_the_best = 3;

// A large space has many configs that are nearly the best: it does not matter which of them wins.
constexpr std::size_t most_at_once = 256;
constexpr std::size_t always_allowed = 16;

bool is_open(const Trial& trial, const LooksAgain& again, const Trial& best) {
  const auto looks = static_cast<std::size_t>(again.looks);
  const std::size_t enough = &trial == &best ? enough_for_the_best : enough_looks;
  if (!trial.measured() || looks >= (again.agree ? enough : reach.size())) return false;
  return trial.low_ns <= reach[looks] * best.median_ns;
}

// The fastest one that is no more than twice as slow, beside the one that is chosen.
std::size_t companion_of(std::size_t chosen, std::span<const Trial> trials,
                         std::span<const LooksAgain> again) {
  std::size_t found = chosen;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (i != chosen && trials[i].measured() && again[i].looks != LooksAgain::impossible &&
        trials[i].median_ns <= reach[0] * trials[chosen].median_ns &&
        (found == chosen || trials[i].median_ns < trials[found].median_ns))
      found = i;
  return found;
}

}  // namespace

std::vector<std::size_t> finalists(std::span<const Trial> trials,
                                   std::span<const LooksAgain> again) {
  const auto best = fastest_trial(trials);
  const auto measured = std::count_if(trials.begin(), trials.end(),
                                      [](const Trial& trial) { return trial.measured(); });
  if (measured < 2) return {};
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (is_open(trials[i], again[i], trials[*best])) chosen.push_back(i);
  const std::size_t most =
      std::max(always_allowed, std::min(most_at_once, static_cast<std::size_t>(measured) / 2));
  if (chosen.size() > most) {
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
      return trials[a].low_ns < trials[b].low_ns;
    });
    chosen.resize(most);
  }
  if (chosen.size() == 1)
    if (const std::size_t other = companion_of(chosen[0], trials, again); other != chosen[0])
      chosen.push_back(other);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace tunecheck
