#include "tuner/trial/trial_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace tunecheck {
namespace {

constexpr std::size_t kept_alignment = 64;

// The next offset after `offset` at which an address is the same as `original` modulo 64.
std::size_t align_like(std::size_t offset, const std::byte* original) {
  const std::size_t wanted = reinterpret_cast<std::uintptr_t>(original) % kept_alignment;
  const std::size_t now = offset % kept_alignment;
  return offset + (wanted + kept_alignment - now) % kept_alignment;
}

// True where the elements leave no byte of the view's range untouched.
bool fills_its_range(const TensorView& view) {
  const auto elements = static_cast<std::size_t>(view.layout.count()) * size_of(view.dtype);
  return elements == byte_range(view).size() && !overlaps_itself(view.layout);
}

}  // namespace

Result<TrialMemory> TrialMemory::create(std::span<const TensorView> originals,
                                        const TensorMemory& where) {
  std::vector<std::size_t> order(originals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<ByteRange> ranges;
  for (const TensorView& view : originals)
    ranges.push_back(byte_range(view));
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ranges[a].first < ranges[b].first; });

  TrialMemory memory(where);
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
  TUNECHECK_TRY(memory.m_block, where.allocate(offset));
  memory.m_views.assign(originals.begin(), originals.end());
  for (std::size_t b = 0; b < merged.size(); ++b)
    for (const std::size_t i : memory.m_blocks[b].views)
      memory.m_views[i].data =
          memory.m_block.data() + memory.m_blocks[b].offset + (originals[i].data - merged[b].first);
  return memory;
}

void TrialMemory::fill_canary(const TensorMemory& seen_by_trials) {
  seen_by_trials.fill_bytes(m_block.data(), m_block.size(), canary_byte);
}

bool TrialMemory::canary_intact() const {
  const std::byte* const base = m_block.data();
  std::size_t from = 0;
  for (const Block& block : m_blocks) {
    if (!m_memory->holds(base + from, block.offset - from, canary_byte)) return false;
    if (!padding_intact(block)) return false;
    from = block.offset + block.size;
  }
  return m_memory->holds(base + from, m_block.size() - from, canary_byte);
}

// A copy in which only the elements are taken over differs from the block where padding was
// written.
bool TrialMemory::padding_intact(const Block& block) const {
  if (!block.has_padding) return true;
  std::byte* const first = m_block.data() + block.offset;
  const auto bytes = static_cast<std::int64_t>(block.size);
  const auto content =
      m_memory->on_host({first, DType::u8, Layout::contiguous(std::span(&bytes, 1))});
  if (!content) return false;
  std::vector<std::byte> image(block.size, canary_byte);
  for (const std::size_t i : block.views) {
    const TensorView& twin = m_views[i];
    const std::int64_t at = twin.data - first;
    for_each_element(twin.layout, [&](std::int64_t, std::int64_t element) {
      const std::int64_t byte = at + element * static_cast<std::int64_t>(size_of(twin.dtype));
      std::memcpy(image.data() + byte, content->view.data + byte, size_of(twin.dtype));
    });
  }
  return std::memcmp(image.data(), content->view.data, block.size) == 0;
}

}  // namespace tunecheck
