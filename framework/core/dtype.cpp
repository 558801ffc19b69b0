#include "core/dtype.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <Eigen/Core>

namespace tunecheck {
namespace {

struct DTypeFacts {
  std::string_view name;
  std::size_t size;
  double epsilon;
  std::array<std::uint8_t, 8> poison;  // little-endian
};

constexpr std::array<DTypeFacts, 7> facts = {{
    {"f64", 8, 0x1p-52, {0xad, 0xde, 0xad, 0xde, 0xad, 0xde, 0xfe, 0x7f}},
    {"f32", 4, 0x1p-23, {0xad, 0xde, 0xfe, 0x7f}},
    {"bf16", 2, 0x1p-7, {0xfe, 0x7f}},
    {"f16", 2, 0x1p-10, {0xad, 0x7f}},
    {"i32", 4, 0, {0xad, 0xde, 0xad, 0xab}},
    {"i64", 8, 0, {0xad, 0xde, 0xad, 0xde, 0xad, 0xde, 0xad, 0xab}},
    {"u8", 1, 0, {0xad}},
}};

const DTypeFacts& facts_of(DType dtype) {
  return facts.at(static_cast<std::size_t>(dtype));
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
T saturate(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

// `value` as a float whose last bit says whether anything was cut off (rounding to odd), so that
// rounding it once more, to 16 bits, gives what rounding `value` itself would: Eigen converts from
// float only, and rounding to nearest twice is wrong next to ties.
float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value)) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
  return std::bit_cast<float>(bits | 1U);
}

// Maps the bits of a sign-magnitude float to integers in the order of their values.
template <class Bits>
std::int64_t ordered(Bits bits) {
  constexpr int width = std::numeric_limits<Bits>::digits;
  const auto sign = static_cast<Bits>(Bits{1} << (width - 1));
  const auto magnitude = static_cast<std::int64_t>(bits & static_cast<Bits>(sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

std::int64_t ordered_bits(DType dtype, double value) {
  switch (dtype) {
    case DType::f64:
      return ordered(std::bit_cast<std::uint64_t>(value));
    case DType::f32:
      return ordered(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    case DType::bf16:
      return ordered(Eigen::bfloat16(round_to_odd(value)).value);
    case DType::f16:
      return ordered(std::uint16_t{Eigen::half(round_to_odd(value)).x});
    case DType::i32:
      return saturate<std::int32_t>(value);
    case DType::i64:
      return saturate<std::int64_t>(value);
    case DType::u8:
      return saturate<std::uint8_t>(value);
  }
  return 0;
}

}  // namespace

std::string_view name_of(DType dtype) {
  return facts_of(dtype).name;
}

std::optional<DType> parse_dtype(std::string_view name) {
  for (const DType dtype : all_dtypes)
    if (name_of(dtype) == name) return dtype;
  return std::nullopt;
}

std::size_t size_of(DType dtype) {
  return facts_of(dtype).size;
}

bool is_floating(DType dtype) {
  return facts_of(dtype).epsilon > 0;
}

bool holds_scalar(DType dtype, double value) {
  constexpr double beyond_i32 = 0x1p31, beyond_i64 = 0x1p63;
  if (dtype == DType::f64) return true;
  if (is_floating(dtype)) return std::abs(value) <= std::numeric_limits<float>::max();
  const double beyond = dtype == DType::i64 ? beyond_i64 : beyond_i32;
  return value == std::trunc(value) && value >= -beyond && value < beyond;
}

double epsilon_of(DType dtype) {
  return facts_of(dtype).epsilon;
}

double load_element(DType dtype, const std::byte* element) {
  switch (dtype) {
    case DType::f64:
      return load<double>(element);
    case DType::f32:
      return static_cast<double>(load<float>(element));
    case DType::bf16:
      return static_cast<double>(static_cast<float>(Eigen::bfloat16(
          Eigen::bfloat16_impl::raw_uint16_to_bfloat16(load<std::uint16_t>(element)))));
    case DType::f16:
      return static_cast<double>(static_cast<float>(
          Eigen::half(Eigen::half_impl::raw_uint16_to_half(load<std::uint16_t>(element)))));
    case DType::i32:
      return load<std::int32_t>(element);
    case DType::i64:
      return static_cast<double>(load<std::int64_t>(element));
    case DType::u8:
      return load<std::uint8_t>(element);
  }
  return 0;
}

void store_element(DType dtype, std::byte* element, double value) {
  switch (dtype) {
    case DType::f64:
      return store(element, value);
    case DType::f32:
      return store(element, static_cast<float>(value));
    case DType::bf16:
      return store(element, Eigen::bfloat16(round_to_odd(value)).value);
    case DType::f16:
      return store(element, Eigen::half(round_to_odd(value)).x);
    case DType::i32:
      return store(element, saturate<std::int32_t>(value));
    case DType::i64:
      return store(element, saturate<std::int64_t>(value));
    case DType::u8:
      return store(element, saturate<std::uint8_t>(value));
  }
}

std::uint64_t ulp_distance(DType dtype, double a, double b) {
  constexpr auto far = std::numeric_limits<std::uint64_t>::max();
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : far;
  const std::int64_t x = ordered_bits(dtype, a);
  const std::int64_t y = ordered_bits(dtype, b);
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

std::span<const std::byte> poison_pattern(DType dtype) {
  const DTypeFacts& fact = facts_of(dtype);
  return std::as_bytes(std::span(fact.poison).first(fact.size));
}

}  // namespace tunecheck
