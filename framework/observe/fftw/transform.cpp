#include "observe/fftw/transform.hpp"

namespace tunecheck::fftw {
namespace {

// The planner marks arrays of which it must not assume an alignment.
double* without_marks(double* address) {
  constexpr std::uintptr_t marks = 3;
  return reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(address) & ~marks);
}

bool add_loops(const Loops& loops, bool is_output, TransformedTensor& tensor) {
  const auto room = static_cast<int>(most_dimensions) - 1 - tensor.rank;
  if (loops.rank < 0 || loops.rank > room) return false;
  for (int i = 0; i < loops.rank; ++i) {
    const auto d = static_cast<std::size_t>(tensor.rank++);
    tensor.shape.at(d) = loops.first[i].count;
    tensor.strides.at(d) = is_output ? loops.first[i].output_stride : loops.first[i].input_stride;
  }
  return true;
}

// A backward transform is a forward one with real and imaginary parts exchanged. In memory the real
// part of a number comes first.
std::optional<TransformedTensor> tensor_of(const ComplexProblem& problem, double* real,
                                           double* imaginary, bool is_output) {
  const bool exchanged = imaginary < real;
  TransformedTensor tensor;
  tensor.data = exchanged ? imaginary : real;
  if (!add_loops(*problem.repeated, is_output, tensor) ||
      !add_loops(*problem.transformed, is_output, tensor))
    return std::nullopt;
  const auto last = static_cast<std::size_t>(tensor.rank++);
  tensor.shape.at(last) = 2;
  tensor.strides.at(last) = exchanged ? real - imaginary : imaginary - real;
  return tensor;
}

}  // namespace

Arrays arrays_of(const ComplexProblem& problem) {
  return {without_marks(problem.input_real), without_marks(problem.input_imaginary),
          without_marks(problem.output_real), without_marks(problem.output_imaginary)};
}

const ComplexProblem* as_complex(const Problem* problem) {
  if (problem == nullptr || problem->kind->number != complex_transform) return nullptr;
  return reinterpret_cast<const ComplexProblem*>(problem);
}

std::optional<Transform> transform_of(const ComplexProblem& problem, const Arrays& arrays) {
  const auto input = tensor_of(problem, arrays.input_real, arrays.input_imaginary, false);
  const auto output = tensor_of(problem, arrays.output_real, arrays.output_imaginary, true);
  if (!input || !output) return std::nullopt;
  Transform transform;
  transform.tensors = {*input, *output};
  transform.transformed_dimensions = problem.transformed->rank;
  return transform;
}

}  // namespace tunecheck::fftw
