#include "observe/watch/cuda/cuda_blocks.hpp"

#include <algorithm>

namespace tunecheck::watch {
namespace {

constexpr std::size_t most_spare_blocks = 64;

}  // namespace

Result<Region> CudaBlocks::take(gpu::ContextNumber context, std::uint64_t bytes) {
  const auto spare = find_spare(context, bytes);
  if (spare == m_spare.end()) {
    CUdeviceptr address = 0;
    TUNECHECK_CHECK(check(m_functions, m_functions.allocate(&address, bytes), "cuMemAlloc"));
    m_bytes += bytes;
    m_own.add({address, bytes});
    return Region{address, bytes};
  }
  const Region block = spare->second;
  m_spare.erase(spare);
  return block;
}

void CudaBlocks::put_back(gpu::ContextNumber context, const Region& block) {
  if (holds_too_much() || m_spare.size() >= most_spare_blocks) return give_back(block);
  m_spare.emplace_back(context, block);
}

bool CudaBlocks::make_room(gpu::ContextNumber context, std::uint64_t bytes) {
  if (find_spare(context, bytes) != m_spare.end()) return !holds_too_much();
  while (m_bytes + bytes > m_most && !m_spare.empty()) {
    const Region block = m_spare.back().second;
    m_spare.pop_back();
    give_back(block);
  }
  return m_bytes + bytes <= m_most;
}

void CudaBlocks::give_back(const Region& block) {
  m_bytes -= block.size;
  (void)m_functions.give_back(block.address);
  m_own.remove(block.address);
}

CudaBlocks::Spare::iterator CudaBlocks::find_spare(gpu::ContextNumber context,
                                                   std::uint64_t bytes) {
  return std::find_if(m_spare.begin(), m_spare.end(), [&](const auto& spare) {
    return spare.first == context && spare.second.size >= bytes && spare.second.size / 4 <= bytes;
  });
}

}  // namespace tunecheck::watch
