// The element types that kernels use agree with those that the rest of tunecheck uses.
#include <tunecheck/cpu_kernel.h>

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>

#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

template <class Element>
void expect_every_pattern_reads_alike(DType dtype) {
  for (unsigned pattern = 0; pattern <= 0xffff; ++pattern) {
    Element element;
    element.bits = static_cast<std::uint16_t>(pattern);
    const double expected = load_element(dtype, reinterpret_cast<const std::byte*>(&element));
    const float actual = element;
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(actual)) << pattern;
    else
      ASSERT_EQ(actual, expected) << pattern;
    ASSERT_EQ(std::signbit(actual), pattern >> 15 == 1) << pattern;
  }
}

template <class Element>
void expect_rounds_alike(DType dtype, float value) {
  Element expected;
  store_element(dtype, reinterpret_cast<std::byte*>(&expected), value);
  const Element actual(value);
  if (std::isnan(value))
    ASSERT_TRUE(std::isnan(static_cast<float>(actual)));
  else
    ASSERT_EQ(actual.bits, expected.bits) << value;
}

// Every value that the type holds, the middle between it and the next (a tie), and both neighbours
// of that middle; then numbers of all magnitudes.
template <class Element>
void expect_every_value_rounds_alike(DType dtype) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (unsigned pattern = 0; pattern < 0xffff; ++pattern) {
    Element low, high;
    low.bits = static_cast<std::uint16_t>(pattern);
    high.bits = static_cast<std::uint16_t>(pattern + 1);
    const float middle = static_cast<float>(
        (static_cast<double>(static_cast<float>(low)) + static_cast<float>(high)) / 2);
    for (const float value : {static_cast<float>(low), middle, std::nextafter(middle, -infinity),
                              std::nextafter(middle, infinity)})
      expect_rounds_alike<Element>(dtype, value);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    expect_rounds_alike<Element>(dtype, value);
  }
}

TEST(ElementTypes, every_f16_reads_alike) {
  expect_every_pattern_reads_alike<f16>(DType::f16);
}
TEST(ElementTypes, every_bf16_reads_alike) {
  expect_every_pattern_reads_alike<bf16>(DType::bf16);
}
TEST(ElementTypes, floats_round_alike_to_f16) {
  expect_every_value_rounds_alike<f16>(DType::f16);
}
TEST(ElementTypes, floats_round_alike_to_bf16) {
  expect_every_value_rounds_alike<bf16>(DType::bf16);
}

TEST(ElementTypes, a_kernel_computes_in_every_dtype) {
  const KernelFolder folder(axpy_files());
  const KernelDefinition kernel = folder.read();
  const CpuBackend backend;
  const std::int64_t shape[] = {3};
  for (const DType dtype : {DType::f64, DType::f32, DType::bf16, DType::f16, DType::i64}) {
    CompileRequest request = request_for(kernel);
    request.dtypes = {dtype, dtype};
    std::vector<std::byte> x(3 * size_of(dtype)), y(3 * size_of(dtype));
    const TensorView tensors[] = {{x.data(), dtype, Layout::contiguous(shape)},
                                  {y.data(), dtype, Layout::contiguous(shape)}};
    from_doubles(std::vector<double>{1, -2, 3}, tensors[0]);
    from_doubles(std::vector<double>{10, 20, 30}, tensors[1]);
    const Scalar scalars[] = {{DType::f32, 3}};
    const auto module = value_of(backend.load(value_of(backend.compile(request))));
    ASSERT_EQ(module->launch({tensors, scalars}), 0);
    EXPECT_THAT(to_doubles(tensors[1]), testing::ElementsAre(13, 14, 39)) << name_of(dtype);
  }
}

TEST(ElementTypes, arithmetic_of_stored_types_rounds_once) {
  f16 value = 1000.0F;
  value += 0.3F;
  EXPECT_EQ(static_cast<float>(value), 1000.5F);
  value -= 500;
  EXPECT_EQ(static_cast<float>(value), 500.5F);
  value *= 2.0;
  EXPECT_EQ(static_cast<float>(value), 1001.0F);
  value /= f16(7.0F);
  EXPECT_EQ(static_cast<float>(value), 143.0F);
  EXPECT_EQ(bf16(3.0F) * bf16(0.5F) + 1, 2.5F);
}

}  // namespace
}  // namespace tunecheck
