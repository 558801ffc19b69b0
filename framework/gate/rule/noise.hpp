#pragma once
// Machines that are only computed: what times the processes of a session take on them. One that
// would always say what a rule hopes for shows nothing, so they have what real ones have: a speed
// of each process's own, drift, outliers, bursts of somebody else's work.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <boost/random/mersenne_twister.hpp>

namespace tunecheck::gate {

/// Shares are of the time itself: 0.01 is 1 %.
struct NoiseModel {
  std::string_view name;
  std::string_view meaning;
  double process_deviation;  ///< of a process's own speed, whose tails are those of Student's t
                             ///< with 4 degrees of freedom
  double slow_chance;        ///< that a process is slow from its start to its end
  double slow_by;            ///< by how much
  double sample_deviation;   ///< of the samples of a process, normal
  double drift_deviation;    ///< from one process to the next, a random walk
  double outlier_chance;     ///< of a sample
  double outlier_mean;       ///< by how much it is slower, exponential
  double burst_chance;       ///< that one begins before a process
  double burst_processes;    ///< how many processes it lasts, on average
  double burst_mean;         ///< by how much all is slower in it, exponential
};

/// quiet, shared, bad, loaded, crowded.
[[nodiscard]] std::span<const NoiseModel> noise_models();

/// A machine from when it is switched on. Not for several threads at once.
class NoisyMachine {
 public:
  /// `model` must outlive it.
  NoisyMachine(const NoiseModel& model, std::uint64_t seed);

  /// The samples of a process that would take `time` where there is no noise.
  [[nodiscard]] std::vector<double> run(double time, std::size_t samples);

 private:
  const NoiseModel& m_model;
  boost::random::mt19937_64 m_random;
  double m_drift = 0;            // ln
  double m_burst = 0;            // ln, while m_burst_left > 0
  std::size_t m_burst_left = 0;  // processes
};

}  // namespace tunecheck::gate
