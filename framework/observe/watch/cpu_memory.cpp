#include "observe/watch/cpu_memory.hpp"

#include <cstddef>
#include <cstring>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tunecheck::watch {
namespace {

constexpr std::uint64_t border = 4096;

std::byte* at(const Region& region) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(region.address));
}

// With a border on both sides, which a kernel that writes a little too far does not leave.
class Block {
 public:
  explicit Block(const Region& like)
      : m_start(static_cast<std::byte*>(
            ::operator new(like.size + 3 * border, std::align_val_t(border)))),
        m_region{reinterpret_cast<std::uintptr_t>(m_start) + border + like.address % border,
                 like.size} {
    std::memcpy(at(m_region), at(like), like.size);
  }
  Block(Block&& other) noexcept
      : m_start(std::exchange(other.m_start, nullptr)), m_region(other.m_region) {}
  Block& operator=(Block&&) = delete;
  ~Block() {
    if (m_start != nullptr) ::operator delete(m_start, std::align_val_t(border));
  }
  [[nodiscard]] const Region& region() const { return m_region; }

 private:
  std::byte* m_start;
  Region m_region;
};

class CpuCopy final : public Copy {
 public:
  explicit CpuCopy(const Regions& regions) {
    m_blocks.reserve(regions.size());
    for (const Region& region : regions)
      m_regions.push_back(m_blocks.emplace_back(region).region());
  }
  [[nodiscard]] const Regions& regions() const override { return m_regions; }

 private:
  std::vector<Block> m_blocks;
  Regions m_regions;
};

}  // namespace

Result<std::unique_ptr<Copy>> CpuMemory::copy(const Regions& regions) {
  try {
    return std::make_unique<CpuCopy>(regions);
  } catch (const std::bad_alloc&) {
    return failure("there is no memory for a copy");
  }
}

Result<std::vector<std::uint64_t>> CpuMemory::digests(const Regions& regions) {
  std::vector<std::uint64_t> digests;
  for (const Region& region : regions)
    digests.push_back(XXH3_64bits(at(region), region.size));
  return digests;
}

Result<Memory::Difference> CpuMemory::difference(const Region& one, const Region& other,
                                                 const Region& before) {
  Difference found;
  for (std::uint64_t i = 0; i < one.size; ++i) {
    if (at(one)[i] == at(other)[i]) continue;
    ++found.bytes;
    found.changed += at(one)[i] != at(before)[i] ? 1 : 0;
  }
  return found;
}

Result<void> CpuMemory::write(const Region& to, const Region& from) {
  std::memcpy(at(to), at(from), from.size);
  return {};
}

}  // namespace tunecheck::watch
