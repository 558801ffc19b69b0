// What PyTorch's libc10.so gives its allocators: the function that tells the profiler of a block,
// and the one that says how sizes are rounded. As c10/core/Allocator.h and
// c10/core/AllocatorConfig.h have them; none of PyTorch's code.
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace c10 {

struct Device {
  std::int8_t type;
  std::int8_t index;
};

__attribute__((visibility("default"))) void reportMemoryUsageToProfiler(
    void* address, std::int64_t size, std::size_t allocated, std::size_t reserved, Device device) {
  std::printf("profiler: %zx %lld %zu %zu %d:%d\n", reinterpret_cast<std::size_t>(address),
              static_cast<long long>(size), allocated, reserved, device.type, device.index);
}

namespace CachingAllocator {
struct __attribute__((visibility("default"))) AcceleratorAllocatorConfig {
  static std::size_t roundup_power2_divisions(std::size_t size);
};
std::size_t AcceleratorAllocatorConfig::roundup_power2_divisions(std::size_t size) {
  return size > 1'000'000 ? 4 : 0;
}
}  // namespace CachingAllocator

}  // namespace c10
