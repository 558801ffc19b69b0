#pragma once
// The winners that a tuner has in memory, by key: as many as it may keep, the last used ones.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tuner/key/key.hpp"
#include "tuner/known_calls.hpp"
#include "tuner/trial/compiled_config.hpp"

namespace tunecheck::detail {

/// The winner of one key, once there is one. Who has the turn finds or makes it; one that fails
/// leaves it empty, and the next one in line tries.
class WinnerSlot {
 public:
  std::mutex& turn() { return m_turn; }

  /// Null as long as there is none.
  [[nodiscard]] std::shared_ptr<const LoadedWinner> winner() const {
    const std::scoped_lock lock(m_mutex);
    return m_winner;
  }
  /// Calls that have the winner before keep it for as long as they need it.
  void keep(std::shared_ptr<const LoadedWinner> winner) {
    const std::scoped_lock lock(m_mutex);
    m_winner = std::move(winner);
  }

  /// What is launched as long as there is no winner, or one that was searched with too little; null
  /// where nothing is.
  [[nodiscard]] std::shared_ptr<const LoadedWinner> stand_in() const {
    const std::scoped_lock lock(m_mutex);
    return m_stand_in;
  }
  void keep_stand_in(std::shared_ptr<const LoadedWinner> stand_in) {
    const std::scoped_lock lock(m_mutex);
    m_stand_in = std::move(stand_in);
  }
  /// Held by whoever makes the stand-in.
  std::mutex& stand_in_turn() { return m_stand_in_turn; }

  /// What was compiled to have a stand-in, so that the search need not compile it again.
  void keep_compiled(std::vector<CompiledConfig> compiled) {
    const std::scoped_lock lock(m_mutex);
    m_compiled = std::move(compiled);
  }
  [[nodiscard]] std::vector<CompiledConfig> take_compiled() {
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_compiled, {});
  }

  /// What went wrong in the search that nobody waits for; "" where nothing did, or it goes on.
  [[nodiscard]] std::string trouble() const {
    const std::scoped_lock lock(m_mutex);
    return m_trouble;
  }
  void keep_trouble(std::string trouble) {
    const std::scoped_lock lock(m_mutex);
    m_trouble = std::move(trouble);
  }

  /// Calls that launched the stand-in.
  std::atomic<std::int64_t> given_meanwhile{0};
  /// False where the winner would have to be tuned again: then the slot is never let go.
  std::atomic<bool> in_store{true};

 private:
  std::mutex m_turn, m_stand_in_turn;
  mutable std::mutex m_mutex;  // guards the following
  std::shared_ptr<const LoadedWinner> m_winner, m_stand_in;
  std::vector<CompiledConfig> m_compiled;
  std::string m_trouble;
};

/// All members may be called by several threads at once.
class LoadedWinners {
 public:
  /// At most `limit` slots are kept that nobody uses and that the store could fill again.
  explicit LoadedWinners(std::size_t limit) : m_limit(limit) {}

  /// The slot of a key, and the last one to be let go. It belongs to the key as long as somebody
  /// has it.
  [[nodiscard]] std::shared_ptr<WinnerSlot> slot(const Key& key);

  /// This config, where it stays for the life of this object. There are as many as the spaces
  /// allow, however many keys there are.
  [[nodiscard]] const Config* keep(Config config);

  /// Slots at this moment.
  [[nodiscard]] std::size_t count() const;

 private:
  struct Known {
    std::string key;
    std::shared_ptr<WinnerSlot> slot;
  };
  void let_go();

  const std::size_t m_limit;
  mutable std::mutex m_mutex;
  std::list<Known> m_known;  // the last used first
  std::unordered_map<std::string_view, std::list<Known>::iterator> m_by_key;
  std::set<Config> m_configs;
};

}  // namespace tunecheck::detail
