#pragma once
// Where CUPTI is: beside a toolkit, or in a wheel of PyPI.
#include <filesystem>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::gpu {

/// Files and bare names (for the loader to search) in the order in which they are tried: what
/// TUNECHECK_CUPTI names and nothing else, or what the loader finds, toolkits below /usr/local, and
/// wheels: of Python packages that this process has loaded libraries from, of the environment that
/// is active, of tunecheck's own.
[[nodiscard]] std::vector<std::filesystem::path> cupti_candidates();

/// Opens the first that can be opened, for good. The error says what was tried.
[[nodiscard]] Result<void*> open_cupti();

}  // namespace tunecheck::gpu
