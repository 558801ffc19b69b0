#pragma once
// The memory that a program's kernels work on, as the observers of `tunecheck watch` look at it.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::watch {

/// `size` bytes at `address` of the device; nobody owns them.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  auto operator<=>(const Region&) const = default;

  [[nodiscard]] bool overlaps(const Region& other) const {
    return address < other.address + other.size && other.address < address + size;
  }
};
using Regions = std::vector<Region>;

/// What regions held at one moment. Owns its memory, which is laid out as the regions were: an
/// address keeps its distance from a border of 4096 bytes.
class Copy {
 public:
  Copy() = default;
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  virtual ~Copy() = default;
  /// Where each region is, in the same order.
  [[nodiscard]] virtual const Regions& regions() const = 0;
};

/// One thread at a time. All work that was given to the device before is done when these look.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  /// An error where there is no room, or a region is no memory.
  [[nodiscard]] virtual Result<std::unique_ptr<Copy>> copy(const Regions& regions) = 0;
  /// A copy on which nothing is launched. It may be elsewhere, so that the program is left its
  /// room.
  [[nodiscard]] virtual Result<std::unique_ptr<Copy>> keep(const Regions& regions) {
    return copy(regions);
  }
  /// Nothing is launched on the copy any more. It may be elsewhere then; null where there is no
  /// room for it.
  [[nodiscard]] virtual std::unique_ptr<Copy> put_aside(std::unique_ptr<Copy> copy) { return copy; }
  [[nodiscard]] virtual Result<std::vector<std::uint64_t>> digests(const Regions& regions) = 0;
  /// In how many bytes two regions of one size differ, and in how many of these the first is not as
  /// `before` was.
  struct Difference {
    std::uint64_t bytes = 0;
    std::uint64_t changed = 0;
  };
  [[nodiscard]] virtual Result<Difference> difference(const Region& one, const Region& other,
                                                      const Region& before) = 0;
  /// Replaces the content of one region by that of another of its size.
  [[nodiscard]] virtual Result<void> write(const Region& to, const Region& from) = 0;
};

}  // namespace tunecheck::watch
