// One implicit time step of du/dt = conduction * u'' + exchange * (source - u) in each line, whose
// ends are insulated: find `next` with
//
//   (1 + exchange + 2 conduction) next[p] - conduction (next[p-1] + next[p+1])
//       = field[p] + exchange * source[p]
//
// by Jacobi sweeps from the old field, until no residual exceeds `residual`. The nearer the field
// is to its steady state, the fewer sweeps a step takes: a kernel that is launched again on its own
// result runs faster than the caller's launch ever will, and gives another result.
//
// TOGETHER lines are swept together, interleaved, and CHECK_EVERY sweeps lie between two checks. A
// check costs several sweeps, because it is made in double and ends in one maximum.
#include <tunecheck/cpu_kernel.h>

namespace {

struct Coefficients {
  float conduction, exchange, residual;
};

// Lines side by side: element p of line l is at [p * TOGETHER + l]; a copy of the first and of the
// last element of each line stands before and behind it, because nothing flows through its ends.
struct Lines {
  float* first;   // element 0 of line 0
  int64_t count;  // elements without the copies

  void copy_ends() const {
    for (int l = 0; l < TOGETHER; ++l) {
      first[l - TOGETHER] = first[l];
      first[count + l] = first[count - TOGETHER + l];
    }
  }
};

void sweep(const Lines& from, const Lines& to, const float* right, Coefficients c) {
  const float scale = 1 / (1 + c.exchange + 2 * c.conduction);
  const float share = c.conduction * scale;
  const float* __restrict__ const u = from.first;
  float* __restrict__ const next = to.first;
  for (int64_t i = 0; i < from.count; ++i)
    next[i] = right[i] * scale + share * (u[i - TOGETHER] + u[i + TOGETHER]);
  to.copy_ends();
}

double largest_residual(const Lines& lines, const float* right, Coefficients c) {
  const double conduction = c.conduction;
  const double diagonal = 1 + c.exchange + 2 * conduction;
  const float* const u = lines.first;
  double largest = 0;
  for (int64_t i = 0; i < lines.count; ++i) {
    const double sides = static_cast<double>(u[i - TOGETHER]) + u[i + TOGETHER];
    const double r = __builtin_fabs(right[i] + conduction * sides - diagonal * u[i]);
    if (r > largest) largest = r;
  }
  return largest;
}

// Memory for three sets of lines, freed with the launch.
struct Scratch {
  explicit Scratch(int64_t size) : data(new float[static_cast<size_t>(size)]) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { delete[] data; }
  float* data;
};

constexpr int not_converged = 2;
constexpr int most_sweeps = 100000;

// Sweeps from `old`, whose ends are copied, to `other` and back; returns the one with the result.
const Lines* solve(const Lines& old, const Lines& other, const float* right, Coefficients c) {
  const Lines* from = &old;
  const Lines* to = &other;
  for (int sweeps = 0; sweeps < most_sweeps;) {
    for (int s = 0; s < CHECK_EVERY; ++s, ++sweeps) {
      sweep(*from, *to, right, c);
      const Lines* const swept = to;
      to = from;
      from = swept;
    }
    if (!(largest_residual(*from, right, c) > c.residual)) return from;
  }
  return nullptr;
}

}  // namespace

int relax_until_converged(tunecheck::Tensor<FIELD_TYPE> field,
                          tunecheck::Tensor<SOURCE_TYPE> source, float conduction, float exchange,
                          float residual) {
  const int64_t lines = field.size(0);
  const int64_t points = field.size(1);
  if (points == 0) return 0;
  const Coefficients coefficients{conduction, exchange, residual};
  const int64_t count = points * TOGETHER;
  const Scratch scratch(3 * count + 4 * TOGETHER);
  float* const right = scratch.data;
  const Lines old{right + count + TOGETHER, count};
  const Lines other{old.first + count + 2 * TOGETHER, count};

  for (int64_t line = 0; line < lines; line += TOGETHER) {
    // A set that is not full is filled up with its last line.
    const int64_t last = lines - line < TOGETHER ? lines - line - 1 : TOGETHER - 1;
    for (int64_t p = 0; p < points; ++p)
      for (int64_t l = 0; l < TOGETHER; ++l) {
        const int64_t from = line + (l < last ? l : last);
        const float value = field(from, p);
        old.first[p * TOGETHER + l] = value;
        right[p * TOGETHER + l] = value + exchange * source(from, p);
      }
    old.copy_ends();
    const Lines* const solved = solve(old, other, right, coefficients);
    if (solved == nullptr) return not_converged;
    for (int64_t p = 0; p < points; ++p)
      for (int64_t l = 0; l <= last; ++l)
        field(line + l, p) = solved->first[p * TOGETHER + l];
  }
  return 0;
}
TUNECHECK_KERNEL(relax_until_converged)
