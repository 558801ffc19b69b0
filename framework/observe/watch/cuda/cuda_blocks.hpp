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

/// Blocks of the device, or pinned ones of the host, which the device can read. The driver's own
/// ways to get and give back memory wait for all work and take long, so some is kept. One thread at
/// a time.
class CudaBlocks {
 public:
  enum class Place { device, host };

  /// `functions` outlives it. At most `most_spare` bytes are kept that nobody has.
  CudaBlocks(const gpu::CudaFunctions& functions, Place place, std::uint64_t most_spare)
      : m_functions(functions), m_place(place), m_most_spare(most_spare) {}

  /// A block that may hold anything, of `context`, which is current.
  [[nodiscard]] Result<Region> take(gpu::ContextNumber context, std::uint64_t bytes);
  void put_back(gpu::ContextNumber context, const Region& block);

 private:
  using Spare = std::vector<std::pair<gpu::ContextNumber, Region>>;
  [[nodiscard]] Result<Region> allocate(std::uint64_t bytes);
  [[nodiscard]] Spare::iterator find_spare(gpu::ContextNumber context, std::uint64_t bytes);

  const gpu::CudaFunctions& m_functions;
  Place m_place;
  std::uint64_t m_most_spare;
  Spare m_spare;
};

}  // namespace tunecheck::watch
