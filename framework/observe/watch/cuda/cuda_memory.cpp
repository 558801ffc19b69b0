#include "observe/watch/cuda/cuda_memory.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tunecheck::watch {
namespace {

// No device of Linux has memory at other addresses; most numbers among arguments are not between.
constexpr std::uint64_t lowest_address = std::uint64_t{1} << 32;
constexpr std::uint64_t highest_address = std::uint64_t{1} << 49;
constexpr std::size_t most_allocations = 100'000;
constexpr std::uint64_t border = 4096;
constexpr std::uint64_t most_spare = std::uint64_t{32} << 20;
constexpr std::uint64_t most_spare_of_host = std::uint64_t{256} << 20;

std::uint64_t round_up(std::uint64_t address) {
  return (address + border - 1) / border * border;
}

// One block, with a place in it for each region.
class CudaCopy final : public Copy {
 public:
  CudaCopy(CudaBlocks& blocks, gpu::ContextNumber context, Region block, Regions regions)
      : m_blocks(blocks), m_context(context), m_block(block), m_regions(std::move(regions)) {}
  ~CudaCopy() override { m_blocks.put_back(m_context, m_block); }
  [[nodiscard]] const Regions& regions() const override { return m_regions; }

 private:
  CudaBlocks& m_blocks;
  gpu::ContextNumber m_context;
  Region m_block;
  Regions m_regions;
};

// The bytes as a tensor, in the widest elements that they allow.
gpu::TensorArgument bytes_of(const Region& region) {
  gpu::TensorArgument tensor;
  tensor.first = region.address;
  const bool is_wide = region.address % 8 == 0 && region.size % 8 == 0;
  tensor.dtype = is_wide ? DType::i64 : DType::u8;
  const std::array<std::int64_t, 1> shape = {
      static_cast<std::int64_t>(is_wide ? region.size / 8 : region.size)};
  tensor.layout = Layout::contiguous(shape);
  return tensor;
}

}  // namespace

CudaMemory::CudaMemory(const gpu::CudaFunctions& functions)
    : m_functions(functions),
      m_digest(functions),
      m_device(functions, CudaBlocks::Place::device, most_spare),
      m_host(functions, CudaBlocks::Place::host, most_spare_of_host) {}

Region CudaMemory::allocation_at(std::uint64_t address) {
  if (address < lowest_address || address > highest_address) return {};
  if (auto after = m_allocations.upper_bound(address); after != m_allocations.begin())
    if (const Region& region = std::prev(after)->second; address - region.address < region.size)
      return region;
  if (m_no_addresses.contains(address)) return {};
  unsigned type = 0;
  CUdeviceptr start = 0;
  std::size_t size = 0;
  if (m_functions.pointer_attribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) !=
          CUDA_SUCCESS ||
      type != CU_MEMORYTYPE_DEVICE ||
      m_functions.pointer_attribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) !=
          CUDA_SUCCESS ||
      m_functions.pointer_attribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) !=
          CUDA_SUCCESS) {
    if (m_no_addresses.size() >= most_allocations) m_no_addresses.clear();
    m_no_addresses.insert(address);
    return {};
  }
  if (m_allocations.size() >= most_allocations) m_allocations.clear();
  // What overlaps it is no more.
  auto known = m_allocations.lower_bound(start);
  while (known != m_allocations.end() && known->first < start + size)
    known = m_allocations.erase(known);
  return m_allocations[start] = Region{start, size};
}

void CudaMemory::note_allocation(const Region& allocation) {
  if (allocation.size == 0) return m_no_addresses.clear();
  m_no_addresses.erase(m_no_addresses.lower_bound(allocation.address),
                       m_no_addresses.lower_bound(allocation.address + allocation.size));
}

Result<std::unique_ptr<Copy>> CudaMemory::copy(const Regions& regions) {
  return copy_to(m_device, regions);
}

Result<std::unique_ptr<Copy>> CudaMemory::keep(const Regions& regions) {
  auto copy = copy_to(m_device, regions);
  return copy ? std::move(copy) : copy_to(m_host, regions);
}

Result<std::unique_ptr<Copy>> CudaMemory::copy_to(CudaBlocks& blocks, const Regions& regions) {
  TUNECHECK_CHECK(check(m_functions, m_functions.synchronize_context(), "cuCtxSynchronize"));
  // An address keeps its distance from a border.
  Regions places;
  std::uint64_t end = 0;
  for (const Region& region : regions) {
    const std::uint64_t first = round_up(end) + region.address % border;
    places.push_back({first, region.size});
    end = first + region.size;
  }
  TUNECHECK_TRY(const Region block, blocks.take(m_context, round_up(end) + border));
  for (Region& place : places)
    place.address += round_up(block.address);
  auto copy = std::make_unique<CudaCopy>(blocks, m_context, block, std::move(places));
  for (std::size_t i = 0; i < regions.size(); ++i)
    TUNECHECK_CHECK(write(copy->regions()[i], regions[i]));
  return copy;
}

Result<std::vector<std::uint64_t>> CudaMemory::digests(const Regions& regions) {
  TUNECHECK_CHECK(check(m_functions, m_functions.synchronize_context(), "cuCtxSynchronize"));
  gpu::Tensors tensors;
  for (const Region& region : regions)
    tensors.push_back(bytes_of(region));
  TUNECHECK_TRY(const std::vector<std::string> texts,
                m_digest.digests(m_context, nullptr, tensors));
  std::vector<std::uint64_t> digests;
  for (const std::string& text : texts) {
    if (text.empty()) return failure("an argument could not be read");
    digests.push_back(XXH3_64bits(text.data(), text.size()));
  }
  return digests;
}

Result<Memory::Difference> CudaMemory::difference(const Region& one, const Region& other,
                                                  const Region& before) {
  std::array<std::vector<std::byte>, 3> contents;
  const std::array<const Region*, 3> regions = {&one, &other, &before};
  for (std::size_t i = 0; i < regions.size(); ++i) {
    contents[i].resize(one.size);
    TUNECHECK_CHECK(check(m_functions,
                          m_functions.copy(reinterpret_cast<std::uintptr_t>(contents[i].data()),
                                           regions[i]->address, one.size),
                          "cuMemcpy"));
  }
  Difference found;
  for (std::size_t i = 0; i < one.size; ++i) {
    if (contents[0][i] == contents[1][i]) continue;
    ++found.bytes;
    found.changed += contents[0][i] != contents[2][i] ? 1 : 0;
  }
  return found;
}

Result<void> CudaMemory::write(const Region& to, const Region& from) {
  return check(m_functions, m_functions.copy(to.address, from.address, from.size), "cuMemcpy");
}

}  // namespace tunecheck::watch
