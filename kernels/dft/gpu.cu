// One block transforms line after line, rows first and then columns, each by the sum as it is
// defined: the line is copied to shared memory, so that it may be overwritten. With TABLE its
// powers lie there too; RADIX terms of the sum are taken at a time.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 256;

__device__ void power(double sign, int64_t j, int64_t length, double& real, double& imaginary) {
  const double turn = 2 * sign * static_cast<double>(j) / static_cast<double>(length);
  sincospi(turn, &imaginary, &real);
}

__device__ void transform(const double* from, int64_t from_step, int64_t from_part, double* to,
                          int64_t to_step, int64_t to_part, int64_t length, double sign,
                          double* line) {
  double* const powers = line + 2 * length;
  for (int64_t j = threadIdx.x; j < length; j += threads) {
    line[2 * j] = from[j * from_step];
    line[2 * j + 1] = from[j * from_step + from_part];
    if (TABLE != 0) power(sign, j, length, powers[2 * j], powers[2 * j + 1]);
  }
  __syncthreads();
  for (int64_t k = threadIdx.x; k < length; k += threads) {
    double real = 0;
    double imaginary = 0;
#pragma unroll RADIX
    for (int64_t j = 0; j < length; ++j) {
      double cos, sin;
      const int64_t at = j * k % length;
      if (TABLE != 0) {
        cos = powers[2 * at];
        sin = powers[2 * at + 1];
      } else {
        power(sign, at, length, cos, sin);
      }
      real += line[2 * j] * cos - line[2 * j + 1] * sin;
      imaginary += line[2 * j] * sin + line[2 * j + 1] * cos;
    }
    to[k * to_step] = real;
    to[k * to_step + to_part] = imaginary;
  }
  __syncthreads();
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    dft(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, int64_t sign) {
  extern __shared__ double line[];
  const int64_t rows = x.size(0);
  const int64_t cols = x.size(1);
  if (rows == 0 || cols == 0) return;
  for (int64_t r = 0; r < rows; ++r)
    transform(&x(r, 0, 0), x.stride(1), x.stride(2), &y(r, 0, 0), y.stride(1), y.stride(2), cols,
              static_cast<double>(sign), line);
  if (rows == 1) return;
  for (int64_t c = 0; c < cols; ++c)
    transform(&y(0, c, 0), y.stride(0), y.stride(2), &y(0, c, 0), y.stride(0), y.stride(2), rows,
              static_cast<double>(sign), line);
}
