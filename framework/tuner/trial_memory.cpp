#include "tuner/trial_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include <sys/mman.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t kept_alignment = 64;
constexpr auto canary = std::byte{0xc5};

// The next offset after `offset` at which an address is the same as `original` modulo 64.
std::size_t align_like(std::size_t offset, const std::byte* original) {
  const std::size_t wanted = reinterpret_cast<std::uintptr_t>(original) % kept_alignment;
  const std::size_t now = offset % kept_alignment;
  return offset + (wanted + kept_alignment - now) % kept_alignment;
}

bool holds_canary(const std::byte* first, std::size_t size) {
  return size == 0 || (*first == canary && std::memcmp(first, first + 1, size - 1) == 0);
}

// True where the elements leave no byte of the view's range untouched.
bool fills_its_range(const TensorView& view) {
  const auto elements = static_cast<std::size_t>(view.layout.count()) * size_of(view.dtype);
  return elements == byte_range(view).size() && !overlaps_itself(view.layout);
}

}  // namespace

Result<TrialMemory> TrialMemory::create(std::span<const TensorView> originals) {
  std::vector<std::size_t> order(originals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<ByteRange> ranges;
  for (const TensorView& view : originals)
    ranges.push_back(byte_range(view));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ranges[a].first < ranges[b].first; });

  TrialMemory memory;
  std::vector<ByteRange> merged;
  for (const std::size_t i : order) {
    if (merged.empty() || ranges[i].first >= merged.back().end) {
      merged.push_back(ranges[i]);
      memory.m_blocks.emplace_back();
    }
    merged.back().end = std::max(merged.back().end, ranges[i].end);
    memory.m_blocks.back().views.push_back(i);
  }
  std::size_t offset = canary_bytes;
  for (std::size_t b = 0; b < merged.size(); ++b) {
    Block& block = memory.m_blocks[b];
    block.offset = align_like(offset, merged[b].first);
    block.size = merged[b].size();
    block.has_padding = std::none_of(block.views.begin(), block.views.end(), [&](std::size_t i) {
      return ranges[i].size() == block.size && fills_its_range(originals[i]);
    });
    offset = block.offset + block.size + canary_bytes;
  }
  memory.m_bytes = offset;
  void* const base =
      ::mmap(nullptr, memory.m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return failure("cannot map {} bytes for trials: {}", memory.m_bytes, last_system_error());
  memory.m_base = static_cast<std::byte*>(base);
  memory.m_views.assign(originals.begin(), originals.end());
  for (std::size_t b = 0; b < merged.size(); ++b)
    for (const std::size_t i : memory.m_blocks[b].views)
      memory.m_views[i].data =
          memory.m_base + memory.m_blocks[b].offset + (originals[i].data - merged[b].first);
  return memory;
}

TrialMemory::TrialMemory(TrialMemory&& other) noexcept
    : m_base(std::exchange(other.m_base, nullptr)),
      m_bytes(other.m_bytes),
      m_blocks(std::move(other.m_blocks)),
      m_views(std::move(other.m_views)) {}

TrialMemory& TrialMemory::operator=(TrialMemory&& other) noexcept {
  std::swap(m_base, other.m_base);
  std::swap(m_bytes, other.m_bytes);
  std::swap(m_blocks, other.m_blocks);
  std::swap(m_views, other.m_views);
  return *this;
}

TrialMemory::~TrialMemory() {
  if (m_base != nullptr) ::munmap(m_base, m_bytes);
}

void TrialMemory::fill_canary() noexcept {
  std::memset(m_base, static_cast<int>(canary), m_bytes);
}

bool TrialMemory::canary_intact() const {
  std::size_t from = 0;
  for (const Block& block : m_blocks) {
    if (!holds_canary(m_base + from, block.offset - from)) return false;
    if (!padding_intact(block)) return false;
    from = block.offset + block.size;
  }
  return holds_canary(m_base + from, m_bytes - from);
}

// A copy in which only the elements are taken over differs from the block where padding was
// written.
bool TrialMemory::padding_intact(const Block& block) const {
  if (!block.has_padding) return true;
  const std::byte* const first = m_base + block.offset;
  std::vector<std::byte> image(block.size, canary);
  for (const std::size_t i : block.views) {
    TensorView twin = m_views[i];
    twin.data = image.data() + (m_views[i].data - first);
    for_each_element(twin.layout, [&](std::int64_t, std::int64_t element) {
      const std::int64_t at = element * static_cast<std::int64_t>(size_of(twin.dtype));
      std::memcpy(twin.data + at, m_views[i].data + at, size_of(twin.dtype));
    });
  }
  return std::memcmp(image.data(), first, block.size) == 0;
}

}  // namespace tunecheck
