#pragma once
// What has been compiled already, and need not be compiled again.
#include "backend/backend.hpp"
#include "core/config.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// A config with its artifact, or with the reason why it does not compile. Plain data.
struct CompiledConfig {
  Config config;
  Result<Artifact> artifact;
};

}  // namespace tunecheck
