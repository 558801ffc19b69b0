// Softmax of each row in place, with maxima and sums in LANES independent lanes. With KEEP the
// exponentials wait in memory for their sum: in x where it is precise enough, otherwise in a row of
// floats. Without it they are computed twice.
#include <tunecheck/cpu_kernel.h>

#include "exponential.h"

namespace {

// One row; `unit` says at compile time that its elements lie side by side.
template <class T, bool unit>
struct Row {
  T* data;
  int64_t step;
  T& operator[](int64_t column) const { return data[unit ? column : column * step]; }
};

// Memory for a row of floats, freed with the launch.
struct Scratch {
  explicit Scratch(int64_t size) : data(new float[static_cast<size_t>(size)]) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { delete[] data; }
  float* data;
};

// The comparison is true for a NaN, so that one in the row comes through.
float larger(float a, float b) {
  return !(a >= b) ? b : a;
}

template <class Values>
float largest(Values x, int64_t cols) {
  float lanes[LANES];
  for (int l = 0; l < LANES; ++l)
    lanes[l] = -__builtin_inff();
  int64_t c = 0;
  for (; c + LANES <= cols; c += LANES)
    for (int l = 0; l < LANES; ++l)
      lanes[l] = larger(lanes[l], x[c + l]);
  for (; c < cols; ++c)
    lanes[0] = larger(lanes[0], x[c]);
  for (int l = 1; l < LANES; ++l)
    lanes[0] = larger(lanes[0], lanes[l]);
  return lanes[0];
}

// The sum of exp(x - shift); each term is also put where `keep` says.
template <class Values, class Keep>
float sum_exponentials(Values x, int64_t cols, float shift, Keep keep) {
  float lanes[LANES] = {};
  int64_t c = 0;
  for (; c + LANES <= cols; c += LANES) {
    float terms[LANES];
    for (int l = 0; l < LANES; ++l)
      terms[l] = exponential(x[c + l] - shift);
    for (int l = 0; l < LANES; ++l)
      lanes[l] += terms[l];
    for (int l = 0; l < LANES; ++l)
      keep(c + l, terms[l]);
  }
  for (; c < cols; ++c) {
    const float term = exponential(x[c] - shift);
    lanes[0] += term;
    keep(c, term);
  }
  for (int l = 1; l < LANES; ++l)
    lanes[0] += lanes[l];
  return lanes[0];
}

template <bool unit>
void softmax_rows(tunecheck::Tensor<X_TYPE> x) {
  constexpr bool precise = sizeof(X_TYPE) >= sizeof(float);
  const int64_t cols = x.size(1);
  const Scratch scratch(KEEP && !precise ? cols : 0);
  float* const kept = scratch.data;
  for (int64_t r = 0; r < x.size(0); ++r) {
    const Row<X_TYPE, unit> row{&x(r, 0), x.stride(1)};
    const float shift = largest(row, cols);
    if constexpr (!KEEP) {
      const float scale = 1 / sum_exponentials(row, cols, shift, [](int64_t, float) {});
      for (int64_t c = 0; c < cols; ++c)
        row[c] = static_cast<X_TYPE>(exponential(row[c] - shift) * scale);
    } else if constexpr (precise) {
      const auto keep = [&](int64_t c, float term) { row[c] = static_cast<X_TYPE>(term); };
      const float scale = 1 / sum_exponentials(row, cols, shift, keep);
      for (int64_t c = 0; c < cols; ++c)
        row[c] *= scale;
    } else {
      const auto keep = [&](int64_t c, float term) { kept[c] = term; };
      const float scale = 1 / sum_exponentials(row, cols, shift, keep);
      for (int64_t c = 0; c < cols; ++c)
        row[c] = static_cast<X_TYPE>(kept[c] * scale);
    }
  }
}

}  // namespace

void softmax_inplace(tunecheck::Tensor<X_TYPE> x) {
  if (x.size(1) == 0) return;
  if (x.stride(1) == 1)
    softmax_rows<true>(x);
  else
    softmax_rows<false>(x);
}
TUNECHECK_KERNEL(softmax_inplace)
