#include "observe/watch/cuda/cuda_memory.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
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
// What others use of the device for each byte that is held there, and what may be in any case.
constexpr std::uint64_t in_use_per_held = 64;
constexpr std::uint64_t always_held = std::uint64_t{4} << 20;

std::uint64_t round_up(std::uint64_t address) {
  return (address + border - 1) / border * border;
}

// One block, with a place in it for each region. `give_back` ends it.
class CudaCopy final : public Copy {
 public:
  CudaCopy(const Region& block, Regions places, std::function<void(const Region&)> give_back)
      : m_block(block), m_regions(std::move(places)), m_give_back(std::move(give_back)) {
    for (Region& place : m_regions)
      place.address += round_up(block.address);
  }
  ~CudaCopy() override { m_give_back(m_block); }
  [[nodiscard]] const Regions& regions() const override { return m_regions; }

 private:
  Region m_block;
  Regions m_regions;
  std::function<void(const Region&)> m_give_back;
};

// Where the regions lie in a block, and the size of that: an address keeps its distance from a
// border.
std::pair<Regions, std::uint64_t> places_for(const Regions& regions) {
  Regions places;
  std::uint64_t end = 0;
  for (const Region& region : regions) {
    const std::uint64_t first = round_up(end) + region.address % border;
    places.push_back({first, region.size});
    end = first + region.size;
  }
  return {std::move(places), round_up(end) + border};
}

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

CudaMemory::CudaMemory(const gpu::CudaFunctions& functions, std::uint64_t most_on_host)
    : m_functions(functions),
      m_digest(functions,
               [this](CUdeviceptr address, std::size_t bytes) {
                 m_own.add({address, bytes});
               }),
      m_device(functions, m_own),
      m_host(functions, most_on_host) {}

Region CudaMemory::region_at(std::uint64_t address) {
  if (address < lowest_address || address > highest_address || m_own.holds(address)) return {};
  if (const Region block = m_blocks.at(address); block.size > 0) return block;
  const Region allocation = allocation_at(address);
  return allocation.size > 0 ? m_blocks.gap_at(address, allocation) : Region{};
}

bool CudaMemory::is_exact(const Region& region) const {
  if (m_blocks.is_exact(region)) return true;
  const auto allocation = m_allocations.find(region.address);
  return allocation != m_allocations.end() && allocation->second == region &&
         m_blocks.at(region.address).size == 0;
}

Region CudaMemory::forget_allocation(std::uint64_t address) {
  const Region allocation = allocation_at(address);
  m_allocations.erase(allocation.address);
  if (allocation.size > 0) m_blocks.remove_within(allocation);
  return allocation;
}

Region CudaMemory::allocation_at(std::uint64_t address) {
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

void CudaMemory::note_most_held() {
  std::size_t free_bytes = 0, all_bytes = 0;
  if (m_functions.memory_info(&free_bytes, &all_bytes) != CUDA_SUCCESS) return;
  const std::uint64_t in_use = all_bytes - free_bytes - m_device.bytes();
  m_device.set_most(std::max(always_held, in_use / in_use_per_held));
}

Result<std::unique_ptr<Copy>> CudaMemory::copy(const Regions& regions) {
  note_most_held();
  (void)m_device.make_room(m_context, places_for(regions).second);
  return copy_to_device(regions);
}

Result<std::unique_ptr<Copy>> CudaMemory::copy_to_device(const Regions& regions) {
  auto [places, bytes] = places_for(regions);
  TUNECHECK_TRY(const Region block, m_device.take(m_context, bytes));
  return fill(std::make_unique<CudaCopy>(block, std::move(places),
                                         [this, context = m_context.load()](const Region& taken) {
                                           m_device.put_back(context, taken);
                                         }),
              regions);
}

Result<std::unique_ptr<Copy>> CudaMemory::copy_to_host(const Regions& regions) {
  auto [places, bytes] = places_for(regions);
  TUNECHECK_TRY(const Region block, m_host.take(bytes));
  return fill(std::make_unique<CudaCopy>(block, std::move(places),
                                         [this](const Region& taken) { m_host.put_back(taken); }),
              regions);
}

Result<std::unique_ptr<Copy>> CudaMemory::keep(const Regions& regions) {
  note_most_held();
  if (m_device.make_room(m_context, places_for(regions).second))
    if (auto copy = copy_to_device(regions)) return copy;
  return copy_to_host(regions);
}

std::unique_ptr<Copy> CudaMemory::put_aside(std::unique_ptr<Copy> copy) {
  if (!m_device.holds_too_much()) return copy;
  auto elsewhere = copy_to_host(copy->regions());
  return elsewhere ? std::move(*elsewhere) : nullptr;
}

Result<std::unique_ptr<Copy>> CudaMemory::fill(std::unique_ptr<Copy> copy, const Regions& regions) {
  TUNECHECK_CHECK(check(m_functions, m_functions.synchronize_context(), "cuCtxSynchronize"));
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!m_host.holds(regions[i].address) && !m_digest.is_readable(bytes_of(regions[i])))
      return failure("an argument is no memory of the device any more");
    TUNECHECK_CHECK(write(copy->regions()[i], regions[i]));
  }
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
    TUNECHECK_CHECK(read(contents[i].data(), {regions[i]->address, one.size}));
  }
  Difference found;
  for (std::size_t i = 0; i < one.size; ++i) {
    if (contents[0][i] == contents[1][i]) continue;
    ++found.bytes;
    found.changed += contents[0][i] != contents[2][i] ? 1 : 0;
  }
  return found;
}

// cuMemcpy() takes any address: memory of the device that is gone would be the host's to it, and
// the process would end when it is read. The others refuse that.
Result<void> CudaMemory::write(const Region& to, const Region& from) {
  if (m_host.holds(to.address)) return read(reinterpret_cast<void*>(to.address), from);
  if (m_host.holds(from.address))
    return check(m_functions,
                 m_functions.copy_to_device(to.address, reinterpret_cast<const void*>(from.address),
                                            from.size),
                 "cuMemcpyHtoD");
  return check(m_functions, m_functions.copy_on_device(to.address, from.address, from.size),
               "cuMemcpyDtoD");
}

Result<void> CudaMemory::read(void* to, const Region& from) {
  if (!m_host.holds(from.address))
    return check(m_functions, m_functions.copy_from_device(to, from.address, from.size),
                 "cuMemcpyDtoH");
  std::memcpy(to, reinterpret_cast<const void*>(from.address), from.size);
  return {};
}

}  // namespace tunecheck::watch
