#pragma once
// A scenario of quality without processes, probes and files: its calls are made at the tuner
// itself, on the simulated device that the judge would give to it. What is judged is what the
// checks judge.
#include <cstdint>
#include <string>
#include <vector>

#include "judge/run/session.hpp"
#include "tuner/parts.hpp"

namespace tunecheck::test {

/// Every kernel, and the scenarios of this family that run on the simulated device.
[[nodiscard]] const Catalogue& quality_catalogue();

/// What an expectation about quality said in one run.
struct Finding {
  std::string check;
  double allowed = 0;   ///< percent, or configs
  double observed = 0;  ///< likewise; infinite where the winner gives no right results
  [[nodiscard]] bool holds() const { return observed <= allowed; }
};

/// Plays the scenario for one seed. Throws where the tuner fails.
[[nodiscard]] std::vector<Finding> play(const Scenario& scenario, std::uint64_t seed,
                                        const TunerParts& parts);

/// How many seeds the tests play: TUNECHECK_QUALITY_SEEDS, or `otherwise`.
[[nodiscard]] std::uint64_t seeds_to_play(std::uint64_t otherwise);

}  // namespace tunecheck::test
