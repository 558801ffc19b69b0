#pragma once
// Memory that the observer itself takes, and keeps for the next time.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/driver.hpp"
#include "observe/watch/cuda/own_memory.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// Blocks of the device. The driver's own ways to get and give back memory wait for all work and
/// take long, so some that nobody has are kept, as far as there is room. One thread at a time.
class CudaBlocks {
 public:
  /// Both outlive it. What it has is in `own`.
  CudaBlocks(const gpu::CudaFunctions& functions, OwnMemory& own)
      : m_functions(functions), m_own(own) {}

  /// So many bytes may be held, those of spare blocks included; 0 at first.
  void set_most(std::uint64_t bytes) { m_most = bytes; }

  /// A block that may hold anything, of `context`, which is current, also where that is too much.
  [[nodiscard]] Result<Region> take(gpu::ContextNumber context, std::uint64_t bytes);
  void put_back(gpu::ContextNumber context, const Region& block);

  /// Whether a block of so many bytes may be taken. Gives spare blocks back where that is needed.
  [[nodiscard]] bool make_room(gpu::ContextNumber context, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  [[nodiscard]] bool holds_too_much() const { return m_bytes > m_most; }

 private:
  using Spare = std::vector<std::pair<gpu::ContextNumber, Region>>;
  [[nodiscard]] Spare::iterator find_spare(gpu::ContextNumber context, std::uint64_t bytes);
  void give_back(const Region& block);

  const gpu::CudaFunctions& m_functions;
  OwnMemory& m_own;
  std::uint64_t m_most = 0;
  std::uint64_t m_bytes = 0;  // of all blocks, those that somebody has and the spare ones
  Spare m_spare;
};

}  // namespace tunecheck::watch
