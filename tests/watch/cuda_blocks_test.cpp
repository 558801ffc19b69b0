// What is known of the blocks that PyTorch's allocator hands out, and of the contexts that they
// belong to.
#include <vector>

#include <gtest/gtest.h>

#include "observe/watch/cuda/launch_contexts.hpp"
#include "observe/watch/cuda/reported_blocks.hpp"
#include "observe/watch/cuda/silent_allocator.hpp"

namespace tunecheck::watch {
namespace {

constexpr std::uint64_t segment_start = 0x7f0000000000;
constexpr Region segment{segment_start, 20 << 20};

Region block(std::uint64_t offset, std::uint64_t size) {
  return {segment_start + offset, size};
}

void expect_region(const Region& found, const Region& expected) {
  EXPECT_EQ(found.address, expected.address);
  EXPECT_EQ(found.size, expected.size);
}

TEST(ReportedBlocks, an_address_belongs_to_the_block_that_it_lies_in) {
  ReportedBlocks blocks;
  blocks.add(block(0, 1000), true);
  blocks.add(block(1024, 4096), true);
  expect_region(blocks.at(segment_start), block(0, 1000));
  expect_region(blocks.at(segment_start + 999), block(0, 1000));
  EXPECT_EQ(blocks.at(segment_start + 1000).size, 0U) << "what was not asked for";
  expect_region(blocks.at(segment_start + 1024 + 17), block(1024, 4096));
  EXPECT_EQ(blocks.at(segment_start + 5120).size, 0U);
  EXPECT_EQ(blocks.at(segment_start - 1).size, 0U);
}

TEST(ReportedBlocks, a_block_that_is_taken_back_is_no_more) {
  ReportedBlocks blocks;
  blocks.add(block(0, 512), true);
  blocks.add(block(512, 512), true);
  expect_region(blocks.remove(segment_start), block(0, 512));
  EXPECT_EQ(blocks.at(segment_start).size, 0U);
  EXPECT_EQ(blocks.remove(segment_start).size, 0U);
  EXPECT_EQ(blocks.remove(segment_start + 600).size, 0U) << "no block begins there";
  EXPECT_EQ(blocks.at(segment_start + 600).size, 512U);
}

TEST(ReportedBlocks, a_new_block_ends_those_whose_end_nobody_told) {
  ReportedBlocks blocks;
  for (std::uint64_t i = 0; i < 4; ++i)
    blocks.add(block(i * 512, 512), true);
  blocks.add(block(700, 512), true);
  expect_region(blocks.at(segment_start + 100), block(0, 512));
  EXPECT_EQ(blocks.at(segment_start + 600).size, 0U);
  expect_region(blocks.at(segment_start + 1100), block(700, 512));
  EXPECT_EQ(blocks.at(segment_start + 1300).size, 0U);
  expect_region(blocks.at(segment_start + 1600), block(1536, 512));
}

TEST(ReportedBlocks, blocks_end_with_the_allocation_that_they_are_part_of) {
  ReportedBlocks blocks;
  blocks.add(block(0, 512), true);
  blocks.add(block(19 << 20, 1 << 20), true);
  blocks.add(block(20 << 20, 512), true);  // of the next one
  blocks.remove_within(segment);
  EXPECT_EQ(blocks.at(segment_start).size, 0U);
  EXPECT_EQ(blocks.at(segment_start + (20 << 20) - 1).size, 0U);
  EXPECT_EQ(blocks.at(segment_start + (20 << 20)).size, 512U);
}

TEST(ReportedBlocks, only_blocks_that_are_told_to_be_exact_are) {
  ReportedBlocks blocks;
  blocks.add(block(0, 512), false);
  blocks.add(block(512, 700), true);
  EXPECT_FALSE(blocks.is_exact(block(0, 512)));
  EXPECT_TRUE(blocks.is_exact(block(512, 700)));
  EXPECT_FALSE(blocks.is_exact(block(1212, 300)));
}

// Two arguments in one allocation must not share a byte: replays work on copies of each.
TEST(ReportedBlocks, a_gap_reaches_from_one_block_to_the_next) {
  ReportedBlocks blocks;
  expect_region(blocks.gap_at(segment_start + 5000, segment), segment);
  blocks.add(block(1024, 1024), true);
  blocks.add(block(8192, 1024), true);
  expect_region(blocks.gap_at(segment_start + 100, segment), block(0, 1024));
  expect_region(blocks.gap_at(segment_start + 2048, segment), block(2048, 6144));
  expect_region(blocks.gap_at(segment_start + 9216, segment),
                block(9216, (20 << 20) - std::uint64_t{9216}));
}

// Memory that the driver maps piece by piece: a block may reach over several.
TEST(ReportedBlocks, a_gap_ends_where_the_allocation_does) {
  ReportedBlocks blocks;
  blocks.add(block((20 << 20) - 512, 4096), true);
  const Region next{segment_start + (20 << 20), 2 << 20};
  expect_region(blocks.gap_at(next.address + 8192, next),
                {next.address + 3584, (2 << 20) - std::uint64_t{3584}});
  blocks.add({next.address + next.size + 512, 512}, true);
  (void)blocks.remove(segment_start + (20 << 20) - 512);
  blocks.add(block(0, 512), true);
  expect_region(blocks.gap_at(next.address + 8192, next), next);
  blocks.add(block((20 << 20) - 512, 4096), true);
  expect_region(blocks.gap_at(next.address + 8192, next),
                {next.address + 3584, (2 << 20) - std::uint64_t{3584}});
}

// Contexts as the driver has them: a number for each device, and a stack for the calling thread.
struct Driver {
  std::vector<CUcontext> stack;
  CUdevice device = 0;
  bool is_gone = false;
} driver;

CUcontext handle(std::uintptr_t number) {
  return reinterpret_cast<CUcontext>(number);
}

gpu::CudaFunctions functions_of_driver() {
  driver = {};
  gpu::CudaFunctions functions;
  functions.context_device = [](CUdevice* device) {
    *device = driver.device;
    return CUDA_SUCCESS;
  };
  functions.current_context = [](CUcontext* context) {
    *context = driver.stack.empty() ? nullptr : driver.stack.back();
    return CUDA_SUCCESS;
  };
  functions.push_context = [](CUcontext context) {
    if (driver.is_gone) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    driver.stack.push_back(context);
    return CUDA_SUCCESS;
  };
  functions.pop_context = [](CUcontext* context) {
    *context = driver.stack.back();
    driver.stack.pop_back();
    return CUDA_SUCCESS;
  };
  return functions;
}

TEST(LaunchContexts, each_device_has_the_last_one_that_kernels_were_launched_in) {
  const gpu::CudaFunctions functions = functions_of_driver();
  LaunchContexts contexts(functions);
  EXPECT_FALSE(contexts.of_device(0));
  contexts.note({handle(11), 1});
  driver.device = 1;
  contexts.note({handle(12), 2});
  contexts.note({handle(13), 3});
  ASSERT_TRUE(contexts.of_device(0) && contexts.of_device(1));
  EXPECT_EQ(contexts.of_device(0)->handle, handle(11));
  EXPECT_EQ(contexts.of_device(1)->handle, handle(13));
  EXPECT_EQ(contexts.of_device(1)->number, 3U);
}

TEST(LaunchContexts, a_thread_without_a_context_has_one_for_a_while) {
  const gpu::CudaFunctions functions = functions_of_driver();
  {
    const CurrentContext current(functions, handle(11));
    EXPECT_TRUE(current);
    EXPECT_EQ(driver.stack, std::vector{handle(11)});
    const CurrentContext again(functions, handle(11));
    EXPECT_TRUE(again);
    EXPECT_EQ(driver.stack.size(), 1U) << "it is current already";
  }
  EXPECT_TRUE(driver.stack.empty());
  driver.is_gone = true;
  EXPECT_FALSE(CurrentContext(functions, handle(11)));
  EXPECT_TRUE(driver.stack.empty());
}

constexpr std::int64_t at_ns = 1'000'000'000'000, later_ns = 2'000'000'000'000;

TEST(SilentAllocator, pytorch_with_memory_and_no_blocks_is_told_once) {
  bool is_torch = false;
  SilentAllocator allocator([&] { return is_torch; });
  allocator.note_allocation(at_ns);
  EXPECT_FALSE(allocator.is_to_be_told(later_ns)) << "another library's memory";
  is_torch = true;
  allocator.note_allocation(at_ns);
  EXPECT_TRUE(allocator.is_to_be_told(later_ns));
  allocator.note_allocation(at_ns);
  EXPECT_FALSE(allocator.is_to_be_told(later_ns));
}

// Another thread launches a kernel before the one that got the memory tells of its block.
TEST(SilentAllocator, the_first_block_may_take_a_moment) {
  SilentAllocator allocator([] { return true; });
  allocator.note_allocation(at_ns);
  EXPECT_FALSE(allocator.is_to_be_told(at_ns + 1'000'000));
  allocator.note_block();
  EXPECT_FALSE(allocator.is_to_be_told(later_ns));
}

TEST(SilentAllocator, one_that_reports_blocks_is_not_told) {
  int asked = 0;
  SilentAllocator allocator([&] { return ++asked > 0; });
  allocator.note_allocation(at_ns);
  allocator.note_block();
  EXPECT_FALSE(allocator.is_to_be_told(later_ns));
  for (int i = 0; i < 10; ++i)
    allocator.note_allocation(at_ns);
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(allocator.is_to_be_told(later_ns));
}

TEST(SilentAllocator, a_program_with_other_memory_is_not_asked_forever) {
  int asked = 0;
  SilentAllocator allocator([&] { return ++asked < 0; });
  for (int i = 0; i < 100'000; ++i)
    allocator.note_allocation(at_ns);
  EXPECT_LE(asked, 1000);
}

}  // namespace
}  // namespace tunecheck::watch
