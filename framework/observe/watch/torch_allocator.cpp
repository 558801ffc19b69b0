// How the blocks of PyTorch's own allocator are seen. It takes memory from the driver in large
// segments and divides them, so that the driver cannot tell where a tensor ends. But it tells
// PyTorch's profiler of each block that it hands out or takes back, whether a profiler is there or
// not, by a function that another of its libraries exports: c10::reportMemoryUsageToProfiler()
// (c10/core/Allocator.h; the same from 2.0 to 2.15, before that with other parameters, so under
// another name). The calls go by the dynamic loader, and a preloaded library comes first there.
//
// A block may be larger than what was asked for: by up to 511 bytes, and by 1 MiB or more where the
// rest would be too small to be of use, which differs from start to start. So the size that was
// asked for is taken from another such function, which the allocator calls first: it says in how
// many steps sizes are to be rounded. It is not called for less than 512 bytes, nor by PyTorch 2.0
// and 2.1. Then a tensor is its block, and may end with something else.
//
// What else was thought of. PyTorch can record a history of its allocator, which costs the program
// time and memory. Its settings can make each tensor an allocation of the driver: the driver's pool
// took up to a fifth more memory of the device, and changed how fast the program was.
#include "observe/watch/torch_allocator.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <link.h>
#include <utility>

#include "observe/watch/dynamic_symbols.hpp"
#include "observe/watch/loaded_image.hpp"

namespace c10 {

// As c10/core/Device.h has it.
struct Device {
  std::int8_t type;
  std::int8_t index;
};
void reportMemoryUsageToProfiler(void* address, std::int64_t size, std::size_t allocated,
                                 std::size_t reserved, Device device);

// PyTorch 2.11 to 2.15.
namespace CachingAllocator {
struct AcceleratorAllocatorConfig {
  static std::size_t roundup_power2_divisions(std::size_t size);
};
}  // namespace CachingAllocator
// PyTorch 2.3 to 2.9.
namespace cuda::CUDACachingAllocator {
struct CUDAAllocatorConfig {
  static std::size_t roundup_power2_divisions(std::size_t size);
};
}  // namespace cuda::CUDACachingAllocator

}  // namespace c10

namespace tunecheck::watch {
namespace {

// c10::DeviceType::CUDA, which is also what ROCm's devices are called.
constexpr std::int8_t gpu_type = 1;
// A block is at most so many bytes larger than what was asked for, or twice as large where sizes
// are rounded to powers of two.
constexpr std::uint64_t most_unused = std::uint64_t{20} << 20;

// Smaller sizes are rounded without a question.
constexpr std::uint64_t least_asked = 512;

constinit std::atomic<SeeBlock> see_block{nullptr};

// What the calling thread is about to get a block for; 0 where it is not known.
thread_local std::uint64_t asked_for = 0;

// The function of this name in another object. By the objects' own tables: PyTorch's libraries are
// loaded so that RTLD_NEXT does not see them, and dlopen() may wait for a thread that waits for the
// allocator. No object is unloaded meanwhile.
void* find_in_others(const char* name) {
  struct Search {
    const char* name;
    ElfW(Addr) own;
    void* found;
  } search{name, 0, nullptr};
  if (const auto own = image_at(reinterpret_cast<const void*>(&find_in_others)))
    search.own = own->base();
  ::dl_iterate_phdr(
      [](dl_phdr_info* told, std::size_t, void* of) {
        auto& wanted = *static_cast<Search*>(of);
        const LoadedImage image(*told);
        if (!image.has_dynamic() || image.base() == wanted.own) return 0;
        if (const ElfW(Sym)* const symbol = DynamicSymbols(image).find(wanted.name))
          wanted.found = reinterpret_cast<void*>(image.base() + symbol->st_value);
        return wanted.found != nullptr ? 1 : 0;
      },
      &search);
  return search.found;
}

template <class Function>
Function* real(std::atomic<Function*>& known, const char* name) noexcept {
  Function* function = known.load(std::memory_order_relaxed);
  if (function != nullptr) return function;
  try {
    function = reinterpret_cast<Function*>(find_in_others(name));
  } catch (...) {
  }
  known.store(function, std::memory_order_relaxed);
  return function;
}

using Report = void(void*, std::int64_t, std::size_t, std::size_t, c10::Device);
using Divisions = std::size_t(std::size_t);
constinit std::atomic<Report*> real_report{nullptr};
constinit std::atomic<Divisions*> real_divisions{nullptr}, real_old_divisions{nullptr};

// Another number is of an allocation that failed, or of another device's memory.
bool is_for(std::uint64_t asked, std::uint64_t block) {
  return asked >= least_asked && asked <= block &&
         (block - asked <= most_unused || block / 2 <= asked);
}

void tell_block(const void* address, std::int64_t size, std::int8_t device) noexcept {
  const SeeBlock see = see_block.load(std::memory_order_acquire);
  if (see == nullptr || address == nullptr || size == 0) return;
  DeviceBlock block;
  block.address = reinterpret_cast<std::uintptr_t>(address);
  block.device = device;
  block.is_freed = size < 0;
  if (!block.is_freed) {
    const std::uint64_t asked = std::exchange(asked_for, 0);
    block.bytes = static_cast<std::uint64_t>(size);
    block.is_exact = is_for(asked, block.bytes);
    if (block.is_exact) block.bytes = asked;
  }
  see(block);
}

std::size_t divisions_of(std::atomic<Divisions*>& known, const char* name, std::size_t size) {
  asked_for = size;
  Divisions* const function = real(known, name);
  return function != nullptr ? function(size) : 0;  // 0: no such steps
}

}  // namespace

void set_block_observer(SeeBlock see) noexcept {
  see_block.store(see, std::memory_order_release);
}

void forget_torch() noexcept {
  real_report = nullptr;
  real_divisions = nullptr;
  real_old_divisions = nullptr;
}

}  // namespace tunecheck::watch

#define TUNECHECK_STANDS_IN __attribute__((visibility("default")))

TUNECHECK_STANDS_IN void c10::reportMemoryUsageToProfiler(void* address, std::int64_t size,
                                                          std::size_t allocated,
                                                          std::size_t reserved, Device device) {
  using namespace tunecheck::watch;
  if (device.type == gpu_type) tell_block(address, size, device.index);
  if (Report* const report =
          real(real_report, "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE"))
    report(address, size, allocated, reserved, device);
}

TUNECHECK_STANDS_IN std::size_t
c10::CachingAllocator::AcceleratorAllocatorConfig::roundup_power2_divisions(std::size_t size) {
  using namespace tunecheck::watch;
  return divisions_of(
      real_divisions,
      "_ZN3c1016CachingAllocator26AcceleratorAllocatorConfig24roundup_power2_divisionsEm", size);
}

TUNECHECK_STANDS_IN std::size_t
c10::cuda::CUDACachingAllocator::CUDAAllocatorConfig::roundup_power2_divisions(std::size_t size) {
  using namespace tunecheck::watch;
  return divisions_of(
      real_old_divisions,
      "_ZN3c104cuda20CUDACachingAllocator19CUDAAllocatorConfig24roundup_power2_divisionsEm", size);
}

extern "C" TUNECHECK_STANDS_IN void tunecheck_watch_device_blocks(tunecheck::watch::SeeBlock see) {
  tunecheck::watch::set_block_observer(see);
}
