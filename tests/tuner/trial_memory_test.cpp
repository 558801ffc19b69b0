#include "tuner/trial/trial_memory.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

std::uintptr_t address(const TensorView& view) {
  return reinterpret_cast<std::uintptr_t>(view.data);
}

class TrialMemoryTest : public testing::Test {
 protected:
  TensorView view(std::size_t byte, std::vector<std::int64_t> shape,
                  std::vector<std::int64_t> strides) {
    return {m_bytes.data() + byte, DType::f32, Layout::strided(shape, strides)};
  }
  std::vector<std::byte> m_bytes = std::vector<std::byte>(8192);
};

TEST_F(TrialMemoryTest, twins_keep_layout_and_address_modulo_64) {
  const std::vector<TensorView> views = {view(4, {8}, {1}), view(1000, {4, 4}, {-8, 1}),
                                         view(2024, {3}, {0}), view(3000, {0}, {1})};
  const TrialMemory memory = TrialMemory::create(views, host_memory()).value();
  for (std::size_t i = 0; i < views.size(); ++i) {
    EXPECT_EQ(memory.views()[i].layout, views[i].layout);
    EXPECT_EQ(address(memory.views()[i]) % 64, address(views[i]) % 64);
    EXPECT_NE(memory.views()[i].data, views[i].data);
  }
}

TEST_F(TrialMemoryTest, views_that_share_bytes_have_twins_that_share_the_same_bytes) {
  const std::vector<TensorView> views = {view(64, {8}, {1}), view(80, {8}, {1}),
                                         view(4000, {8}, {1})};
  const TrialMemory memory = TrialMemory::create(views, host_memory()).value();
  EXPECT_EQ(memory.views()[1].data - memory.views()[0].data, 16);
  EXPECT_GE(std::abs(memory.views()[2].data - memory.views()[0].data),
            static_cast<std::ptrdiff_t>(canary_bytes));
}

TEST_F(TrialMemoryTest, writing_elements_leaves_the_canary_intact) {
  const std::vector<TensorView> views = {view(64, {8}, {3}), view(76, {4}, {3}),
                                         view(1000, {4, 4}, {-8, 1}), view(2000, {8}, {1})};
  TrialMemory memory = TrialMemory::create(views, host_memory()).value();
  memory.fill_canary(host_memory());
  EXPECT_TRUE(memory.canary_intact());
  for (const TensorView& twin : memory.views())
    fill_zero(twin);
  EXPECT_TRUE(memory.canary_intact());
}

TEST_F(TrialMemoryTest, any_byte_outside_of_the_elements_is_guarded) {
  const std::vector<TensorView> views = {view(64, {8}, {3}), view(2000, {8}, {1})};
  TrialMemory memory = TrialMemory::create(views, host_memory()).value();
  std::byte* const strided = memory.views()[0].data;
  std::byte* const dense = memory.views()[1].data;
  for (std::byte* const place :
       {strided - 1, strided + 4, strided + 11, strided + 85 + 3, dense - 4, dense + 32,
        dense + 32 + canary_bytes - 1, strided - canary_bytes}) {
    memory.fill_canary(host_memory());
    *place = std::byte{0};
    EXPECT_FALSE(memory.canary_intact()) << place - strided;
  }
}

}  // namespace
}  // namespace tunecheck
