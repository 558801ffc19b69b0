#pragma once
// What all kernels of one tuner share.
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "tuner/bundle/program_bundle.hpp"
#include "tuner/loaded_winners.hpp"
#include "tuner/parts.hpp"

namespace tunecheck::detail {

/// Keys that have been searched for although a search was not needed. By any thread.
class SearchedKeys {
 public:
  /// True once for each key.
  [[nodiscard]] bool take(const Key& key) {
    const std::lock_guard lock(m_mutex);
    return m_keys.insert(key.text()).second;
  }

 private:
  std::mutex m_mutex;
  std::set<std::string> m_keys;
};

struct TunerState {
  TunerState(const Backend& used_backend, TunerOptions used_options, TunerParts used_parts)
      : backend(used_backend),
        options(std::move(used_options)),
        parts(std::move(used_parts)),
        winners(options.loaded_winners_limit) {
    if (!options.table_file.empty()) table.emplace(parts.read_table(options.table_file));
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
  SearchedKeys searched_anew;
  UsedEntries used;
  std::unique_ptr<ProgramBundle> bundle;  // null before begin_program()
  /// None where no table is named; the error of one that cannot be read.
  std::optional<Result<table::OfflineTable>> table;
};

}  // namespace tunecheck::detail
