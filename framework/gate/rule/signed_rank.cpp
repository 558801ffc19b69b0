#include "gate/rule/signed_rank.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

#include "gate/rule/quantiles.hpp"

namespace tunecheck::gate {
namespace {

// Element w: the probability of a statistic of at most w. Rank r is in the sum or not, with even
// chances, so each rank mixes the distribution with itself moved by r.
std::vector<double> cumulative(std::size_t differences) {
  std::vector<double> chance(differences * (differences + 1) / 2 + 1, 0.0);
  chance[0] = 1;
  std::size_t largest = 0;
  for (std::size_t rank = 1; rank <= differences; ++rank) {
    largest += rank;
    for (std::size_t w = largest + 1; w-- > 0;)
      chance[w] = (chance[w] + (w >= rank ? chance[w - rank] : 0.0)) / 2;
  }
  for (std::size_t w = 1; w < chance.size(); ++w)
    chance[w] += chance[w - 1];
  return chance;
}

const std::vector<double>& table_of(std::size_t differences) {
  static std::mutex mutex;
  static std::map<std::size_t, std::vector<double>> tables;
  const std::lock_guard lock(mutex);
  const auto found = tables.find(differences);
  // Elements of a map stay where they are when others are added.
  return found != tables.end() ? found->second
                               : tables.emplace(differences, cumulative(differences)).first->second;
}

std::vector<double> walsh_averages(std::span<const double> differences) {
  std::vector<double> averages;
  averages.reserve(differences.size() * (differences.size() + 1) / 2);
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t j = i; j < differences.size(); ++j)
      averages.push_back((differences[i] + differences[j]) / 2);
  return averages;
}

std::size_t walsh_averages_above(std::span<const double> differences, double value) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t j = i; j < differences.size(); ++j)
      count += (differences[i] + differences[j]) / 2 > value ? 1U : 0U;
  return count;
}

double p_of(std::size_t differences, std::size_t statistic) {
  const std::size_t largest = differences * (differences + 1) / 2;
  return signed_rank_at_most(differences, largest - statistic);  // it is symmetric
}

}  // namespace

double signed_rank_at_most(std::size_t differences, std::size_t statistic) {
  const std::vector<double>& table = table_of(differences);
  return table[std::min(statistic, table.size() - 1)];
}

BoundRank bound_rank(std::size_t differences, double alpha) {
  const std::vector<double>& table = table_of(differences);
  const auto above = std::upper_bound(table.begin(), table.end(), alpha);
  if (above == table.begin()) return {};
  return {static_cast<std::size_t>(above - table.begin()), *(above - 1)};
}

Location locate(std::span<const double> differences, double lower_alpha, double upper_alpha) {
  std::vector<double> averages = walsh_averages(differences);
  const auto count = static_cast<std::ptrdiff_t>(averages.size());
  const auto left_out = [&](double alpha) {
    return static_cast<std::ptrdiff_t>(bound_rank(differences.size(), alpha).left_out);
  };
  // Each bound is looked for in its own half.
  const auto begin = averages.begin(), middle = begin + count / 2, end = averages.end();
  std::nth_element(begin, middle, end);
  Location location;
  location.estimate =
      count % 2 == 1 ? *middle : std::midpoint(*std::max_element(begin, middle), *middle);
  if (const std::ptrdiff_t below = left_out(lower_alpha); below > 0) {
    std::nth_element(begin, begin + below - 1, middle);
    location.lower = *(begin + below - 1);
  }
  if (const std::ptrdiff_t above = left_out(upper_alpha); above > 0) {
    std::nth_element(middle, end - above, end);
    location.upper = *(end - above);
  }
  return location;
}

double p_above(std::span<const double> differences, double value) {
  return p_of(differences.size(), walsh_averages_above(differences, value));
}

double p_below(std::span<const double> differences, double value) {
  std::vector<double> turned(differences.begin(), differences.end());
  for (double& difference : turned)
    difference = -difference;
  return p_above(turned, -value);
}

double standard_error(std::span<const double> differences) {
  constexpr double alpha = 0.01;
  const Location location = locate(differences, alpha, alpha);
  const double level = bound_rank(differences.size(), alpha).alpha;
  return (location.upper - location.lower) / (2 * normal_quantile(1 - level));
}

}  // namespace tunecheck::gate
