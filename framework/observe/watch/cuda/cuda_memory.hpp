#pragma once
// The memory of a GPU.
#include <atomic>
#include <map>
#include <set>
#include <vector>

#include "observe/gpu/cuda/device_digest.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/watch/cuda/cuda_blocks.hpp"
#include "observe/watch/cuda/host_arena.hpp"
#include "observe/watch/cuda/own_memory.hpp"
#include "observe/watch/cuda/reported_blocks.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// In the context that is current where it is used; all work there is waited for first.
///
/// What it holds on the device is bounded by a 64th of what others use there, or 4 MiB where that
/// is less: first contents, results that are compared later, and blocks that are kept for the next
/// time. What does not fit is in the host's memory. Only copy() goes beyond that, since a kernel is
/// launched on what it makes: by one copy of a launch's arguments at a time, which is not kept.
class CudaMemory final : public Memory {
 public:
  /// `functions` outlives it.
  /// In the host's memory, it keeps `most_on_host` bytes that are locked, and as many others.
  CudaMemory(const gpu::CudaFunctions& functions, std::uint64_t most_on_host);

  /// The number of the context that is current from here on. Any thread may call.
  void set_context(gpu::ContextNumber context) { m_context = context; }

  /// What the program takes for one piece of memory at an address: the block that a library
  /// reported, else the driver's allocation as far as no block is in it; size 0 where it is no
  /// memory of a device, or the observer's own. Remembered until it is given back: memory that is
  /// given back in a way that nobody sees may be taken for an allocation, so what looks at it asks
  /// the driver again.
  [[nodiscard]] Region region_at(std::uint64_t address);
  /// What region_at() found is what the program asked for, and no more: it does not end with
  /// something that others have left there.
  [[nodiscard]] bool is_exact(const Region& region) const;
  /// Memory has been allocated; size 0: nobody knows where.
  void note_allocation(const Region& allocation);
  /// The allocation at this address is about to be given back, with all blocks in it.
  [[nodiscard]] Region forget_allocation(std::uint64_t address);
  /// A library hands out a part of an allocation, and takes it back: size 0 where it had not.
  void note_block(const Region& block, bool is_exact) { m_blocks.add(block, is_exact); }
  [[nodiscard]] Region forget_block(std::uint64_t address) { return m_blocks.remove(address); }

  [[nodiscard]] Result<std::unique_ptr<Copy>> copy(const Regions& regions) override;
  /// On the device as long as there is room, and then in the host's memory.
  [[nodiscard]] Result<std::unique_ptr<Copy>> keep(const Regions& regions) override;
  [[nodiscard]] std::unique_ptr<Copy> put_aside(std::unique_ptr<Copy> copy) override;
  [[nodiscard]] Result<std::vector<std::uint64_t>> digests(const Regions& regions) override;
  [[nodiscard]] Result<Difference> difference(const Region& one, const Region& other,
                                              const Region& before) override;
  [[nodiscard]] Result<void> write(const Region& to, const Region& from) override;

 private:
  [[nodiscard]] Result<std::unique_ptr<Copy>> fill(std::unique_ptr<Copy> copy,
                                                   const Regions& regions);
  [[nodiscard]] Result<std::unique_ptr<Copy>> copy_to_device(const Regions& regions);
  [[nodiscard]] Result<std::unique_ptr<Copy>> copy_to_host(const Regions& regions);
  // Into the host's memory, from anywhere.
  [[nodiscard]] Result<void> read(void* to, const Region& from);
  [[nodiscard]] Region allocation_at(std::uint64_t address);
  void note_most_held();

  const gpu::CudaFunctions& m_functions;
  OwnMemory m_own;
  gpu::DeviceDigest m_digest;
  std::atomic<gpu::ContextNumber> m_context{0};
  std::map<std::uint64_t, Region> m_allocations;  // the driver's, by their first addresses
  ReportedBlocks m_blocks;
  // Numbers that look like addresses and are none: tables inside arguments are full of them, and
  // the driver takes its time to say so.
  std::set<std::uint64_t> m_no_addresses;
  CudaBlocks m_device;
  HostArena m_host;
};

}  // namespace tunecheck::watch
