#pragma once
// Loading artifacts in a process that also forks.
#include <memory>
#include <mutex>

#include "backend/backend.hpp"

namespace tunecheck {

/// Held while an artifact is loaded and while a trial is forked. A child that is born in the middle
/// of another thread's load inherits the loader's lock for ever, and its own load would never end.
[[nodiscard]] std::mutex& loading_mutex();

/// backend.load() under loading_mutex(). Not for trials: they have the process to themselves.
[[nodiscard]] Result<std::unique_ptr<Module>> load_beside_trials(const Backend& backend,
                                                                 const Artifact& artifact);

}  // namespace tunecheck
