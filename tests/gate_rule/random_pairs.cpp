#include "random_pairs.hpp"

#include <cmath>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>

namespace tunecheck::test {

std::vector<double> normal_numbers(std::size_t count, std::uint64_t seed) {
  boost::random::mt19937_64 random(seed);
  boost::random::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double& number : numbers)
    number = normal(random);
  return numbers;
}

gate::Pair pair_of(double base, double head) {
  return {{{base * 0.999, base, base * 1.002}, {}}, {{head * 0.998, head, head * 1.001}, {}}};
}

std::vector<gate::Pair> noisy_pairs(std::size_t count, double slowdown, double deviation,
                                    std::uint64_t seed) {
  std::vector<gate::Pair> pairs;
  for (const double number : normal_numbers(count, seed))
    pairs.push_back(pair_of(100, 100 * (1 + slowdown) * std::exp(deviation * number)));
  return pairs;
}

std::size_t feed(gate::Comparison& comparison, const std::vector<gate::Pair>& pairs) {
  std::size_t taken = 0;
  while (taken < pairs.size() && comparison.pairs_missing() > 0)
    comparison.add(pairs[taken++]);
  return taken;
}

}  // namespace tunecheck::test
