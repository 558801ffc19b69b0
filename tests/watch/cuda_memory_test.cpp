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

// What the driver says of an address: the program's memory is `driver_allocation` and `arguments`.
Region driver_allocation;
int asked_driver = 0;
std::list<std::vector<char>> arguments;

Region allocation_of(std::uint64_t address) {
  const auto contains = [&](const Region& region) {
    return address >= region.address && address < region.address + region.size;
  };
  if (contains(driver_allocation)) return driver_allocation;
  for (const auto& [first, size] : device.blocks)
    if (const Region block{first, size}; contains(block)) return block;
  for (const std::vector<char>& each : arguments)
    if (const Region argument{reinterpret_cast<std::uintptr_t>(each.data()), each.size()};
        contains(argument))
      return argument;
  return {};
}

CUresult pointer_attribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  ++asked_driver;
  const Region allocation = allocation_of(address);
  if (allocation.size == 0) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
    *static_cast<unsigned*>(value) = CU_MEMORYTYPE_DEVICE;
  else if (attribute == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
    *static_cast<CUdeviceptr*>(value) = allocation.address;
  else
    *static_cast<std::size_t*>(value) = allocation.size;
  return CUDA_SUCCESS;
}

class CudaMemoryTest : public testing::Test {
 protected:
  CudaMemoryTest() {
    device = {};
    arguments.clear();
    device.used_by_program = 640 * mib;  // 10 MiB may be kept on the device
    functions.get_error_name = [](CUresult, const char** name) {
      *name = "CUDA_ERROR";
      return CUDA_SUCCESS;
    };
    functions.allocate = allocate;
    functions.give_back = give_back;
    functions.copy_on_device = copy;
    functions.copy_from_device = [](void* to, CUdeviceptr from, std::size_t bytes) {
      return copy(reinterpret_cast<std::uintptr_t>(to), from, bytes);
    };
    functions.copy_to_device = [](CUdeviceptr to, const void* from, std::size_t bytes) {
      return copy(to, reinterpret_cast<std::uintptr_t>(from), bytes);
    };
    functions.lock_host_memory = lock_host_memory;
    functions.memory_info = memory_info;
    functions.pointer_attribute = pointer_attribute;
    driver_allocation = {0x7f0000000000, 2 * mib};
    asked_driver = 0;
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
};

TEST_F(CudaMemoryTest, an_address_belongs_to_a_block_and_else_to_what_lies_around_it) {
  CudaMemory memory(functions, mib);
  const std::uint64_t first = driver_allocation.address;
  EXPECT_EQ(memory.region_at(first + 5000), driver_allocation);
  memory.note_block({first + 4096, 4000}, true);
  memory.note_block({first + 8192, 512}, true);
  EXPECT_EQ(memory.region_at(first + 5000), (Region{first + 4096, 4000}));
  EXPECT_EQ(memory.region_at(first + 8100), (Region{first + 8096, 96}));
  EXPECT_EQ(memory.region_at(first + 20), (Region{first, 4096}));
  EXPECT_EQ(memory.forget_block(first + 4096).size, 4000U);
  EXPECT_EQ(memory.region_at(first + 5000), (Region{first, 8192}));
  EXPECT_EQ(memory.region_at(17).size, 0U);
  EXPECT_EQ(memory.region_at(first + 2 * mib).size, 0U);
}

// PyTorch launches kernels with structs that are filled in as far as they are used. The rest is
// what the thread's stack held before, which may be addresses that the observer has worked with.
TEST_F(CudaMemoryTest, the_observers_own_memory_is_no_argument) {
  CudaMemory memory(functions, 64 * mib);
  auto kept = memory.keep({argument(mib, 'k')});
  ASSERT_TRUE(kept && is_on_device(**kept));
  const std::uint64_t address = (*kept)->regions().front().address;
  EXPECT_EQ(memory.region_at(address + 8).size, 0U);
  kept->reset();
  EXPECT_EQ(memory.region_at(address + 8).size, 0U) << "a spare block";
  EXPECT_TRUE(memory.keep({argument(10 * mib, 'l')}));
  ASSERT_EQ(allocation_of(address).size, 0U) << "it is given back";
  arguments.clear();
  driver_allocation = {address, mib};
  memory.note_allocation(driver_allocation);
  EXPECT_EQ(memory.region_at(address + 8), driver_allocation) << "now the program has it";
}

TEST_F(CudaMemoryTest, what_is_given_back_to_make_room_for_a_copy_is_not_read) {
  CudaMemory memory(functions, 64 * mib);
  auto kept = memory.keep({argument(4 * mib, 'k')});
  ASSERT_TRUE(kept && is_on_device(**kept));
  const Region own = (*kept)->regions().front();
  kept->reset();
  EXPECT_FALSE(memory.keep({argument(8 * mib, 'l'), own}));
}

TEST_F(CudaMemoryTest, memory_that_the_driver_no_longer_knows_is_not_read) {
  CudaMemory memory(functions, 64 * mib);
  const std::vector<char> gone(4 * mib, 'g');
  const Region region{reinterpret_cast<std::uintptr_t>(gone.data()), gone.size()};
  EXPECT_FALSE(memory.keep({region}));
  EXPECT_FALSE(memory.copy({region}));
}

TEST_F(CudaMemoryTest, a_piece_is_exact_where_nothing_of_others_can_be_in_it) {
  CudaMemory memory(functions, mib);
  const std::uint64_t first = driver_allocation.address;
  EXPECT_TRUE(memory.is_exact(memory.region_at(first))) << "an allocation of the driver's";
  memory.note_block({first, 512}, false);
  memory.note_block({first + 512, 700}, true);
  EXPECT_FALSE(memory.is_exact(memory.region_at(first)));
  EXPECT_TRUE(memory.is_exact(memory.region_at(first + 600)));
  EXPECT_FALSE(memory.is_exact(memory.region_at(first + 5000))) << "between blocks";
  (void)memory.forget_block(first);
  EXPECT_FALSE(memory.is_exact(memory.region_at(first))) << "before a block";
  memory.note_block({first, 2 * mib}, false);
  EXPECT_FALSE(memory.is_exact(memory.region_at(first))) << "a block that is a whole allocation";
}

TEST_F(CudaMemoryTest, an_allocation_goes_with_all_its_blocks) {
  CudaMemory memory(functions, mib);
  const std::uint64_t first = driver_allocation.address;
  memory.note_block({first + 4096, 4000}, true);
  EXPECT_EQ(memory.forget_allocation(first), driver_allocation);
  driver_allocation = {};
  EXPECT_EQ(memory.region_at(first + 5000).size, 0U);
  EXPECT_EQ(memory.forget_allocation(first).size, 0U);
}

TEST_F(CudaMemoryTest, the_driver_is_not_asked_about_blocks) {
  CudaMemory memory(functions, mib);
  memory.note_block({driver_allocation.address, 512}, true);
  EXPECT_EQ(memory.region_at(driver_allocation.address + 8).size, 512U);
  EXPECT_EQ(asked_driver, 0);
}

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
       a_small_part_of_what_is_in_use_is_held_on_the_device_and_the_rest_on_the_host) {
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

TEST_F(CudaMemoryTest, spare_blocks_count_and_make_room_for_what_is_kept) {
  CudaMemory memory(functions, 64 * mib);
  {
    std::vector<std::unique_ptr<Copy>> small;
    for (int i = 0; i < 9; ++i)
      small.push_back(memory.keep({argument(mib, 's')}).value());
  }
  EXPECT_GE(device_bytes(), 9 * mib) << "they are kept for the next time";
  {
    const auto copy = memory.copy({argument(30 * mib, 'c')});
    ASSERT_TRUE(copy);
    EXPECT_LE(device_bytes(), 31 * mib) << "they are given back for what is launched on";
  }
  EXPECT_TRUE(memory.keep({argument(mib, 's')}));
  EXPECT_GE(device_bytes(), mib);
  const auto large = memory.keep({argument(8 * mib, 'l')});
  ASSERT_TRUE(large);
  EXPECT_TRUE(is_on_device(**large));
  EXPECT_LE(device_bytes(), 10 * mib);
}

TEST_F(CudaMemoryTest, a_program_with_little_memory_leaves_four_mib) {
  device.used_by_program = 1 * mib;
  CudaMemory memory(functions, 64 * mib);
  const auto first = memory.keep({argument(3 * mib, 'f')}),
             second = memory.keep({argument(3 * mib, 's')});
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(is_on_device(**first));
  EXPECT_FALSE(is_on_device(**second));
}

TEST_F(CudaMemoryTest, a_copy_that_was_launched_on_leaves_the_device) {
  CudaMemory memory(functions, 64 * mib);
  auto copy = memory.copy({argument(50 * mib, 'c')});
  ASSERT_TRUE(copy);
  EXPECT_TRUE(is_on_device(**copy));
  const auto aside = memory.put_aside(std::move(*copy));
  ASSERT_NE(aside, nullptr);
  EXPECT_FALSE(is_on_device(*aside));
  EXPECT_TRUE(holds(aside->regions().front(), 'c'));
  EXPECT_EQ(device_bytes(), 0U);
  auto small = memory.copy({argument(mib, 's')});
  ASSERT_TRUE(small);
  const Copy* const before = small->get();
  EXPECT_EQ(memory.put_aside(std::move(*small)).get(), before) << "there is room for it";
}

TEST_F(CudaMemoryTest, at_most_one_copy_goes_beyond_what_may_be_held) {
  CudaMemory memory(functions, 256 * mib);
  std::vector<std::unique_ptr<Copy>> kept;
  for (int i = 0; i < 6; ++i)
    kept.push_back(memory.keep({argument(3 * mib, 'k')}).value());
  for (int i = 0; i < 4; ++i) {
    auto copy = memory.copy({argument(30 * mib, 'c')});
    ASSERT_TRUE(copy);
    EXPECT_LE(device_bytes(), (10 + 31) * mib);
    kept.push_back(memory.put_aside(std::move(*copy)));
    ASSERT_NE(kept.back(), nullptr);
    EXPECT_LE(device_bytes(), 10 * mib);
  }
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

TEST_F(CudaMemoryTest, what_is_locked_on_the_host_is_followed_by_as_much_that_is_not) {
  CudaMemory memory(functions, 64 * mib);
  auto first = memory.keep({argument(50 * mib, 'f')}),
       second = memory.keep({argument(50 * mib, 's')});
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(is_on_device(**first) || is_on_device(**second));
  EXPECT_TRUE(holds((*second)->regions().front(), 's'));
  const auto third = memory.keep({argument(50 * mib, 't')});
  ASSERT_FALSE(third);
  EXPECT_NE(third.error().message.find("of the host's memory for copies are in use"),
            std::string::npos);
  auto copy = memory.copy({argument(50 * mib, 'c')});
  ASSERT_TRUE(copy);
  EXPECT_EQ(memory.put_aside(std::move(*copy)), nullptr);
  EXPECT_EQ(device_bytes(), 0U);
  second->reset();
  EXPECT_TRUE(memory.keep({argument(50 * mib, 'u')}));
}

TEST_F(CudaMemoryTest, what_is_kept_on_the_host_can_be_launched_on) {
  CudaMemory memory(functions, 64 * mib);
  const auto locked = memory.keep({argument(50 * mib, 'l')}),
             not_locked = memory.keep({argument(50 * mib, 'n')});
  ASSERT_TRUE(locked && not_locked);
  for (const auto& [kept, content] : {std::pair(&**locked, 'l'), std::pair(&**not_locked, 'n')}) {
    const auto copy = memory.copy(kept->regions());
    ASSERT_TRUE(copy);
    EXPECT_TRUE(holds((*copy)->regions().front(), content));
  }
}

TEST_F(CudaMemoryTest, a_device_without_room_leaves_it_to_the_host) {
  CudaMemory memory(functions, 64 * mib);
  device.is_full = true;
  const auto kept = memory.keep({argument(mib, 'k')});
  ASSERT_TRUE(kept);
  EXPECT_FALSE(is_on_device(**kept));
  EXPECT_FALSE(memory.copy({argument(mib, 'c')}));
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
