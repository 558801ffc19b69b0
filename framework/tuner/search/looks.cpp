#include "tuner/search/looks.hpp"

#include <algorithm>

#include "tuner/trial/measurement.hpp"

namespace tunecheck {
namespace {

// More than the medians of a config's looks differ by on a quiet machine.
constexpr double far = 1.08;
constexpr std::size_t few_looks = 6;
constexpr std::ptrdiff_t enough_sure_looks = 2;

// Those that count, the fastest first.
std::vector<const Look*> counted(std::span<const Look> looks) {
  const auto sure =
      std::count_if(looks.begin(), looks.end(), [](const Look& look) { return !look.disturbed; });
  std::vector<const Look*> chosen;
  for (const Look& look : looks)
    if (sure < enough_sure_looks || !look.disturbed) chosen.push_back(&look);
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const Look* a, const Look* b) { return a->median_ns < b->median_ns; });
  return chosen;
}

// What a config takes when nothing disturbs it, unless most of its looks were disturbed. Of more
// than two, the fastest may have been luck.
const Look& usual_look(std::span<const Look> looks) {
  std::vector<const Look*> sorted;
  for (const Look& look : looks)
    sorted.push_back(&look);
  const auto middle =
      sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() > 2 ? sorted.size() / 2 : 0);
  std::nth_element(sorted.begin(), middle, sorted.end(),
                   [](const Look* a, const Look* b) { return a->median_ns < b->median_ns; });
  return **middle;
}

}  // namespace

void judge_looks(Trial& trial, std::span<const Look> looks) {
  const std::vector<const Look*> chosen = counted(looks);
  const std::size_t middle = chosen.size() / 2;  // the slower one of two
  const Look& seen = *chosen[middle];
  std::vector<std::int64_t> pooled;
  for (const Look* const look : chosen)
    if (look->low_ns <= seen.high_ns && look->high_ns >= seen.low_ns)
      pooled.insert(pooled.end(), look->samples.begin(), look->samples.end());
  const MedianEstimate estimate = estimate_median(pooled);
  trial.median_ns = estimate.median_ns;
  trial.low_ns = estimate.low_ns;
  trial.high_ns = estimate.high_ns;
  // Nobody knows yet which of a few is right.
  if (chosen.size() <= few_looks) trial.low_ns = std::min(trial.low_ns, chosen.front()->low_ns);
  trial.reps = static_cast<int>(pooled.size());
}

void LookBook::add(std::size_t config, std::vector<std::int64_t> samples) {
  const MedianEstimate estimate = estimate_median(samples);
  m_in_turn.emplace_back(config, m_looks[config].size());
  m_looks[config].push_back(
      {std::move(samples), estimate.median_ns, estimate.low_ns, estimate.high_ns, false});
}

void LookBook::forget(std::size_t config) {
  if (m_looks[config].empty()) return;
  m_looks[config].clear();
  std::erase_if(m_in_turn, [&](const auto& look) { return look.first == config; });
}

bool LookBook::is_slow(std::size_t config, const Look& look) const {
  if (m_looks[config].size() < 2) return false;
  const Look& usual = usual_look(m_looks[config]);
  return look.median_ns > far * usual.median_ns && look.median_ns > usual.high_ns;
}

void LookBook::find_disturbed() {
  std::vector<bool> slow;
  for (const auto& [config, number] : m_in_turn)
    slow.push_back(is_slow(config, m_looks[config][number]));
  const auto is_slow_too = [&](std::size_t beside, std::size_t config) {
    return beside < slow.size() && slow[beside] && m_in_turn[beside].first != config;
  };
  for (std::size_t i = 0; i < slow.size(); ++i) {
    const auto& [config, number] = m_in_turn[i];
    m_looks[config][number].disturbed = is_slow_too(i - 1, config) || is_slow_too(i + 1, config);
  }
}

int LookBook::sure_looks(std::size_t config, std::size_t from) const {
  const auto& looks = m_looks[config];
  if (looks.size() <= from) return 0;
  return static_cast<int>(std::count_if(looks.begin() + static_cast<std::ptrdiff_t>(from),
                                        looks.end(),
                                        [](const Look& look) { return !look.disturbed; }));
}

bool LookBook::agree(std::size_t config) const {
  const std::vector<const Look*> chosen = counted(m_looks[config]);
  return chosen.empty() || chosen.back()->median_ns <= far * chosen.front()->median_ns;
}

}  // namespace tunecheck
