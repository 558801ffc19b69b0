#include "core/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck {
namespace {

using testing::ElementsAre;
using Numbers = std::vector<std::int64_t>;

Layout strided(const Numbers& shape, const Numbers& strides) {
  return Layout::strided(shape, strides);
}

Numbers offsets(const Layout& layout) {
  Numbers all;
  for_each_element(layout, [&](std::int64_t linear, std::int64_t offset) {
    EXPECT_EQ(linear, static_cast<std::int64_t>(all.size()));
    all.push_back(offset);
  });
  return all;
}

TEST(Layout, a_contiguous_layout_is_row_major) {
  const Layout layout = Layout::contiguous(Numbers{2, 3, 4});
  EXPECT_THAT(layout.steps(), ElementsAre(12, 4, 1));
  EXPECT_EQ(layout.count(), 24);
}

TEST(Layout, rank_zero_is_one_element) {
  EXPECT_EQ(Layout{}.count(), 1);
  EXPECT_THAT(offsets(Layout{}), ElementsAre(0));
  EXPECT_EQ(extent_of(Layout{}).end, 1);
}

TEST(Layout, more_than_eight_dimensions_are_refused) {
  EXPECT_THROW((void)Layout::contiguous(Numbers(9, 1)), std::out_of_range);
}

TEST(Layout, elements_are_visited_in_row_major_order_whatever_the_strides) {
  EXPECT_THAT(offsets(strided({2, 3}, {1, 10})), ElementsAre(0, 10, 20, 1, 11, 21));
  EXPECT_THAT(offsets(strided({2, 2}, {-5, 0})), ElementsAre(0, 0, -5, -5));
  EXPECT_THAT(offsets(strided({2, 0, 3}, {9, 3, 1})), ElementsAre());
}

TEST(Layout, the_extent_spans_padding_and_negative_strides) {
  const Extent padded = extent_of(strided({2, 3}, {10, 1}));
  EXPECT_EQ(padded.first, 0);
  EXPECT_EQ(padded.end, 13);
  const Extent backwards = extent_of(strided({4, 2}, {-3, 1}));
  EXPECT_EQ(backwards.first, -9);
  EXPECT_EQ(backwards.end, 2);
}

TEST(Layout, the_extent_of_no_elements_is_empty) {
  const Extent extent = extent_of(strided({4, 0}, {100, 1}));
  EXPECT_EQ(extent.first, 0);
  EXPECT_EQ(extent.end, 0);
}

TEST(Layout, a_broadcast_dimension_overlaps_itself) {
  EXPECT_TRUE(overlaps_itself(strided({2, 4}, {0, 1})));
  EXPECT_FALSE(overlaps_itself(strided({1, 4}, {0, 1})));  // of size 1: the stride is not used
  EXPECT_FALSE(overlaps_itself(strided({2, 0}, {0, 1})));  // no elements
}

TEST(Layout, crossing_strides_overlap_only_where_two_indices_meet) {
  EXPECT_TRUE(overlaps_itself(strided({3, 3}, {1, 2})));
  EXPECT_TRUE(overlaps_itself(strided({4, 4}, {3, 1})));    // (1, 0) and (0, 3)
  EXPECT_FALSE(overlaps_itself(strided({2, 3}, {3, 2})));   // 0 2 4 and 3 5 7
  EXPECT_TRUE(overlaps_itself(strided({2, 3}, {-4, 2})));   // 0 2 4 and -4 -2 0
  EXPECT_FALSE(overlaps_itself(strided({2, 3}, {-3, 2})));  // 0 2 4 and -3 -1 1
}

TEST(Layout, separate_strides_do_not_overlap) {
  EXPECT_FALSE(overlaps_itself(Layout::contiguous(Numbers{3, 5, 7})));
  EXPECT_FALSE(overlaps_itself(strided({3, 5}, {1, 3})));  // column-major
  EXPECT_FALSE(overlaps_itself(strided({4, 2}, {-100, 7})));
}

TEST(Layout, crossing_strides_of_a_huge_layout_count_as_overlap) {
  EXPECT_TRUE(overlaps_itself(strided({1 << 12, 1 << 12}, {(1 << 13) - 3, 2})));
  EXPECT_FALSE(overlaps_itself(strided({1 << 15, 1 << 15}, {1 << 15, 1})));
}

TEST(Layout, the_stride_pattern_tells_zero_one_and_other_apart) {
  EXPECT_EQ(stride_pattern(Layout::contiguous(Numbers{4, 8})), "n,1");
  EXPECT_EQ(stride_pattern(strided({4, 8}, {1, 4})), "1,n");
  EXPECT_EQ(stride_pattern(strided({4, 8}, {0, 1})), "0,1");
  EXPECT_EQ(stride_pattern(strided({4, 8}, {16, -1})), "n,n");
  EXPECT_EQ(stride_pattern(Layout{}), "");
}

TEST(Layout, the_stride_pattern_ignores_a_stride_that_is_never_used) {
  EXPECT_EQ(stride_pattern(strided({1, 8}, {0, 1})), "1,1");
  EXPECT_EQ(stride_pattern(strided({1, 8}, {77, 1})), "1,1");
  EXPECT_EQ(stride_pattern(strided({0, 8}, {77, 1})), "1,1");
}

TEST(Layout, an_index_and_its_position_belong_together) {
  const Layout layout = strided({2, 3, 4}, {1, 2, 6});
  EXPECT_THAT(index_of(layout, 0), ElementsAre(0, 0, 0));
  EXPECT_THAT(index_of(layout, 23), ElementsAre(1, 2, 3));
  EXPECT_THAT(index_of(layout, 13), ElementsAre(1, 0, 1));
  EXPECT_EQ(format_index(index_of(layout, 13)), "[1, 0, 1]");
  EXPECT_EQ(format_index({}), "[]");
}

}  // namespace
}  // namespace tunecheck
