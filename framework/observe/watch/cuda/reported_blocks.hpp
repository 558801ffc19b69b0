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
  /// What overlaps it is no more: nobody told of its end. `is_exact`: no larger than what the
  /// program asked for.
  void add(const Region& block, bool is_exact);
  /// The block that begins there, which is no more; size 0 where there is none.
  [[nodiscard]] Region remove(std::uint64_t address);
  /// An allocation is given back, and with it all that is left of it.
  void remove_within(const Region& allocation);

  /// The block that an address lies in; size 0 where it is in none.
  [[nodiscard]] Region at(std::uint64_t address) const;
  /// A block, and no larger than what the program asked for.
  [[nodiscard]] bool is_exact(const Region& region) const;
  /// The part of the allocation around an address in which there is no block. The address is in
  /// none: memory that was freed, or that is only kept, and that a kernel is given all the same.
  [[nodiscard]] Region gap_at(std::uint64_t address, const Region& allocation) const;

 private:
  struct Block {
    std::uint64_t size = 0;
    bool is_exact = false;
  };
  std::map<std::uint64_t, Block> m_blocks;  // by their first addresses
};

}  // namespace tunecheck::watch
