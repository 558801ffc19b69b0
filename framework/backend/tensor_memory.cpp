#include "backend/tensor_memory.hpp"

#include <cstring>

#include <sys/mman.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

// The memory of this process, where everything is done when the call returns: wait() has nothing to
// wait for, streams mean nothing, and no failure is kept for later. Blocks are mapped MAP_SHARED
// and not taken from the heap, so that what a trial writes in a forked child is seen by its parent.
// A block that is alive while a child is killed keeps what the child has written until then.
class HostMemory final : public TensorMemory {
 public:
  Result<MemoryBlock> allocate(std::size_t bytes) const override {
    if (bytes == 0) return MemoryBlock();
    void* const first =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED)
      return failure("cannot map {} bytes of memory: {}", bytes, last_system_error());
    return MemoryBlock(static_cast<std::byte*>(first), bytes,
                       [first, bytes] { ::munmap(first, bytes); });
  }

  void copy_elements(const TensorView& from, const TensorView& to, Stream) const override {
    tunecheck::copy_elements(from, to);
  }
  void fill_zero(const TensorView& view, Stream) const override { tunecheck::fill_zero(view); }
  void fill_poison(const TensorView& view, Stream) const override { tunecheck::fill_poison(view); }
  void fill_bytes(std::byte* first, std::size_t bytes, std::byte value) const override {
    if (bytes > 0) std::memset(first, static_cast<int>(value), bytes);
  }

  bool holds(const std::byte* first, std::size_t bytes, std::byte value) const override {
    return bytes == 0 || (*first == value && std::memcmp(first, first + 1, bytes - 1) == 0);
  }

  bool same_elements(const TensorView& a, const TensorView& b) const override {
    const auto size = static_cast<std::int64_t>(size_of(a.dtype));
    const TensorView packed{nullptr, b.dtype, Layout::contiguous(b.layout.dimensions())};
    if (b.layout == packed.layout) return same_as_packed(a, b.data, size);
    std::vector<std::byte> elements(static_cast<std::size_t>(b.layout.count() * size));
    tunecheck::copy_elements(b, {elements.data(), b.dtype, packed.layout});
    return same_as_packed(a, elements.data(), size);
  }

  Comparison compare_elements(const TensorView& actual, const TensorView& expected,
                              const Tolerance& tolerance) const override {
    return compare(actual, to_doubles(expected), tolerance);
  }

  Result<HostTensor> on_host(const TensorView& view) const override { return HostTensor{view}; }
  void copy_from_host(const TensorView& from, const TensorView& to) const override {
    tunecheck::copy_elements(from, to);
  }
  Result<void> wait() const override { return {}; }

 private:
  static bool same_as_packed(const TensorView& view, const std::byte* packed, std::int64_t size) {
    bool same = true;
    for_each_element(view.layout, [&](std::int64_t linear, std::int64_t offset) {
      same = same && std::memcmp(view.data + offset * size, packed + linear * size,
                                 static_cast<std::size_t>(size)) == 0;
    });
    return same;
  }
};

}  // namespace

const TensorMemory& host_memory() {
  static const HostMemory memory;
  return memory;
}

}  // namespace tunecheck
