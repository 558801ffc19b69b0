#pragma once
// The section `sim` of a kernel file.
#include "core/info.hpp"
#include "core/kernel.hpp"
#include "core/sim_model.hpp"

namespace tunecheck {

/// Reads the section; mistakes go to `errors`. Expressions are not evaluated.
[[nodiscard]] SimModel read_sim(const InfoNode& node, InfoErrors& errors);

/// What is wrong with the model at these sizes for one of the configs, "" if nothing is.
[[nodiscard]] std::string sim_trouble(const SimModel& model, const Sizes& sizes,
                                      const std::vector<Config>& configs);

}  // namespace tunecheck
