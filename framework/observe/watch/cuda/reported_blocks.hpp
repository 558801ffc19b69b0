#pragma once
// Parts of a device's memory that a library takes from larger allocations and hands out itself.
#include <cstddef>
#include <cstdint>
#include <map>

#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// No two of them overlap. One thread at a time.
class ReportedBlocks {
 public:
  /// What overlaps it is no more: nobody told of its end.
  void add(const Region& block);
  /// The block that begins there, which is no more; size 0 where there is none.
  [[nodiscard]] Region remove(std::uint64_t address);
  /// An allocation is given back, and with it all that is left of it.
  void remove_within(const Region& allocation);

  /// The block that an address lies in; size 0 where it is in none.
  [[nodiscard]] Region at(std::uint64_t address) const;
  /// The part of the allocation around an address in which there is no block. The address is in
  /// none: memory that was freed, or that is only kept, and that a kernel is given all the same.
  [[nodiscard]] Region gap_at(std::uint64_t address, const Region& allocation) const;

 private:
  std::map<std::uint64_t, std::uint64_t> m_sizes;  // in bytes, by their first addresses
};

}  // namespace tunecheck::watch
