#include "observe/watch/cuda/reported_blocks.hpp"

#include <algorithm>
#include <iterator>

namespace tunecheck::watch {

void ReportedBlocks::remove_within(const Region& allocation) {
  const std::uint64_t end = allocation.address + allocation.size;
  auto block = m_blocks.upper_bound(allocation.address);
  if (block != m_blocks.begin()) {
    const auto before = std::prev(block);
    if (allocation.address - before->first < before->second.size) block = before;
  }
  while (block != m_blocks.end() && block->first < end)
    block = m_blocks.erase(block);
}

void ReportedBlocks::add(const Region& block, bool is_exact) {
  remove_within(block);
  if (block.size > 0) m_blocks[block.address] = {block.size, is_exact};
}

Region ReportedBlocks::remove(std::uint64_t address) {
  const auto block = m_blocks.find(address);
  if (block == m_blocks.end()) return {};
  const Region removed{block->first, block->second.size};
  m_blocks.erase(block);
  return removed;
}

Region ReportedBlocks::at(std::uint64_t address) const {
  const auto after = m_blocks.upper_bound(address);
  if (after == m_blocks.begin()) return {};
  const auto& [first, block] = *std::prev(after);
  return address - first < block.size ? Region{first, block.size} : Region{};
}

bool ReportedBlocks::is_exact(const Region& region) const {
  const auto block = m_blocks.find(region.address);
  return block != m_blocks.end() && block->second.is_exact;
}

Region ReportedBlocks::gap_at(std::uint64_t address, const Region& allocation) const {
  std::uint64_t first = allocation.address, end = allocation.address + allocation.size;
  const auto after = m_blocks.upper_bound(address);
  if (after != m_blocks.end()) end = std::min(end, after->first);
  if (after != m_blocks.begin()) {
    const auto& [before, block] = *std::prev(after);
    first = std::max(first, before + block.size);
  }
  return {first, end - first};
}

}  // namespace tunecheck::watch
