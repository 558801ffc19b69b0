#pragma once
// A program of the simulated device, loaded.
#include <memory>

#include "backend/sim/artifact.hpp"
#include "backend/sim/device.hpp"

namespace tunecheck::sim {

/// One load: draws the chance that lasts as long as the module.
[[nodiscard]] std::unique_ptr<Module> make_module(Program program, std::shared_ptr<Device> device);

}  // namespace tunecheck::sim
