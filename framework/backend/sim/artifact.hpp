#pragma once
// What compiling for the simulated device makes: a config with everything that its launches need.
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/sim_model.hpp"

namespace tunecheck::sim {

struct Program {
  std::string kernel;
  std::string config;            ///< as to_string() spells it
  double cost_ns = 0;            ///< of an undisturbed launch
  bool refuses = false;          ///< each launch ends with status 701
  bool wrong = false;            ///< results are off by one
  std::vector<Access> accesses;  ///< one a tensor
  SimDisturbance disturbance;
};

[[nodiscard]] Artifact to_artifact(const Program& program);
/// An error for bytes that to_artifact() did not make, or that were changed.
[[nodiscard]] Result<Program> read_artifact(const Artifact& artifact);

}  // namespace tunecheck::sim
