// Calls what PyTorch's libc10_cuda.so calls, in the same order: first for the size that is asked
// for, and then for the block.
#include <cstddef>
#include <cstdint>

namespace c10 {
struct Device {
  std::int8_t type;
  std::int8_t index;
};
void reportMemoryUsageToProfiler(void* address, std::int64_t size, std::size_t allocated,
                                 std::size_t reserved, Device device);
namespace CachingAllocator {
struct AcceleratorAllocatorConfig {
  static std::size_t roundup_power2_divisions(std::size_t size);
};
}  // namespace CachingAllocator
}  // namespace c10

extern "C" __attribute__((visibility("default"))) std::size_t divisions_for(std::size_t size) {
  return c10::CachingAllocator::AcceleratorAllocatorConfig::roundup_power2_divisions(size);
}

extern "C" __attribute__((visibility("default"))) void report(std::size_t address, long long size,
                                                              int type, int index) {
  c10::reportMemoryUsageToProfiler(
      reinterpret_cast<void*>(address), size, 7, 9,
      {static_cast<std::int8_t>(type), static_cast<std::int8_t>(index)});
}
