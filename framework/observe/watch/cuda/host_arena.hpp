#pragma once
// Memory of the host that copies of the device's memory go to.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <boost/interprocess/managed_external_buffer.hpp>

#include "core/result.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// A piece of the host's memory that the driver has locked once, so that copies are fast, and that
/// is divided among those who ask: locking takes longer than copying, and waits for the device. It
/// is taken when it is first asked for, and stays. Where it is full, as much again is to be had
/// that is not locked. One thread at a time.
class HostArena {
 public:
  /// `functions` outlives it.
  HostArena(const gpu::CudaFunctions& functions, std::size_t bytes)
      : m_functions(functions), m_size(bytes) {}

  /// A block of it that may hold anything. An error where there is no room.
  [[nodiscard]] Result<Region> take(std::size_t bytes);
  void put_back(const Region& block);
  /// An address in a block of it.
  [[nodiscard]] bool holds(std::uint64_t address) const;

 private:
  using Allocator = boost::interprocess::managed_external_buffer;
  [[nodiscard]] Allocator* allocator();
  [[nodiscard]] Result<Region> take_unlocked(std::size_t bytes);
  [[nodiscard]] bool is_locked(std::uint64_t address) const;

  const gpu::CudaFunctions& m_functions;
  std::size_t m_size;
  bool m_was_tried = false;
  std::unique_ptr<std::byte[]> m_memory;
  std::unique_ptr<Allocator> m_allocator;  // inside of the memory
  // Those that were handed out elsewhere, by their first addresses, and all their bytes.
  std::map<std::uint64_t, std::uint64_t> m_elsewhere;
  std::size_t m_unlocked = 0;
};

}  // namespace tunecheck::watch
