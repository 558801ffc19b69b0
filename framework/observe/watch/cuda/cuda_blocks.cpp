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
    return Region{address, bytes};
  }
  const Region block = spare->second;
  m_spare.erase(spare);
  return block;
}

void CudaBlocks::put_back(gpu::ContextNumber context, const Region& block) {
  std::uint64_t spare_bytes = block.size;
  for (const auto& [of, spare] : m_spare)
    spare_bytes += spare.size;
  if (spare_bytes <= m_most_spare && m_spare.size() < most_spare_blocks)
    return static_cast<void>(m_spare.emplace_back(context, block));
  m_bytes -= block.size;
  (void)m_functions.give_back(block.address);
}

CudaBlocks::Spare::iterator CudaBlocks::find_spare(gpu::ContextNumber context,
                                                   std::uint64_t bytes) {
  return std::find_if(m_spare.begin(), m_spare.end(), [&](const auto& spare) {
    return spare.first == context && spare.second.size >= bytes && spare.second.size / 4 <= bytes;
  });
}

}  // namespace tunecheck::watch
