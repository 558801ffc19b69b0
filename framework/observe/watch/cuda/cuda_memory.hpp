#pragma once
// The memory of a GPU.
#include <map>
#include <set>
#include <vector>

#include "observe/gpu/cuda/device_digest.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/watch/cuda/cuda_blocks.hpp"
#include "observe/watch/cuda/host_arena.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// In the context that is current where it is used; all work there is waited for first.
class CudaMemory final : public Memory {
 public:
  /// `functions` outlives it.
  /// In the host's memory, it keeps `most_on_host` bytes at most.
  CudaMemory(const gpu::CudaFunctions& functions, std::uint64_t most_on_host);

  /// The number of the context that is current from here on.
  void set_context(gpu::ContextNumber context) { m_context = context; }

  /// The allocation that an address lies in; size 0 where it is none on a device. Remembered until
  /// forget(): memory that is given back in a way that nobody sees may be taken for an allocation,
  /// so what looks at it asks the driver again.
  [[nodiscard]] Region allocation_at(std::uint64_t address);
  /// Memory has been allocated; size 0: nobody knows where.
  void note_allocation(const Region& allocation);
  /// The allocation is about to be given back.
  void forget(const Region& allocation) { m_allocations.erase(allocation.address); }

  [[nodiscard]] Result<std::unique_ptr<Copy>> copy(const Regions& regions) override;
  /// On the device as long as a small part of what is in use there is kept, and then in the host's
  /// memory.
  [[nodiscard]] Result<std::unique_ptr<Copy>> keep(const Regions& regions) override;
  [[nodiscard]] Result<std::vector<std::uint64_t>> digests(const Regions& regions) override;
  [[nodiscard]] Result<Difference> difference(const Region& one, const Region& other,
                                              const Region& before) override;
  [[nodiscard]] Result<void> write(const Region& to, const Region& from) override;

 private:
  [[nodiscard]] Result<std::unique_ptr<Copy>> fill(std::unique_ptr<Copy> copy,
                                                   const Regions& regions);
  [[nodiscard]] bool has_room_for(std::uint64_t bytes);

  const gpu::CudaFunctions& m_functions;
  gpu::DeviceDigest m_digest;
  gpu::ContextNumber m_context = 0;
  std::map<std::uint64_t, Region> m_allocations;  // by their first addresses
  // Numbers that look like addresses and are none: tables inside arguments are full of them, and
  // the driver takes its time to say so.
  std::set<std::uint64_t> m_no_addresses;
  CudaBlocks m_device;
  HostArena m_host;
};

}  // namespace tunecheck::watch
