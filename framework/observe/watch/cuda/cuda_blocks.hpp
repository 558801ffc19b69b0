#pragma once
// Memory that the observer itself takes, and keeps for the next time.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/driver.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// Blocks of the device. The driver's own ways to get and give back memory wait for all work and
/// take long, so some is kept. One thread at a time.
class CudaBlocks {
 public:
  /// `functions` outlives it. At most `most_spare` bytes are kept that nobody has.
  CudaBlocks(const gpu::CudaFunctions& functions, std::uint64_t most_spare)
      : m_functions(functions), m_most_spare(most_spare) {}

  /// A block that may hold anything, of `context`, which is current.
  [[nodiscard]] Result<Region> take(gpu::ContextNumber context, std::uint64_t bytes);
  void put_back(gpu::ContextNumber context, const Region& block);

  /// Whether a block of so many bytes needs no further memory.
  [[nodiscard]] bool has_spare(gpu::ContextNumber context, std::uint64_t bytes) {
    return find_spare(context, bytes) != m_spare.end();
  }
  /// Of all blocks, those that somebody has and the spare ones.
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

 private:
  using Spare = std::vector<std::pair<gpu::ContextNumber, Region>>;
  [[nodiscard]] Spare::iterator find_spare(gpu::ContextNumber context, std::uint64_t bytes);

  const gpu::CudaFunctions& m_functions;
  std::uint64_t m_most_spare;
  std::uint64_t m_bytes = 0;
  Spare m_spare;
};

}  // namespace tunecheck::watch
