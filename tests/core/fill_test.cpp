#include "core/fill.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "owned_tensor.hpp"

namespace tunecheck {
namespace {

using test::OwnedTensor;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;

std::vector<double> filled(const std::string& fill, DType dtype = DType::f32,
                           std::int64_t count = 4096, std::uint64_t seed = 1,
                           const std::string& stream = "x") {
  OwnedTensor tensor(dtype, {count});
  apply_fill(resolve_fill(parse_fill(fill).value(), {}).value(), seed, stream, tensor.view());
  return to_doubles(tensor.view());
}

std::string digest_of(const std::string& fill, DType dtype) {
  OwnedTensor tensor(dtype, {1000});
  apply_fill(resolve_fill(parse_fill(fill).value(), {}).value(), 42, "weights", tensor.view());
  // Of the bytes alone, so that another digest of tensors changes nothing here.
  return fmt::format("{:016x}", XXH3_64bits(tensor.bytes().data(), tensor.bytes().size()));
}

// These hold on every machine; a change here makes old seeds and baselines meaningless.
TEST(Fill, the_numbers_of_a_seed_are_pinned) {
  EXPECT_EQ(digest_of("normal", DType::f64), "ebad00a2d1dd1d81");
  EXPECT_EQ(digest_of("normal", DType::bf16), "e113b40821cfbbd5");
  EXPECT_EQ(digest_of("uniform", DType::f32), "4285ed1156379e72");
  EXPECT_EQ(digest_of("integers -5 5", DType::i32), "8d67031f8f45649a");
  EXPECT_EQ(digest_of("index", DType::f32), "ab408abd5a63f694");
}

TEST(Fill, seed_and_stream_each_change_the_numbers) {
  EXPECT_EQ(filled("normal"), filled("normal"));
  EXPECT_NE(filled("normal", DType::f32, 64, 1, "x"), filled("normal", DType::f32, 64, 2, "x"));
  EXPECT_NE(filled("normal", DType::f32, 64, 1, "x"), filled("normal", DType::f32, 64, 1, "y"));
}

TEST(Fill, the_numbers_do_not_depend_on_the_strides) {
  OwnedTensor columns(DType::f32, {64, 64}, {1, 64});
  apply_fill(resolve_fill(parse_fill("normal").value(), {}).value(), 1, "x", columns.view());
  EXPECT_EQ(to_doubles(columns.view()), filled("normal"));
}

TEST(Fill, normal_numbers_have_mean_zero_and_deviation_one) {
  const std::vector<double> values = filled("normal", DType::f64, 100000);
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double square = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  EXPECT_NEAR(mean, 0, 0.02);
  EXPECT_NEAR(std::sqrt(square / count), 1, 0.02);
}

TEST(Fill, uniform_numbers_lie_between_zero_and_one) {
  const std::vector<double> values = filled("uniform");
  EXPECT_THAT(values, Each(AllOf(Ge(0), Le(1))));
  EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / 4096, 0.5, 0.03);
}

TEST(Fill, integers_include_both_ends) {
  const std::vector<double> values = filled("integers -2 2", DType::i32);
  EXPECT_THAT(values, Each(AllOf(Ge(-2), Le(2))));
  EXPECT_THAT(values, Contains(-2));
  EXPECT_THAT(values, Contains(2));
}

TEST(Fill, integers_may_begin_with_their_ends_and_go_on_as_they_would) {
  const std::vector<double> drawn = filled("integers 0 1000", DType::i32, 8);
  OwnedTensor tensor(DType::i32, {8}, {1});
  Fill fill = resolve_fill(parse_fill("integers 0 1000").value(), {}).value();
  fill.ends = Fill::Ends::high_first;
  apply_fill(fill, 1, "x", tensor.view());
  std::vector<double> expected = drawn;
  expected[0] = 1000;
  expected[1] = 0;
  EXPECT_EQ(to_doubles(tensor.view()), expected);
  fill.ends = Fill::Ends::low_first;
  apply_fill(fill, 1, "x", tensor.view());
  std::swap(expected[0], expected[1]);
  EXPECT_EQ(to_doubles(tensor.view()), expected);
}

TEST(Fill, normal_numbers_may_all_have_one_sign) {
  const std::vector<double> drawn = filled("normal");
  OwnedTensor tensor(DType::f32, {64, 64}, {64, 1});
  for (const Fill::Sign sign : {Fill::Sign::negative, Fill::Sign::positive}) {
    apply_fill({.kind = Fill::Kind::normal, .sign = sign}, 1, "x", tensor.view());
    const std::vector<double> values = to_doubles(tensor.view());
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i], std::copysign(drawn[i], sign == Fill::Sign::negative ? -1 : 1));
  }
}

TEST(Fill, bounds_may_follow_the_sizes) {
  const FillRule rule = parse_fill("integers 0 rows-1").value();
  EXPECT_EQ(resolve_fill(rule, {{"rows", 8}})->high, 7);
  EXPECT_EQ(resolve_fill(rule, {{"rows", 0}})->high, 0);  // of a tensor without rows
  EXPECT_EQ(parse_fill("integers min(1, rows) rows")->low, "min(1, rows)");
  EXPECT_FALSE(resolve_fill(rule, {{"cols", 8}}));
  EXPECT_FALSE(resolve_fill(rule, {{"rows", 1.5}}));
}

TEST(Fill, plain_fills_are_what_they_say) {
  EXPECT_THAT(filled("zeros"), Each(0));
  EXPECT_THAT(filled("ones", DType::u8), Each(1));
  EXPECT_THAT(filled("index", DType::f32, 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(filled("poison"), Each(testing::IsNan()));
}

TEST(Fill, an_unknown_fill_is_refused_with_the_known_ones) {
  for (const char* const text : {"", "gaussian", "normal 1", "integers", "integers 1",
                                 "integers 2 1", "integers 1", "integers 1 2 3"}) {
    const auto fill = parse_fill(text);
    ASSERT_FALSE(fill) << text;
    EXPECT_EQ(fill.error().text(),
              "expected normal, uniform, zeros, ones, index, poison or \"integers LOW HIGH\", "
              "found \"" +
                  std::string(text) + "\"");
  }
}

}  // namespace
}  // namespace tunecheck
