#pragma once
#include "cli/commands.hpp"

namespace tunecheck::cli {

/// Adds `calibrate` to the command `gate`.
void add_calibrate_command(CLI::App& gate, Action& action);

}  // namespace tunecheck::cli
