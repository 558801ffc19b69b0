#include "core/tensor_view.hpp"

#include <array>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/element_mix.h"
#include "core/fill.hpp"
#include "owned_tensor.hpp"

namespace tunecheck {
namespace {

using test::OwnedTensor;
using testing::Each;
using testing::ElementsAre;

const Fill counting{Fill::Kind::index, 0, 0};

TEST(TensorView, values_go_in_and_come_out_in_row_major_order) {
  OwnedTensor tensor(DType::i32, {2, 3}, {1, 4});
  from_doubles(std::vector<double>{1, 2, 3, 4, 5, 6}, tensor.view());
  EXPECT_THAT(to_doubles(tensor.view()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(load_element(DType::i32, tensor.bytes().data() + 4), 4);  // [1, 0]
}

TEST(TensorView, padding_between_strides_is_never_written) {
  OwnedTensor tensor(DType::f32, {3, 2}, {5, 1});
  const auto padding = [&] {
    std::vector<std::byte> bytes;
    for (const std::size_t element : {2U, 3U, 4U, 7U, 8U, 9U})
      for (std::size_t byte = 0; byte < 4; ++byte)
        bytes.push_back(tensor.bytes()[element * 4 + byte]);
    return bytes;
  };
  OwnedTensor packed(DType::f32, {3, 2});
  apply_fill(counting, 0, "packed", packed.view());
  copy_elements(packed.view(), tensor.view());
  EXPECT_THAT(padding(), Each(OwnedTensor::background));
  fill_poison(tensor.view());
  EXPECT_THAT(padding(), Each(OwnedTensor::background));
  fill_zero(tensor.view());
  EXPECT_THAT(padding(), Each(OwnedTensor::background));
  EXPECT_THAT(to_doubles(tensor.view()), Each(0));
}

TEST(TensorView, elements_are_copied_between_any_strides) {
  OwnedTensor columns(DType::f64, {3, 4}, {1, 3});
  OwnedTensor backwards(DType::f64, {3, 4}, {-10, 2});
  apply_fill(counting, 0, "columns", columns.view());
  copy_elements(columns.view(), backwards.view());
  EXPECT_EQ(to_doubles(backwards.view()), to_doubles(columns.view()));
}

TEST(TensorView, a_broadcast_element_is_copied_to_every_place_it_shows) {
  OwnedTensor row(DType::u8, {3, 2}, {0, 1});
  from_doubles(std::vector<double>{7, 8, 7, 8, 7, 8}, row.view());
  ASSERT_EQ(row.bytes().size(), 2U);
  OwnedTensor full(DType::u8, {3, 2});
  copy_elements(row.view(), full.view());
  EXPECT_THAT(to_doubles(full.view()), ElementsAre(7, 8, 7, 8, 7, 8));
  OwnedTensor again(DType::u8, {3, 2}, {0, 1});
  copy_elements(full.view(), again.view());
  EXPECT_EQ(again.bytes(), row.bytes());
}

TEST(TensorView, a_tensor_without_elements_can_be_filled_and_copied) {
  OwnedTensor a(DType::f32, {0, 4});
  OwnedTensor b(DType::f32, {0, 4}, {9, 2});
  fill_zero(a.view());
  copy_elements(a.view(), b.view());
  EXPECT_EQ(digest_elements(a.view()), digest_elements(b.view()));
}

TEST(TensorView, the_digest_depends_on_the_elements_and_not_on_the_strides) {
  OwnedTensor plain(DType::f32, {4, 3});
  OwnedTensor padded(DType::f32, {4, 3}, {8, 1});
  OwnedTensor columns(DType::f32, {4, 3}, {1, 4});
  OwnedTensor backwards(DType::f32, {4, 3}, {3, -1});
  for (OwnedTensor* const tensor : {&plain, &padded, &columns, &backwards})
    apply_fill(counting, 0, "x", tensor->view());
  const std::string digest = digest_elements(plain.view());
  EXPECT_EQ(digest.size(), 16U);
  EXPECT_EQ(digest_elements(padded.view()), digest);
  EXPECT_EQ(digest_elements(columns.view()), digest);
  EXPECT_EQ(digest_elements(backwards.view()), digest);
  store_element(DType::f32, columns.view().data, 99);
  EXPECT_NE(digest_elements(columns.view()), digest);
}

// Element by element, as element_mix.h says it.
template <class Bits>
std::string digest_by_definition(const TensorView& view) {
  std::uint64_t sum = 0;
  for_each_element(view.layout, [&](std::int64_t linear, std::int64_t offset) {
    Bits bits;
    std::memcpy(&bits, view.data + offset * static_cast<std::int64_t>(sizeof bits), sizeof bits);
    sum += mix_element(bits, static_cast<std::uint64_t>(linear));
  });
  return format_digest(finish_digest(sum, static_cast<std::uint64_t>(view.layout.count()),
                                     static_cast<int>(view.dtype)));
}

// However many it takes at a time.
TEST(TensorView, the_digest_is_what_the_definition_says_for_any_number_of_elements) {
  for (std::int64_t columns = 1; columns < 70; ++columns)
    for (const DType dtype : all_dtypes) {
      OwnedTensor tensor(dtype, {3, columns}, {columns + 1, 1});
      apply_fill({Fill::Kind::uniform, 1, 100}, 7, "x", tensor.view());
      const TensorView view = tensor.view();
      const std::size_t size = size_of(dtype);
      const std::string expected = size == 8   ? digest_by_definition<std::uint64_t>(view)
                                   : size == 4 ? digest_by_definition<std::uint32_t>(view)
                                   : size == 2 ? digest_by_definition<std::uint16_t>(view)
                                               : digest_by_definition<std::uint8_t>(view);
      ASSERT_EQ(digest_elements(view), expected) << columns << ' ' << name_of(dtype);
    }
}

TEST(TensorView, the_digest_depends_on_the_place_of_each_element_their_number_and_dtype) {
  OwnedTensor tensor(DType::i32, {4});
  const auto digest_of = [&](std::vector<double> values) {
    from_doubles(values, tensor.view());
    return digest_elements(tensor.view());
  };
  const std::string digest = digest_of({1, 2, 3, 4});
  EXPECT_NE(digest_of({2, 1, 3, 4}), digest);
  EXPECT_NE(digest_of({4, 2, 3, 1}), digest);
  EXPECT_NE(digest_of({0, 0, 0, 0}), digest);
  TensorView three = tensor.view();
  three.layout.shape[0] = 3;
  EXPECT_NE(digest_elements(three), digest_elements(tensor.view()));
  TensorView floats = tensor.view();
  floats.dtype = DType::f32;
  EXPECT_NE(digest_elements(floats), digest_elements(tensor.view()));
}

// The GPU probe sums in another order.
TEST(TensorView, the_digest_is_a_sum_that_can_be_taken_in_pieces) {
  OwnedTensor tensor(DType::f64, {5});
  apply_fill(counting, 0, "x", tensor.view());
  std::uint64_t sum = 0;
  for (const std::uint64_t index : {3U, 0U, 4U, 1U, 2U}) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tensor.view().data + index * 8, 8);
    sum += mix_element(bits, index);
  }
  EXPECT_EQ(digest_elements(tensor.view()),
            format_digest(finish_digest(sum, 5, static_cast<int>(DType::f64))));
}

TEST(TensorView, the_digest_of_a_known_content_is_pinned) {
  OwnedTensor tensor(DType::i32, {2, 5});
  apply_fill(counting, 0, "x", tensor.view());
  EXPECT_EQ(digest_elements(tensor.view()), "ffbe2c259ce91779");
}

TEST(TensorView, the_byte_range_includes_padding_and_what_lies_before_the_first_element) {
  OwnedTensor tensor(DType::f64, {3, 2}, {-4, 1});
  const ByteRange range = byte_range(tensor.view());
  EXPECT_EQ(range.first, tensor.bytes().data());
  EXPECT_EQ(range.size(), tensor.bytes().size());
  EXPECT_EQ(range.size(), 10U * 8);
}

TEST(TensorView, views_overlap_where_they_share_a_byte) {
  std::vector<std::byte> memory(64);
  const auto at = [&](std::size_t byte, const Layout& layout, DType dtype = DType::i32) {
    return TensorView{memory.data() + byte, dtype, layout};
  };
  const Layout four = Layout::contiguous(std::vector<std::int64_t>{4});
  EXPECT_TRUE(overlap(at(0, four), at(12, four)));
  EXPECT_FALSE(overlap(at(0, four), at(16, four)));
  EXPECT_TRUE(overlap(at(0, four), at(15, four, DType::u8)));
  EXPECT_FALSE(overlap(at(0, four), at(16, four, DType::u8)));
}

TEST(TensorView, interleaved_views_do_not_overlap) {
  std::vector<std::byte> memory(64);
  const Layout every_second =
      Layout::strided(std::vector<std::int64_t>{8}, std::vector<std::int64_t>{2});
  const TensorView even{memory.data(), DType::i32, every_second};
  const TensorView odd{memory.data() + 4, DType::i32, every_second};
  const TensorView shifted{memory.data() + 2, DType::i32, every_second};
  EXPECT_FALSE(overlap(even, odd));
  EXPECT_TRUE(overlap(even, even));
  EXPECT_TRUE(overlap(even, shifted));  // half an element each
}

TEST(TensorView, a_tensor_without_elements_overlaps_nothing) {
  std::vector<std::byte> memory(64);
  const TensorView none{memory.data() + 8, DType::i32,
                        Layout::contiguous(std::vector<std::int64_t>{0})};
  const TensorView all{memory.data(), DType::u8, Layout::contiguous(std::vector<std::int64_t>{64})};
  EXPECT_FALSE(overlap(none, all));
}

TEST(TensorView, alignment_is_that_of_the_first_element) {
  alignas(16) std::array<std::byte, 32> memory{};
  EXPECT_TRUE(is_aligned_16({memory.data(), DType::f32, {}}));
  EXPECT_FALSE(is_aligned_16({memory.data() + 4, DType::f32, {}}));
  EXPECT_TRUE(is_aligned_16({memory.data() + 16, DType::f32, {}}));
}

}  // namespace
}  // namespace tunecheck
