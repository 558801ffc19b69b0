// One block of threads for ROWS_PER_BLOCK rows. First the two sums of each row, with VEC columns of
// a thread in flight; then, column by column, dx of all these rows and their part of dgamma and
// dbeta, which is added atomically once a column.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 256;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    layernorm_backward(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<DY_TYPE> dy,
                       tunecheck::Tensor<GAMMA_TYPE> gamma, tunecheck::Tensor<MEAN_TYPE> mean,
                       tunecheck::Tensor<RSTD_TYPE> rstd, tunecheck::Tensor<DX_TYPE> dx,
                       tunecheck::Tensor<DGAMMA_TYPE> dgamma, tunecheck::Tensor<DBETA_TYPE> dbeta) {
  const int64_t cols = x.size(1);
  const int64_t first_row = static_cast<int64_t>(blockIdx.x) * ROWS_PER_BLOCK;
  const int64_t left = x.size(0) - first_row;
  const int rows = left < ROWS_PER_BLOCK ? static_cast<int>(left) : ROWS_PER_BLOCK;

  __shared__ float gradient_mean[ROWS_PER_BLOCK];
  __shared__ float product_mean[ROWS_PER_BLOCK];
#pragma unroll 1
  for (int r = 0; r < rows; ++r) {
    const int64_t row = first_row + r;
    const float center = mean(row);
    const float scale = rstd(row);
    float gradients[VEC] = {};
    float products[VEC] = {};
    for (int64_t first = threadIdx.x; first < cols; first += int64_t{threads} * VEC) {
#pragma unroll
      for (int v = 0; v < VEC; ++v) {
        const int64_t c = first + v * threads;
        if (c >= cols) continue;
        const float gradient = static_cast<float>(gamma(c)) * static_cast<float>(dy(row, c));
        gradients[v] += gradient;
        products[v] += gradient * ((static_cast<float>(x(row, c)) - center) * scale);
      }
    }
#pragma unroll
    for (int v = 1; v < VEC; ++v) {
      gradients[0] += gradients[v];
      products[0] += products[v];
    }
    const float count = static_cast<float>(cols);
    const float gradient = tunecheck::block_reduce<threads>(gradients[0], tunecheck::Sum());
    const float product = tunecheck::block_reduce<threads>(products[0], tunecheck::Sum());
    if (threadIdx.x == 0) {
      gradient_mean[r] = gradient / count;
      product_mean[r] = product / count;
    }
  }
  __syncthreads();  // all means are there

  for (int64_t c = threadIdx.x; c < cols; c += threads) {
    const float by = gamma(c);
    float gamma_part = 0;
    float beta_part = 0;
#pragma unroll 4
    for (int r = 0; r < rows; ++r) {
      const int64_t row = first_row + r;
      const float scale = rstd(row);
      const float upstream = dy(row, c);
      const float normalized = (static_cast<float>(x(row, c)) - mean(row)) * scale;
      dx(row, c) = scale * (by * upstream - gradient_mean[r] - normalized * product_mean[r]);
      gamma_part += upstream * normalized;
      beta_part += upstream;
    }
    atomicAdd(&dgamma(c), gamma_part);
    atomicAdd(&dbeta(c), beta_part);
  }
}
