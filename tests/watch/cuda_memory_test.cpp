// Where copies of the device's memory are kept. A device of host memory stands in for the driver's:
// what is asked is what CudaMemory asks the driver for, and when.
#include "observe/watch/cuda/cuda_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace tunecheck::watch {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

// What the stand-in has been asked for.
struct Device {
  std::map<CUdeviceptr, std::size_t> blocks;
  std::uint64_t used_by_program = 0;
  int locked = 0;
  bool may_lock = true;
  bool is_full = false;
} device;

std::uint64_t device_bytes() {
  std::uint64_t bytes = 0;
  for (const auto& [address, size] : device.blocks)
    bytes += size;
  return bytes;
}

CUresult allocate(CUdeviceptr* address, std::size_t bytes) {
  if (device.is_full) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<std::uintptr_t>(std::malloc(bytes));
  device.blocks[*address] = bytes;
  return CUDA_SUCCESS;
}

CUresult give_back(CUdeviceptr address) {
  std::free(reinterpret_cast<void*>(address));
  device.blocks.erase(address);
  return CUDA_SUCCESS;
}

CUresult copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return CUDA_SUCCESS;
}

CUresult lock_host_memory(void*, std::size_t, unsigned) {
  ++device.locked;
  return device.may_lock ? CUDA_SUCCESS : CUDA_ERROR_NOT_PERMITTED;
}

CUresult memory_info(std::size_t* free_bytes, std::size_t* all_bytes) {
  *all_bytes = std::size_t{1} << 40;
  *free_bytes = *all_bytes - device.used_by_program - device_bytes();
  return CUDA_SUCCESS;
}

class CudaMemoryTest : public testing::Test {
 protected:
  CudaMemoryTest() {
    device = {};
    device.used_by_program = 640 * mib;  // 10 MiB may be kept on the device
    functions.get_error_name = [](CUresult, const char** name) {
      *name = "CUDA_ERROR";
      return CUDA_SUCCESS;
    };
    functions.allocate = allocate;
    functions.give_back = give_back;
    functions.copy = copy;
    functions.lock_host_memory = lock_host_memory;
    functions.memory_info = memory_info;
    functions.synchronize_context = [] { return CUDA_SUCCESS; };
  }
  // Memory of the program with a content of its own.
  Region argument(std::uint64_t bytes, char content) {
    std::vector<char>& memory = arguments.emplace_back(bytes, content);
    return {reinterpret_cast<std::uintptr_t>(memory.data()), bytes};
  }
  static bool holds(const Region& region, char content) {
    const std::vector<char> expected(region.size, content);
    return std::memcmp(reinterpret_cast<const void*>(region.address), expected.data(),
                       region.size) == 0;
  }
  static bool is_on_device(const Copy& copy) {
    const std::uint64_t address = copy.regions().front().address;
    const auto after = device.blocks.upper_bound(address);
    return after != device.blocks.begin() &&
           address - std::prev(after)->first < std::prev(after)->second;
  }

  gpu::CudaFunctions functions;
  std::list<std::vector<char>> arguments;
};

TEST_F(CudaMemoryTest, a_copy_has_the_content_and_the_distance_from_a_border) {
  CudaMemory memory(functions, 64 * mib);
  const Regions regions = {argument(5000, 'a'), argument(mib, 'b')};
  for (const auto& copy : {memory.copy(regions), memory.keep(regions)}) {
    ASSERT_TRUE(copy);
    ASSERT_EQ((*copy)->regions().size(), 2U);
    EXPECT_TRUE(holds((*copy)->regions()[0], 'a'));
    EXPECT_TRUE(holds((*copy)->regions()[1], 'b'));
    for (const std::size_t i : {0UL, 1UL})
      EXPECT_EQ((*copy)->regions()[i].address % 4096, regions[i].address % 4096);
  }
}

TEST_F(CudaMemoryTest,
       a_small_part_of_what_is_in_use_is_kept_on_the_device_and_the_rest_on_the_host) {
  CudaMemory memory(functions, 64 * mib);
  std::vector<std::unique_ptr<Copy>> kept;
  int on_device = 0;
  for (int i = 0; i < 15; ++i) {
    kept.push_back(memory.keep({argument(4 * mib, static_cast<char>('a' + i))}).value());
    on_device += is_on_device(*kept.back()) ? 1 : 0;
  }
  EXPECT_EQ(on_device, 2);
  EXPECT_LE(device_bytes(), 10 * mib);
  EXPECT_EQ(device.locked, 1) << "the host's memory is locked once";
  for (int i = 0; i < 15; ++i)
    EXPECT_TRUE(
        holds(kept[static_cast<std::size_t>(i)]->regions().front(), static_cast<char>('a' + i)));
}

TEST_F(CudaMemoryTest, what_is_given_back_on_the_host_can_be_had_again) {
  CudaMemory memory(functions, 64 * mib);
  for (int i = 0; i < 4; ++i) {
    const auto large = memory.keep({argument(50 * mib, 'l')});
    ASSERT_TRUE(large);
    EXPECT_FALSE(is_on_device(**large));
    arguments.clear();
  }
}

TEST_F(CudaMemoryTest, what_the_host_has_no_room_for_goes_to_the_device) {
  CudaMemory memory(functions, 64 * mib);
  const auto first = memory.keep({argument(50 * mib, 'f')}),
             second = memory.keep({argument(50 * mib, 's')});
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(is_on_device(**first));
  EXPECT_TRUE(is_on_device(**second));
  device.is_full = true;
  EXPECT_FALSE(memory.keep({argument(50 * mib, 't')}));
}

TEST_F(CudaMemoryTest, memory_that_the_driver_does_not_lock_is_used_all_the_same) {
  device.may_lock = false;
  CudaMemory memory(functions, 64 * mib);
  const auto kept = memory.keep({argument(50 * mib, 'k')});
  ASSERT_TRUE(kept);
  EXPECT_FALSE(is_on_device(**kept));
  EXPECT_TRUE(holds((*kept)->regions().front(), 'k'));
}

TEST_F(CudaMemoryTest, copies_to_launch_on_are_on_the_device) {
  CudaMemory memory(functions, 64 * mib);
  const auto copy = memory.copy({argument(50 * mib, 'c')});
  ASSERT_TRUE(copy);
  EXPECT_TRUE(is_on_device(**copy));
}

}  // namespace
}  // namespace tunecheck::watch
