#pragma once
// The element types of tensors and scalars.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tunecheck {

enum class DType : std::int32_t { f64, f32, bf16, f16, i32, i64, u8 };

inline constexpr DType all_dtypes[] = {DType::f64, DType::f32, DType::bf16, DType::f16,
                                       DType::i32, DType::i64, DType::u8};

/// "f32" and so on; the spelling of kernel and scenario files and of the adapter protocol.
[[nodiscard]] std::string_view name_of(DType dtype);
[[nodiscard]] std::optional<DType> parse_dtype(std::string_view name);

/// Bytes of one element.
[[nodiscard]] std::size_t size_of(DType dtype);
[[nodiscard]] bool is_floating(DType dtype);

/// True where a kernel gets just this number as a scalar of that type, but for rounding: integers
/// are whole and within their range, and nothing overflows. `value` is finite.
[[nodiscard]] bool holds_scalar(DType dtype, double value);

/// Relative distance between 1 and the next larger value; 0 for integers.
[[nodiscard]] double epsilon_of(DType dtype);

/// The element at `element` (size_of(dtype) bytes, any alignment) as a double. An i64 beyond 2^53
/// is rounded.
[[nodiscard]] double load_element(DType dtype, const std::byte* element);

/// Stores `value` rounded to nearest even; integers saturate, NaN becomes 0 in them.
void store_element(DType dtype, std::byte* element, double value);

/// Distance in representable values between `a` and `b` after rounding to `dtype`; the plain
/// difference for integers. Saturates; two NaN are 0 apart, a NaN and a number are the maximum
/// apart.
[[nodiscard]] std::uint64_t ulp_distance(DType dtype, double a, double b);

/// The bit pattern (size_of(dtype) bytes) that marks an element nobody has written: a NaN with an
/// unusual payload, an unusual integer.
[[nodiscard]] std::span<const std::byte> poison_pattern(DType dtype);

}  // namespace tunecheck
