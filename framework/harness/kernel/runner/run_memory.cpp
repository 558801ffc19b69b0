#include "harness/kernel/runner/run_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>

#include <sys/mman.h>

namespace tunecheck {
namespace {

TensorView as_bytes(std::byte* first, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(bytes);
  return {first, DType::u8, Layout::contiguous(std::span(&size, 1))};
}

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// As allocators of tensors hand it out: in huge pages, where there are any.
MemoryBlock huge_pages(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20U;
  const std::size_t size = rounded_up(bytes, page);
  void* const memory = std::aligned_alloc(page, size);
  if (memory == nullptr) throw std::bad_alloc();
  (void)::madvise(memory, size, MADV_HUGEPAGE);
  return {static_cast<std::byte*>(memory), bytes, [memory] { std::free(memory); }};
}

}  // namespace

Result<RunMemory> RunMemory::open(const IsolatedRun& run, const TensorMemory& memory) {
  RunMemory opened(run, memory);
  std::map<std::filesystem::path, std::size_t> places;
  for (const RunTensor& tensor : run.tensors) {
    const auto [place, added] = places.emplace(tensor.file, opened.m_parts.size());
    if (added) {
      TUNECHECK_TRY(Part part, opened.open_part(tensor.file));
      opened.m_parts.push_back(std::move(part));
    }
    const Part& part = opened.m_parts[place->second];
    // Between two numbers without a sign: a tensor may begin before the part does.
    const auto from_part =
        static_cast<std::int64_t>(tensor.byte_offset) - static_cast<std::int64_t>(part.offset);
    opened.m_views.push_back({part.bytes.data + from_part, tensor.dtype, tensor.layout});
  }
  TUNECHECK_CHECK(memory.wait());
  return opened;
}

Result<RunMemory::Part> RunMemory::open_part(const std::filesystem::path& path) const {
  TUNECHECK_TRY(MappedFile file, MappedFile::open(path));
  const auto all = file.bytes();
  Part part{std::move(file), 0, as_bytes(all.data(), all.size())};
  const bool on_host = m_memory == &host_memory();
  if (on_host && !m_run->measure) return part;
  TensorView content = part.bytes;
  std::size_t slack = 0;
  if (m_run->tight && !on_host) {
    // What a device's driver hands out is a multiple of this.
    constexpr std::size_t unit = std::size_t{2} << 20U;
    const ByteRange range = tight_range(path, all);
    part.offset = static_cast<std::size_t>(range.first - all.data());
    content = as_bytes(range.first, range.size());
    slack = rounded_up(std::max<std::size_t>(range.size(), 1), unit) - range.size();
  }
  const auto bytes = static_cast<std::size_t>(content.layout.count());
  TUNECHECK_TRY(part.block, allocate(bytes + slack));
  part.bytes = as_bytes(part.block.data() + slack, bytes);
  m_memory->copy_from_host(content, part.bytes);
  if (!m_run->measure) return part;
  TUNECHECK_TRY(part.initial, allocate(bytes));
  m_memory->copy_from_host(content, as_bytes(part.initial.data(), bytes));
  return part;
}

Result<MemoryBlock> RunMemory::allocate(std::size_t bytes) const {
  if (m_memory == &host_memory() && !m_run->as_trials) return huge_pages(bytes);
  return m_memory->allocate(bytes);
}

// The extents of all tensors in the file; none of its bytes where they have no element.
ByteRange RunMemory::tight_range(const std::filesystem::path& path,
                                 std::span<std::byte> file) const {
  ByteRange all;
  for (const RunTensor& tensor : m_run->tensors) {
    if (tensor.file != path) continue;
    const ByteRange range =
        byte_range({file.data() + tensor.byte_offset, tensor.dtype, tensor.layout});
    all.first = all.first == nullptr ? range.first : std::min(all.first, range.first);
    all.end = std::max(all.end, range.end);
  }
  return all;
}

void RunMemory::restore() const {
  for (const Part& part : m_parts)
    if (!part.is_kept)
      m_memory->copy_elements(as_bytes(part.initial.data(), part.initial.size()), part.bytes);
}

void RunMemory::keep_unchanged() {
  if (m_memory != &host_memory()) return;
  for (Part& part : m_parts)
    part.is_kept = std::equal(part.initial.data(), part.initial.data() + part.initial.size(),
                              part.block.data());
}

Result<void> RunMemory::write_back() const {
  for (const Part& part : m_parts) {
    if (part.block.data() == nullptr) continue;
    TUNECHECK_TRY(const HostTensor content, m_memory->on_host(part.bytes));
    copy_elements(content.view, as_bytes(part.file.bytes().data() + part.offset,
                                         static_cast<std::size_t>(part.bytes.layout.count())));
  }
  return {};
}

}  // namespace tunecheck
