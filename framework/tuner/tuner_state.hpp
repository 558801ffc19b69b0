#pragma once
// What all kernels of one tuner share.
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "tuner/known_calls.hpp"
#include "tuner/parts.hpp"

namespace tunecheck::detail {

/// The winner of one key, once there is one. Who has the turn finds or makes it; one that fails
/// leaves it empty, and the next one in line tries.
class WinnerSlot {
 public:
  std::mutex& turn() { return m_turn; }

  /// Null as long as there is none.
  const LoadedWinner* winner() {
    const std::scoped_lock lock(m_mutex);
    return m_winner.get();
  }
  /// The first winner stays for good, so that whoever has it may use it as long as the tuner lives.
  const LoadedWinner* keep(std::unique_ptr<const LoadedWinner> winner) {
    const std::scoped_lock lock(m_mutex);
    if (!m_winner) m_winner = std::move(winner);
    return m_winner.get();
  }

 private:
  std::mutex m_turn;
  std::mutex m_mutex;
  std::unique_ptr<const LoadedWinner> m_winner;  // guarded by m_mutex
};

struct TunerState {
  TunerState(const Backend& used_backend, TunerOptions used_options, TunerParts used_parts)
      : backend(used_backend), options(std::move(used_options)), parts(std::move(used_parts)) {
    if (!options.cache_folder.empty()) store = parts.make_store(options);
  }

  /// The slot of a key, which stays where it is as long as the tuner lives.
  WinnerSlot& slot(const Key& key) {
    const std::scoped_lock lock(m_mutex);
    std::unique_ptr<WinnerSlot>& slot = m_slots[key.text()];
    if (!slot) slot = std::make_unique<WinnerSlot>();
    return *slot;
  }

  const Backend& backend;
  const TunerOptions options;
  const TunerParts parts;
  std::unique_ptr<WinnerStore> store;  // null where there is no cache folder

 private:
  std::mutex m_mutex;
  std::unordered_map<std::string, std::unique_ptr<WinnerSlot>> m_slots;
};

}  // namespace tunecheck::detail
