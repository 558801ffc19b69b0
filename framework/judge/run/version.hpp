#pragma once

namespace tunecheck {

/// From CMake's project version.
inline constexpr const char* version_text = TUNECHECK_VERSION;

}  // namespace tunecheck
