#include "tuner/trial/loading.hpp"

namespace tunecheck {

std::mutex& loading_mutex() {
  static std::mutex mutex;
  return mutex;
}

Result<std::unique_ptr<Module>> load_beside_trials(const Backend& backend,
                                                   const Artifact& artifact) {
  const std::scoped_lock lock(loading_mutex());
  return backend.load(artifact);
}

}  // namespace tunecheck
