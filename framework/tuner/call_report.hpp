#pragma once
// What a tuned call tells its caller.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"
#include "table/lookup.hpp"
#include "tuner/remote/remote_cache.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

enum class CacheUse {
  hit,       ///< the winner was known, in memory or on disk
  miss,      ///< there was no winner for this key: tuned, or a config chosen without a search
  stale,     ///< likewise: there was an entry that must not be used
  disabled,  ///< likewise, and there is no cache folder to keep a winner in
  /// The winner is being searched for; this call launched the kernel file's default config.
  pending,
  /// A winner is stored that was searched with less than is asked for; this call launched it, and
  /// the search goes on meanwhile.
  unchecked,
};
[[nodiscard]] std::string_view name_of(CacheUse use);

/// On a hit in memory everything but cache, winner and status is empty.
struct CallReport {
  /// Not defaulted: the compiler would clear all bytes before it sets the members, which takes a
  /// third of a hit.
  CallReport() noexcept {}  // NOLINT(modernize-use-equals-default)

  CacheUse cache = CacheUse::hit;
  RemoteUse remote = RemoteUse::none;   ///< what asking the remote cache, or telling it, came to
  table::Use table = table::Use::none;  ///< what asking the offline table came to
  const Config* winner = nullptr;       ///< lives as long as the tuner
  LaunchStatus status = 0;              ///< of the launch on the caller's arguments
  /// Calls of this key so far that were given another config while its winner was searched for.
  std::int64_t given_meanwhile = 0;
  /// Why the search that this key's calls did not wait for has failed; "" where it has not.
  std::string search_failure;
  std::int64_t compiles = 0;  ///< compilers that this call started
  std::vector<Trial> trials;
  std::uint64_t snapshot_bytes = 0;      ///< what copies of the arguments took while it tuned
  double flush_share = 0;                ///< of the device's time in trials: making its caches cold
  std::string device_state;              ///< as the backend says after the trials
  std::vector<std::string> missed_axes;  ///< in which the nearest entry differs
  std::vector<std::string> warnings;
  std::string message;  ///< for a person: why the key missed, every warning
};

}  // namespace tunecheck
