#include "gate/rule/rank_sum.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

#include "gate/rule/quantiles.hpp"

namespace tunecheck::gate {
namespace {

// Element u: the probability of a statistic of at most u. The largest of all numbers is one of
// `first`, and then above all of `second`, or one of `second`.
std::vector<double> cumulative(std::size_t first, std::size_t second) {
  // chances[n][u], of n of `first` beside as many of `second` as were added.
  std::vector<std::vector<double>> chances(first + 1, std::vector<double>(first * second + 1, 0.0));
  for (std::vector<double>& row : chances)
    row[0] = 1;  // none of `second`
  for (std::size_t m = 1; m <= second; ++m)
    for (std::size_t n = 1; n <= first; ++n) {
      const double share = static_cast<double>(n) / static_cast<double>(n + m);
      // The row above is already that of m.
      for (std::size_t u = n * m + 1; u-- > 0;)
        chances[n][u] =
            share * (u >= m ? chances[n - 1][u - m] : 0.0) + (1 - share) * chances[n][u];
    }
  std::vector<double>& result = chances[first];
  std::partial_sum(result.begin(), result.end(), result.begin());
  return result;
}

const std::vector<double>& table_of(std::size_t first, std::size_t second) {
  static std::mutex mutex;
  static std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> tables;
  const std::lock_guard lock(mutex);
  const auto found = tables.find({first, second});
  // Elements of a map stay where they are when others are added.
  return found != tables.end()
             ? found->second
             : tables.emplace(std::pair(first, second), cumulative(first, second)).first->second;
}

// How many of the lowest differences a lower bound of this level leaves out.
std::size_t left_out(std::size_t first, std::size_t second, double alpha) {
  constexpr std::size_t most_exact = 100;
  if (std::max(first, second) <= most_exact) {
    const std::vector<double>& table = table_of(first, second);
    return static_cast<std::size_t>(std::upper_bound(table.begin(), table.end(), alpha) -
                                    table.begin());
  }
  const double n = static_cast<double>(first), m = static_cast<double>(second);
  const double middle = n * m / 2, deviation = std::sqrt(n * m * (n + m + 1) / 12);
  // Half a step less, because the statistic is a whole number.
  return static_cast<std::size_t>(
      std::max(0.0, std::floor(middle - 0.5 - normal_quantile(1 - alpha) * deviation) + 1));
}

}  // namespace

double rank_sum_at_most(std::size_t first, std::size_t second, std::size_t statistic) {
  const std::vector<double>& table = table_of(first, second);
  return table[std::min(statistic, table.size() - 1)];
}

Location locate_shift(std::span<const double> before, std::span<const double> present,
                      double lower_alpha, double upper_alpha) {
  std::vector<double> differences;
  differences.reserve(before.size() * present.size());
  for (const double one : before)
    for (const double other : present)
      differences.push_back(other - one);
  std::sort(differences.begin(), differences.end());
  Location location;
  const std::size_t count = differences.size();
  location.estimate = std::midpoint(differences[(count - 1) / 2], differences[count / 2]);
  if (const std::size_t below = left_out(before.size(), present.size(), lower_alpha); below > 0)
    location.lower = differences[below - 1];
  if (const std::size_t above = left_out(before.size(), present.size(), upper_alpha); above > 0)
    location.upper = differences[count - above];
  return location;
}

}  // namespace tunecheck::gate
