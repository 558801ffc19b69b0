#include "tuner/search/final_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tunecheck {
namespace {

// The median of a few looks is off by less, nearly always.
constexpr double near = 1.08;
constexpr std::size_t most_finalists = 4;
// Fewer rounds cannot be sure of anything at 95 %.
constexpr std::size_t fewest_rounds = 5;
constexpr std::size_t most_rounds = 16;
// A loss of less is not worth another look.
constexpr double little = 0.01;

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// The median of what the values were drawn from is above this in 95 of 100 cases, whatever the
// distribution: an order statistic.
double surely_above(std::vector<double> values) {
  const auto count = static_cast<double>(values.size());
  const auto place = std::floor((count + 1) / 2 - 0.8225 * std::sqrt(count)) - 1;
  if (place < 0) return -std::numeric_limits<double>::infinity();
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void put_at(Trial& trial, double median_ns) {
  const double factor = median_ns / trial.median_ns;
  trial.low_ns *= factor;
  trial.high_ns *= factor;
  trial.median_ns = median_ns;
}

}  // namespace

FinalRounds::FinalRounds(std::span<const Trial> trials, std::span<const LooksAgain> again) {
  const auto best = fastest_trial(trials);
  if (!best) return;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (trials[i].measured() && again[i].looks > 0 && again[i].looks != LooksAgain::impossible &&
        trials[i].median_ns <= near * trials[*best].median_ns)
      places.push_back(i);
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return trials[a].median_ns < trials[b].median_ns;
  });
  places.resize(std::min(places.size(), most_finalists));
  for (const std::size_t place : places)
    m_finalists.push_back({place, {}});
}

// In the other direction in every other round: what comes later on a device that grows slower must
// not seem slower.
std::vector<std::size_t> FinalRounds::next() const {
  std::vector<std::size_t> places;
  for (const Finalist& finalist : m_finalists)
    if (finalist.state == Finalist::in) places.push_back(finalist.place);
  if (m_decided || m_rounds == most_rounds || places.size() < 2) return {};
  if (m_rounds % 2 == 1) std::reverse(places.begin(), places.end());
  return places;
}

void FinalRounds::add(const std::map<std::size_t, double>& medians_ns) {
  for (Finalist& finalist : m_finalists) {
    if (finalist.state != Finalist::in) continue;
    if (const auto found = medians_ns.find(finalist.place); found != medians_ns.end())
      finalist.logarithms.push_back(std::log(found->second));
    else
      finalist.state = Finalist::failed;
  }
  if (++m_rounds >= fewest_rounds) leave_out_slower();
}

// Of those that were in every round, by the middle of the ratios to their mean.
std::size_t FinalRounds::leader() const {
  std::vector<double> means(m_rounds);
  for (const Finalist& finalist : m_finalists)
    for (std::size_t round = 0; round < m_rounds && finalist.state == Finalist::in; ++round)
      means[round] += finalist.logarithms[round];
  const auto count = static_cast<double>(
      std::count_if(m_finalists.begin(), m_finalists.end(),
                    [](const Finalist& finalist) { return finalist.state == Finalist::in; }));
  std::size_t leader = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < m_finalists.size(); ++i) {
    if (m_finalists[i].state != Finalist::in) continue;
    std::vector<double> ratios = m_finalists[i].logarithms;
    for (std::size_t round = 0; round < m_rounds; ++round)
      ratios[round] -= means[round] / count;
    const double usual = middle_of(std::move(ratios));
    if (usual >= least) continue;
    leader = i;
    least = usual;
  }
  return leader;
}

// Of the rounds that both were in.
std::vector<double> FinalRounds::changes(const Finalist& other, const Finalist& leader) const {
  std::vector<double> changes;
  for (std::size_t round = 0; round < other.logarithms.size(); ++round)
    changes.push_back(other.logarithms[round] - leader.logarithms[round]);
  return changes;
}

void FinalRounds::leave_out_slower() {
  const std::size_t first = leader();
  m_decided = true;
  for (std::size_t i = 0; i < m_finalists.size(); ++i) {
    Finalist& other = m_finalists[i];
    if (i == first || other.state != Finalist::in) continue;
    const double least = surely_above(changes(other, m_finalists[first]));
    if (least > 0) other.state = Finalist::slower;
    if (least <= -little) m_decided = false;
  }
}

void FinalRounds::put_down(std::span<Trial> trials) const {
  const bool has_any = std::any_of(m_finalists.begin(), m_finalists.end(),
                                   [](const Finalist& each) { return each.state == Finalist::in; });
  if (m_rounds == 0 || !has_any) return;
  const Finalist& first = m_finalists[leader()];
  const double fastest_ns = trials[first.place].median_ns;
  for (const Finalist& finalist : m_finalists) {
    Trial& trial = trials[finalist.place];
    if (!trial.measured()) continue;
    const double slower =
        &finalist == &first ? 0 : std::max(0.0, middle_of(changes(finalist, first)));
    put_at(trial, fastest_ns * std::exp(slower));
  }
}

}  // namespace tunecheck
