#pragma once
// What all kernels of one tuner share.
#include <memory>

#include "tuner/loaded_winners.hpp"
#include "tuner/parts.hpp"

namespace tunecheck::detail {

struct TunerState {
  TunerState(const Backend& used_backend, TunerOptions used_options, TunerParts used_parts)
      : backend(used_backend),
        options(std::move(used_options)),
        parts(std::move(used_parts)),
        winners(options.loaded_winners_limit) {
    if (options.cache_folder.empty()) return;
    store = parts.make_store(options);
    if (options.remote) remote = parts.make_remote(*options.remote);
  }

  const Backend& backend;
  const TunerOptions options;
  const TunerParts parts;
  std::unique_ptr<WinnerStore> store;   // null where there is no cache folder
  std::unique_ptr<RemoteCache> remote;  // null where there is no store, or none is named
  LoadedWinners winners;
};

}  // namespace tunecheck::detail
