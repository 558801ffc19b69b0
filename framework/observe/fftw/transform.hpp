#pragma once
// A complex transform of FFTW's as a launch of a kernel: its arrays are the kernel's tensors.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "observe/fftw/planner_layout.hpp"

namespace tunecheck::fftw {

/// The four arrays of a transform. A call may have others than those that its plan was made for.
struct Arrays {
  double* input_real;
  double* input_imaginary;
  double* output_real;
  double* output_imaginary;
};
[[nodiscard]] Arrays arrays_of(const ComplexProblem& problem);

/// Null where the problem is of another kind.
[[nodiscard]] const ComplexProblem* as_complex(const Problem* problem);

/// As many dimensions as a tensor of tunecheck's has at most.
inline constexpr std::size_t most_dimensions = 8;

/// One array. A complex number is a pair in the last dimension, so that a row of n numbers has the
/// shape [n, 2]; repetitions come before what is transformed. Strides are in doubles.
struct TransformedTensor {
  double* data = nullptr;
  std::array<std::int64_t, most_dimensions> shape{}, strides{};
  std::int32_t rank = 0;

  bool operator==(const TransformedTensor&) const = default;
};

/// Its input and its output, which are the same memory where the transform is in place.
struct Transform {
  std::array<TransformedTensor, 2> tensors;
  int transformed_dimensions = 0;  ///< a row of numbers is another transform than rows of them

  bool operator==(const Transform&) const = default;
};

/// Nothing where there are too many dimensions, or nothing is to be transformed.
[[nodiscard]] std::optional<Transform> transform_of(const ComplexProblem& problem,
                                                    const Arrays& arrays);

}  // namespace tunecheck::fftw
