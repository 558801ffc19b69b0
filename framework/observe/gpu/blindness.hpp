#pragma once
// What a GPU probe does with settings before there is a recorder.
#include <string>

#include "observe/gpu/settings.hpp"

namespace tunecheck::gpu {

/// Writes that this probe sees nothing, and why.
void record_blindness(const Settings& settings, const std::string& why);

}  // namespace tunecheck::gpu
