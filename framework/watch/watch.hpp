#pragma once
// tunecheck watch: runs somebody's program cold and warm, and says what its tuners did.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "result/watch_result.hpp"
#include "watch/readiness.hpp"

namespace tunecheck::watch {

struct WatchOptions {
  std::vector<std::string> command;          ///< the program first
  std::filesystem::path out;                 ///< folder of evidence and caches
  int warm_runs = 2;                         ///< after the cold one
  bool uses_own_caches = false;              ///< the user's caches, as they are: all runs are warm
  std::vector<std::string> cache_variables;  ///< further ones that name a folder of a cache
  std::vector<std::string> hidden;  ///< paths below the home folder that are not to be found
  std::uint64_t at_most = 0;        ///< bytes of one launch's arguments that are looked at
  std::optional<std::chrono::seconds> time_limit;  ///< of each run
  ReadyWhen ready;
  /// For /bin/sh: changes what the program is made from, behind the warm runs. Then follow a run in
  /// the same caches and two in empty ones.
  std::string edit;
  bool runs_fresh = false;  ///< two runs in empty caches, behind those with the user's own
};

/// Runs it and judges what was seen. `says` gets a line before each run. An interrupt ends the run
/// that goes on and leaves out the others; what was seen until then is judged. An error where the
/// program cannot be started.
[[nodiscard]] Result<WatchResult> watch_program(
    const WatchOptions& options, const std::function<void(const std::string&)>& says);

}  // namespace tunecheck::watch
