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
    if (!options.cache_folder.empty()) store = parts.make_store(options);
  }

  const Backend& backend;
  const TunerOptions options;
  const TunerParts parts;
  std::unique_ptr<WinnerStore> store;  // null where there is no cache folder
  LoadedWinners winners;
};

}  // namespace tunecheck::detail
