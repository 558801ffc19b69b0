#pragma once
// The tables of `tunecheck gate calibrate`, in Markdown, which a terminal shows well enough.
#include <string>

#include "gate/rule/calibration.hpp"

namespace tunecheck {

/// A section for each machine, then what the rule must reach.
[[nodiscard]] std::string calibration_page(const gate::Calibration& calibration);

}  // namespace tunecheck
