#include "gate/rule/noise.hpp"

#include <array>
#include <cmath>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/geometric_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>

namespace tunecheck::gate {
namespace {

// Student's t with 4 degrees of freedom, scaled to a deviation of 1: a normal number over the root
// of the mean of four squares of such numbers; two squares together are exponential.
template <class Random>
double heavy_tailed(Random& random) {
  boost::random::normal_distribution<double> normal;
  boost::random::exponential_distribution<double> exponential;
  const double numerator = normal(random);
  const double first = exponential(random), second = exponential(random);
  return numerator / std::sqrt((first + second) / 2) / std::sqrt(2.0);
}

}  // namespace

std::span<const NoiseModel> noise_models() {
  static constexpr std::array<NoiseModel, 5> models = {{
      {"quiet", "a dedicated machine with locked clocks", 0.003, 0, 0, 0.003, 0.0002, 0.01, 0.05,
       0.001, 3, 0.05},
      {"shared", "a virtual machine with neighbours", 0.015, 0, 0, 0.01, 0.001, 0.03, 0.2, 0.01, 4,
       0.1},
      {"bad", "a CI runner with busy neighbours", 0.04, 0, 0, 0.03, 0.003, 0.08, 0.5, 0.02, 6,
       0.25},
      {"loaded", "every core has other work, which some processes have to wait for", 0.1, 0.6, 0.4,
       0.03, 0.003, 0.08, 0.5, 0.02, 6, 0.25},
      {"crowded", "sessions and compilers share fewer cores than they need", 0.2, 0.4, 1.3, 0.01,
       0.003, 0.01, 0.5, 0.02, 6, 1},
  }};
  return models;
}

NoisyMachine::NoisyMachine(const NoiseModel& model, std::uint64_t seed)
    : m_model(model), m_random(seed) {}

std::vector<double> NoisyMachine::run(double time, std::size_t samples) {
  boost::random::normal_distribution<double> normal;
  boost::random::exponential_distribution<double> exponential;
  boost::random::uniform_01<double> uniform;
  m_drift += m_model.drift_deviation * normal(m_random);
  if (m_burst_left > 0) {
    --m_burst_left;
  } else if (uniform(m_random) < m_model.burst_chance) {
    boost::random::geometric_distribution<std::size_t> length(1 / m_model.burst_processes);
    m_burst_left = 1 + length(m_random);
    m_burst = std::log1p(m_model.burst_mean * exponential(m_random));
  }
  const double process = m_model.process_deviation * heavy_tailed(m_random);
  // Nothing is drawn where there is no such chance, so that the other machines are what they were.
  const bool is_slow = m_model.slow_chance > 0 && uniform(m_random) < m_model.slow_chance;
  const double slow = is_slow ? std::log1p(m_model.slow_by) : 0;
  const double burst = m_burst_left > 0 ? m_burst : 0;
  const double speed = time * std::exp(m_drift + process + slow + burst);
  std::vector<double> result(samples);
  for (double& sample : result) {
    double share = m_model.sample_deviation * normal(m_random);
    if (uniform(m_random) < m_model.outlier_chance)
      share += m_model.outlier_mean * exponential(m_random);
    sample = speed * (1 + share);
  }
  return result;
}

}  // namespace tunecheck::gate
