#pragma once
// The section `sim` of a kernel file.
#include <optional>
#include <string>
#include <vector>

#include "core/info.hpp"
#include "core/kernel.hpp"
#include "core/sim_model.hpp"

namespace tunecheck {

/// Reads the section; mistakes go to `errors`. Expressions are not evaluated.
[[nodiscard]] SimModel read_sim(const InfoNode& node, InfoErrors& errors);

/// A number of a model that cannot be.
struct SimTrouble {
  int line = 0;     ///< in the kernel file
  std::string key;  ///< in the file
  std::string message;
};

/// What is wrong with the model at these sizes for one of the configs, if anything is.
[[nodiscard]] std::optional<SimTrouble> sim_trouble(const SimModel& model, const Sizes& sizes,
                                                    const std::vector<Config>& configs);

}  // namespace tunecheck
