#pragma once
// The judge's arithmetic a second time, in plain loops: what the judge computes is compared with
// this before anything is judged by it. Nothing here calls core/compare, core/digest, core/layout
// or core/tensor_view, which are what is compared.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"

namespace tunecheck::plain {

/// A tensor by its parts. `origin` is the byte at which element [0, ..., 0] begins; strides are in
/// elements.
struct Tensor {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape, strides;
  std::size_t origin = 0;
  std::vector<std::byte> bytes;

  [[nodiscard]] std::int64_t count() const;
  /// Where element number `linear`, counted row by row, begins: in elements past element
  /// [0, ..., 0], and in bytes of `bytes`.
  [[nodiscard]] std::int64_t offset(std::int64_t linear) const;
  [[nodiscard]] std::size_t place(std::int64_t linear) const;
  /// The bits of element number `linear`, as the low ones of the number, and back.
  [[nodiscard]] std::uint64_t bits(std::int64_t linear) const;
  void set_bits(std::int64_t linear, std::uint64_t bits);
};

/// The first and one past the last offset of any element; 0 and 0 if there is none.
struct Reach {
  std::int64_t first = 0, end = 0;
};
[[nodiscard]] Reach reach_of(const Tensor& tensor);

[[nodiscard]] double value_of(DType dtype, std::uint64_t bits);

struct Difference {
  std::int64_t wrong = 0, unwritten = 0;
  std::int64_t first = -1;  ///< the number of the first wrong element, -1 if there is none
};
/// As compare() promises, for expected values that the dtype can hold exactly.
[[nodiscard]] Difference difference(const Tensor& actual, std::span<const double> expected,
                                    double relative, double absolute);

/// As digest_elements() promises.
[[nodiscard]] std::string digest(const Tensor& tensor);

/// 64 hex digits, as FIPS 180-4 says.
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

}  // namespace tunecheck::plain
