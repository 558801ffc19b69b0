#include "tuner/loaded_winners.hpp"

#include <iterator>

namespace tunecheck::detail {
namespace {

// What must stay is moved out of the way. So many a call, so that a call costs the same however
// many there are.
constexpr int looked_at_once = 4;

}  // namespace

std::shared_ptr<WinnerSlot> LoadedWinners::slot(const Key& key) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_by_key.find(key.text());
  if (found != m_by_key.end()) {
    m_known.splice(m_known.begin(), m_known, found->second);
    return m_known.front().slot;
  }
  m_known.push_front({key.text(), std::make_shared<WinnerSlot>()});
  m_by_key.emplace(m_known.front().key, m_known.begin());
  std::shared_ptr<WinnerSlot> made = m_known.front().slot;
  let_go();
  return made;
}

void LoadedWinners::let_go() {
  for (int looked = 0; looked < looked_at_once && m_known.size() > m_limit; ++looked) {
    const auto last = std::prev(m_known.end());
    // Nobody can begin to use it now: that takes the mutex.
    if (last->slot.use_count() == 1 && last->slot->in_store) {
      m_by_key.erase(last->key);
      m_known.erase(last);
    } else {
      m_known.splice(m_known.begin(), m_known, last);
    }
  }
}

const Config* LoadedWinners::keep(Config config) {
  const std::scoped_lock lock(m_mutex);
  return &*m_configs.insert(std::move(config)).first;
}

std::size_t LoadedWinners::count() const {
  const std::scoped_lock lock(m_mutex);
  return m_known.size();
}

}  // namespace tunecheck::detail
