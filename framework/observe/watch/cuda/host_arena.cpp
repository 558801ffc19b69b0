#include "observe/watch/cuda/host_arena.hpp"

#include <iterator>
#include <new>

namespace tunecheck::watch {
namespace {

constexpr std::size_t page = 4096;

}  // namespace

HostArena::Allocator* HostArena::allocator() {
  if (m_was_tried) return m_allocator.get();
  m_was_tried = true;
  m_memory.reset(new (std::nothrow) std::byte[m_size + page]);
  if (m_memory == nullptr) return nullptr;
  void* first = m_memory.get();
  std::size_t space = m_size + page;
  std::align(page, m_size, first, space);
  // Where the driver may not lock it, copies take longer.
  (void)m_functions.lock_host_memory(first, m_size, CU_MEMHOSTREGISTER_PORTABLE);
  m_allocator = std::make_unique<Allocator>(boost::interprocess::create_only, first, m_size);
  return m_allocator.get();
}

Result<Region> HostArena::take(std::size_t bytes) {
  Allocator* const within = bytes < m_size ? allocator() : nullptr;
  void* const block =
      within != nullptr ? within->allocate_aligned(bytes, page, std::nothrow) : nullptr;
  if (block == nullptr) return take_unlocked(bytes);
  return Region{reinterpret_cast<std::uintptr_t>(block), bytes};
}

Result<Region> HostArena::take_unlocked(std::size_t bytes) {
  if (m_unlocked + bytes > m_size)
    return failure("{} bytes of the host's memory for copies are in use", m_size + m_unlocked);
  void* const block = ::operator new(bytes, std::align_val_t(page), std::nothrow);
  if (block == nullptr) return failure("the host has no memory for {} bytes of copies", bytes);
  m_unlocked += bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  m_elsewhere[address] = bytes;
  return Region{address, bytes};
}

void HostArena::put_back(const Region& block) {
  auto* const address = reinterpret_cast<std::byte*>(block.address);
  if (is_locked(block.address)) return m_allocator->deallocate(address);
  m_unlocked -= block.size;
  m_elsewhere.erase(block.address);
  ::operator delete(address, std::align_val_t(page));
}

bool HostArena::holds(std::uint64_t address) const {
  if (is_locked(address)) return true;
  const auto after = m_elsewhere.upper_bound(address);
  if (after == m_elsewhere.begin()) return false;
  const auto& [first, bytes] = *std::prev(after);
  return address - first < bytes;
}

bool HostArena::is_locked(std::uint64_t address) const {
  const auto first = reinterpret_cast<std::uintptr_t>(m_memory.get());
  return m_memory != nullptr && address >= first && address - first < m_size + page;
}

}  // namespace tunecheck::watch
