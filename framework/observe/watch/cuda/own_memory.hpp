#pragma once
// Memory of the device that the observer itself has.
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// No kernel of the program is given it, although its address may stand in an argument: PyTorch
/// launches kernels with structs that are filled in as far as they are used, and the rest is what
/// the thread's stack held before. Any thread may call.
class OwnMemory {
 public:
  void add(const Region& block) {
    const std::lock_guard lock(m_mutex);
    m_sizes[block.address] = block.size;
  }
  /// Called when the driver has taken it back: until then it would answer that there is memory.
  void remove(std::uint64_t address) {
    const std::lock_guard lock(m_mutex);
    m_sizes.erase(address);
  }
  [[nodiscard]] bool holds(std::uint64_t address) const {
    const std::lock_guard lock(m_mutex);
    const auto after = m_sizes.upper_bound(address);
    if (after == m_sizes.begin()) return false;
    const auto& [first, size] = *std::prev(after);
    return address - first < size;
  }

 private:
  mutable std::mutex m_mutex;
  std::map<std::uint64_t, std::uint64_t> m_sizes;  // by their first addresses
};

}  // namespace tunecheck::watch
