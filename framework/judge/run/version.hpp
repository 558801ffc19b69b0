#pragma once

#include "adapter/protocol/messages.hpp"

namespace tunecheck {

/// From CMake's project version.
inline constexpr const char* version_text = TUNECHECK_VERSION;

/// Of what judge and adapter say to each other.
inline constexpr int adapter_protocol_version = protocol::version;

}  // namespace tunecheck
