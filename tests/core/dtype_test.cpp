#include "core/dtype.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tunecheck {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr auto far_apart = std::numeric_limits<std::uint64_t>::max();

double stored(DType dtype, double value) {
  std::array<std::byte, 8> element{};
  store_element(dtype, element.data(), value);
  return load_element(dtype, element.data());
}

TEST(DType, every_name_is_read_back_as_its_type) {
  for (const DType dtype : all_dtypes)
    EXPECT_EQ(parse_dtype(name_of(dtype)), dtype) << name_of(dtype);
  EXPECT_EQ(name_of(DType::bf16), "bf16");
  EXPECT_EQ(parse_dtype("float"), std::nullopt);
  EXPECT_EQ(parse_dtype("F32"), std::nullopt);
  EXPECT_EQ(parse_dtype(""), std::nullopt);
}

TEST(DType, sizes_are_those_of_the_formats) {
  std::vector<std::size_t> sizes;
  for (const DType dtype : all_dtypes)
    sizes.push_back(size_of(dtype));
  EXPECT_THAT(sizes, testing::ElementsAre(8, 4, 2, 2, 4, 8, 1));
}

TEST(DType, a_scalar_is_a_number_that_its_type_can_hold) {
  for (const DType integer : {DType::i32, DType::i64}) {
    EXPECT_TRUE(holds_scalar(integer, -7));
    EXPECT_FALSE(holds_scalar(integer, 1.5));
    EXPECT_FALSE(holds_scalar(integer, 1e300));
  }
  EXPECT_TRUE(holds_scalar(DType::i32, 2147483647));
  EXPECT_TRUE(holds_scalar(DType::i32, -2147483648.0));
  EXPECT_FALSE(holds_scalar(DType::i32, 2147483648.0));
  EXPECT_TRUE(holds_scalar(DType::i64, 2147483648.0));
  EXPECT_TRUE(holds_scalar(DType::f32, 0.1)) << "it is rounded";
  EXPECT_FALSE(holds_scalar(DType::f32, -1e39));
  EXPECT_TRUE(holds_scalar(DType::f64, -1e39));
}

TEST(DType, epsilon_is_the_step_above_one) {
  for (const DType dtype : {DType::f64, DType::f32, DType::bf16, DType::f16}) {
    const double step = epsilon_of(dtype);
    EXPECT_EQ(stored(dtype, 1 + step), 1 + step) << name_of(dtype);
    EXPECT_EQ(ulp_distance(dtype, 1, 1 + step), 1U) << name_of(dtype);
  }
  EXPECT_EQ(epsilon_of(DType::i32), 0);
  EXPECT_FALSE(is_floating(DType::u8));
  EXPECT_TRUE(is_floating(DType::bf16));
}

TEST(DType, a_tie_rounds_to_the_even_neighbour) {
  EXPECT_EQ(stored(DType::f32, 1 + 0x1p-24), 1.0);
  EXPECT_EQ(stored(DType::f32, 1 + 0x3p-24), 1 + 0x1p-22);
  EXPECT_EQ(stored(DType::bf16, 1 + 0x1p-8), 1.0);
  EXPECT_EQ(stored(DType::bf16, 1 + 0x3p-8), 1 + 0x1p-6);
  EXPECT_EQ(stored(DType::f16, 1 + 0x1p-11), 1.0);
  EXPECT_EQ(stored(DType::f16, -(1 + 0x3p-11)), -(1 + 0x1p-9));
}

TEST(DType, sixteen_bit_types_are_rounded_once_and_not_by_way_of_f32) {
  // f32 would round these onto the tie, and the tie then goes the other way.
  EXPECT_EQ(stored(DType::bf16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(stored(DType::bf16, 1 + 0x3p-8 - 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(stored(DType::f16, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
  EXPECT_EQ(stored(DType::f16, -(1 + 0x1p-11 + 0x1p-40)), -(1 + 0x1p-10));
  EXPECT_EQ(ulp_distance(DType::bf16, 1, 1 + 0x1p-8 + 0x1p-40), 1U);
  EXPECT_EQ(ulp_distance(DType::f16, 1, 1 + 0x1p-11 + 0x1p-40), 1U);
}

TEST(DType, floats_overflow_to_infinity_and_keep_subnormals) {
  EXPECT_EQ(stored(DType::f32, 1e39), infinite);
  EXPECT_EQ(stored(DType::f16, 65504), 65504);
  EXPECT_EQ(stored(DType::f16, 65520), infinite);
  EXPECT_EQ(stored(DType::f16, -1e300), -infinite);
  EXPECT_EQ(stored(DType::bf16, 1e300), infinite);
  EXPECT_EQ(stored(DType::f16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(stored(DType::f16, 0x1p-26), 0);
  EXPECT_TRUE(std::signbit(stored(DType::f16, -1e-300)));
  EXPECT_TRUE(std::isnan(stored(DType::bf16, not_a_number)));
  EXPECT_TRUE(std::isnan(stored(DType::f16, not_a_number)));
}

TEST(DType, integers_round_to_even_saturate_and_turn_nan_into_zero) {
  EXPECT_EQ(stored(DType::i32, 2.5), 2);
  EXPECT_EQ(stored(DType::i32, 3.5), 4);
  EXPECT_EQ(stored(DType::i32, -2.5), -2);
  EXPECT_EQ(stored(DType::i32, 1e10), 2147483647);
  EXPECT_EQ(stored(DType::i32, -infinite), -2147483648.0);
  EXPECT_EQ(stored(DType::u8, -1), 0);
  EXPECT_EQ(stored(DType::u8, 255.4), 255);
  EXPECT_EQ(stored(DType::u8, 300), 255);
  EXPECT_EQ(stored(DType::i32, not_a_number), 0);
  std::int64_t wide = 0;
  store_element(DType::i64, reinterpret_cast<std::byte*>(&wide), 1e19);
  EXPECT_EQ(wide, std::numeric_limits<std::int64_t>::max());
  store_element(DType::i64, reinterpret_cast<std::byte*>(&wide), -1e19);
  EXPECT_EQ(wide, std::numeric_limits<std::int64_t>::min());
}

TEST(DType, an_i64_beyond_53_bits_is_rounded_when_loaded) {
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(load_element(DType::i64, reinterpret_cast<const std::byte*>(&odd)), 0x1p53);
}

TEST(DType, an_element_may_lie_at_any_address) {
  std::array<std::byte, 9> bytes{};
  for (const DType dtype : all_dtypes) {
    store_element(dtype, bytes.data() + 1, 3);
    EXPECT_EQ(load_element(dtype, bytes.data() + 1), 3) << name_of(dtype);
  }
}

TEST(DType, ulp_distance_counts_representable_values) {
  EXPECT_EQ(ulp_distance(DType::f32, 1, std::nextafter(1.0F, 2.0F)), 1U);
  EXPECT_EQ(ulp_distance(DType::f32, 0.0, -0.0), 0U);
  EXPECT_EQ(ulp_distance(DType::f64, 5e-324, -5e-324), 2U);
  EXPECT_EQ(ulp_distance(DType::f32, 1, 2), 1U << 23);
  EXPECT_EQ(ulp_distance(DType::f16, -65504, -infinite), 1U);
  EXPECT_EQ(ulp_distance(DType::i32, 7, -3), 10U);
  EXPECT_EQ(ulp_distance(DType::i64, -1e19, 1e19), far_apart);
}

TEST(DType, ulp_distance_treats_nan_as_one_far_value) {
  EXPECT_EQ(ulp_distance(DType::f32, not_a_number, not_a_number), 0U);
  EXPECT_EQ(ulp_distance(DType::f32, not_a_number, 1), far_apart);
  EXPECT_EQ(ulp_distance(DType::f64, 1, not_a_number), far_apart);
}

TEST(DType, poison_is_nan_in_floats_and_no_result_of_arithmetic) {
  for (const DType dtype : all_dtypes) {
    const auto pattern = poison_pattern(dtype);
    ASSERT_EQ(pattern.size(), size_of(dtype)) << name_of(dtype);
    EXPECT_EQ(std::isnan(load_element(dtype, pattern.data())), is_floating(dtype))
        << name_of(dtype);
    std::array<std::byte, 8> quiet_nan{};
    store_element(dtype, quiet_nan.data(), not_a_number);
    EXPECT_FALSE(std::equal(pattern.begin(), pattern.end(), quiet_nan.begin())) << name_of(dtype);
  }
}

}  // namespace
}  // namespace tunecheck
