#pragma once
// How often rules are right, on machines that are only computed (gate/rule/noise.hpp): ours, by the
// very code that decides in earnest, and those of others.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gate/rule/answer.hpp"
#include "gate/rule/settings.hpp"

namespace tunecheck::gate {

struct CalibrationOptions {
  Settings settings;               ///< passed check()
  std::size_t sessions = 100'000;  ///< of each machine and slowdown
  std::uint64_t seed = 1;          ///< the same one gives the same counts with any number of jobs
  int jobs = 0;                    ///< threads; 0 for one per core
};

/// The slowdowns that are planted; the first is none at all.
inline constexpr std::array<double, 5> planted_slowdowns = {0, 0.02, 0.05, 0.08, 0.10};

/// Sessions of one benchmark on one machine with one slowdown.
struct OwnCounts {
  std::array<std::size_t, 5> answers{};  ///< by Answer
  std::size_t pairs = 0;                 ///< of all sessions together

  [[nodiscard]] std::size_t of(Answer answer) const {
    return answers[static_cast<std::size_t>(answer)];
  }
};

struct MachineCalibration {
  std::string machine;  ///< the noise model's name
  std::array<OwnCounts, planted_slowdowns.size()> own;
  /// Of how many sessions each of other_rules() said that the head is slower.
  std::vector<std::array<std::size_t, planted_slowdowns.size()>> others;
  /// Of sessions without a slowdown, how many found, run once more, the smallest slowdown that they
  /// had stated; and the sum of what they stated.
  std::size_t stated_found = 0;
  double stated = 0;
};

struct Calibration {
  CalibrationOptions options;
  std::vector<MachineCalibration> machines;
};

[[nodiscard]] Calibration calibrate(const CalibrationOptions& options);

/// What the rule must reach on a machine, and whether it did.
struct Promise {
  std::string text;
  bool is_kept = false;
};
[[nodiscard]] std::vector<Promise> promises(const Calibration& calibration);

}  // namespace tunecheck::gate
