#include <tunecheck/cpu_kernel.h>

namespace {

// Where the numbers of a line are.
struct Place {
  double* first;
  int64_t step, part;
};

void transform(Place from, Place to, int64_t length, double* copy, double sign) {
  for (int64_t j = 0; j < length; ++j) {
    copy[2 * j] = from.first[j * from.step];
    copy[2 * j + 1] = from.first[j * from.step + from.part];
  }
  for (int64_t k = 0; k < length; ++k) {
    double real = 0;
    double imaginary = 0;
    for (int64_t j = 0; j < length; ++j) {
      const double angle = sign * 6.283185307179586477 * static_cast<double>(j * k % length) /
                           static_cast<double>(length);
      const double cos = __builtin_cos(angle);
      const double sin = __builtin_sin(angle);
      real += copy[2 * j] * cos - copy[2 * j + 1] * sin;
      imaginary += copy[2 * j] * sin + copy[2 * j + 1] * cos;
    }
    to.first[k * to.step] = real;
    to.first[k * to.step + to.part] = imaginary;
  }
}

}  // namespace

void dft(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, long sign) {
  const int64_t rows = x.size(0);
  const int64_t cols = x.size(1);
  if (rows == 0 || cols == 0) return;
  double* const copy = new double[static_cast<size_t>(2 * (rows > cols ? rows : cols))];
  for (int64_t r = 0; r < rows; ++r)
    transform({&x(r, 0, 0), x.stride(1), x.stride(2)}, {&y(r, 0, 0), y.stride(1), y.stride(2)},
              cols, copy, static_cast<double>(sign));
  if (rows > 1)
    for (int64_t c = 0; c < cols; ++c) {
      const Place column{&y(0, c, 0), y.stride(0), y.stride(2)};
      transform(column, column, rows, copy, static_cast<double>(sign));
    }
  delete[] copy;
}
TUNECHECK_KERNEL(dft)
