#include "observe/watch/cuda/reported_blocks.hpp"

#include <algorithm>
#include <iterator>

namespace tunecheck::watch {

void ReportedBlocks::remove_within(const Region& allocation) {
  const std::uint64_t end = allocation.address + allocation.size;
  auto block = m_sizes.upper_bound(allocation.address);
  if (block != m_sizes.begin()) {
    const auto before = std::prev(block);
    if (allocation.address - before->first < before->second) block = before;
  }
  while (block != m_sizes.end() && block->first < end)
    block = m_sizes.erase(block);
}

void ReportedBlocks::add(const Region& block) {
  remove_within(block);
  if (block.size > 0) m_sizes[block.address] = block.size;
}

Region ReportedBlocks::remove(std::uint64_t address) {
  const auto block = m_sizes.find(address);
  if (block == m_sizes.end()) return {};
  const Region removed{block->first, block->second};
  m_sizes.erase(block);
  return removed;
}

Region ReportedBlocks::at(std::uint64_t address) const {
  const auto after = m_sizes.upper_bound(address);
  if (after == m_sizes.begin()) return {};
  const auto& [first, size] = *std::prev(after);
  return address - first < size ? Region{first, size} : Region{};
}

Region ReportedBlocks::gap_at(std::uint64_t address, const Region& allocation) const {
  std::uint64_t first = allocation.address, end = allocation.address + allocation.size;
  const auto after = m_sizes.upper_bound(address);
  if (after != m_sizes.end()) end = std::min(end, after->first);
  if (after != m_sizes.begin()) {
    const auto& [before, size] = *std::prev(after);
    first = std::max(first, before + size);
  }
  return {first, end - first};
}

}  // namespace tunecheck::watch
