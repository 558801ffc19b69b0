#pragma once
// What FFTW's planner hands from function to function, as version 3.3.10 lays it out in memory.
// FFTW declares it in headers of its own (kernel/ifftw.h, dft/dft.h, api/api.h), which no package
// has. The functions are exported all the same, and the library calls them through its own symbol
// table.
#include <cstddef>
#include <string_view>

namespace tunecheck::fftw {

/// How the version of a library must begin whose memory looks like this.
inline constexpr std::string_view known_version = "fftw-3.3.10";

/// One loop: how often, and how far apart in numbers of the input and of the output.
struct Loop {
  std::ptrdiff_t count;
  std::ptrdiff_t input_stride;
  std::ptrdiff_t output_stride;
};

/// All loops, of which the first stands here; `rank` is far too large where nothing is to be done.
struct Loops {
  int rank;
  Loop first[1];
};

struct Problem;
struct ProblemKind {
  int number;
  void (*hash)(const Problem*, void*);
  void (*zero)(const Problem*);
  void (*print)(const Problem*, void*);
  void (*destroy)(Problem*);
};
struct Problem {
  const ProblemKind* kind;
};
inline constexpr int complex_transform = 1;

/// A complex transform in double precision. The low two bits of the addresses are FFTW's own.
struct ComplexProblem {
  Problem base;
  const Loops* transformed;  ///< these dimensions
  const Loops* repeated;     ///< so often
  double* input_real;
  double* input_imaginary;
  double* output_real;
  double* output_imaginary;
};

struct Plan;
struct PlanKind {
  void (*solve)(const Plan*, const Problem*);
  void (*awake)(Plan*, int);
  void (*print)(const Plan*, void*);
  void (*destroy)(Plan*);
};
struct Plan {
  const PlanKind* kind;
};

/// An fftw_plan.
struct PublicPlan {
  Plan* plan;
  Problem* problem;
  int sign;
};

}  // namespace tunecheck::fftw
