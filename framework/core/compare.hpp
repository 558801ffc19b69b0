#pragma once
// Comparing a tensor with its expected content.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/tensor_view.hpp"

namespace tunecheck {

/// |actual - expected| <= absolute + relative * |expected|; both 0 asks for equality. The expected
/// value rounded to the tensor's floating dtype is always within the tolerance.
struct Tolerance {
  double relative = 0;
  double absolute = 0;

  /// For two results that may each be off by this much.
  [[nodiscard]] Tolerance doubled() const { return {2 * relative, 2 * absolute}; }
};

/// A tolerance for all dtypes and others for some.
struct Tolerances {
  Tolerance common;
  std::map<DType, Tolerance> by_dtype;

  [[nodiscard]] const Tolerance& of(DType dtype) const {
    const auto found = by_dtype.find(dtype);
    return found == by_dtype.end() ? common : found->second;
  }
  [[nodiscard]] Tolerances doubled() const {
    Tolerances wider{common.doubled(), {}};
    for (const auto& [dtype, tolerance] : by_dtype)
      wider.by_dtype[dtype] = tolerance.doubled();
    return wider;
  }
};

struct Comparison {
  std::int64_t elements = 0;
  std::int64_t wrong = 0;                 ///< elements outside the tolerance
  std::int64_t unwritten = 0;             ///< of those, elements that still hold the poison pattern
  std::vector<std::int64_t> first_wrong;  ///< index of the first wrong element (empty if none)
  double expected = 0;                    ///< there
  double actual = 0;                      ///< there
  std::uint64_t ulp = 0;                  ///< there, in the tensor's dtype

  /// Of a tensor that cannot be read: nothing in it is as expected.
  [[nodiscard]] static Comparison unreadable(std::int64_t count) {
    Comparison comparison;
    comparison.elements = count;
    comparison.wrong = count > 0 ? count : 1;
    return comparison;
  }
  [[nodiscard]] bool equal() const { return wrong == 0; }
  /// One sentence: "3 of 1024 elements wrong; first at [7]: expected 1, found 2 (12 ulp)".
  [[nodiscard]] std::string text() const;
};

/// `expected` holds actual.layout.count() values in row-major order, not yet rounded to the dtype.
/// A NaN equals a NaN; infinities equal only themselves, whatever the tolerance. An unwritten
/// element is wrong whatever is expected.
[[nodiscard]] Comparison compare(const TensorView& actual, std::span<const double> expected,
                                 const Tolerance& tolerance);

}  // namespace tunecheck
