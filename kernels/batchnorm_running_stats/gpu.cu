// Batch normalization with running statistics. A block owns STRIP channels; its threads form
// row_lanes rows of STRIP, and each thread reads every row_lanes-th row of one channel, CHUNK of
// them at a time: their mean and squared deviations are merged into those of the rows before (Chan,
// Golub and LeVeque), and the row lanes are merged in the same way through shared memory.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = STRIP > 256 ? STRIP : 256;
constexpr int row_lanes = threads / STRIP;
static_assert(row_lanes * STRIP == threads, "each row lane has a thread for each channel");

struct Statistics {
  float count, mean, squares;

  __device__ void merge(const Statistics& other) {
    if (other.count == 0) return;
    const float all = count + other.count;
    const float weight = other.count / all;
    const float distance = other.mean - mean;
    mean += weight * distance;
    squares += other.squares + weight * count * distance * distance;
    count = all;
  }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    batchnorm_running_stats(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<WEIGHT_TYPE> weight,
                            tunecheck::Tensor<BIAS_TYPE> bias,
                            tunecheck::Tensor<RUNNING_MEAN_TYPE> running_mean,
                            tunecheck::Tensor<RUNNING_VAR_TYPE> running_var,
                            tunecheck::Tensor<Y_TYPE> y, float momentum, float eps) {
  __shared__ Statistics lanes[threads];
  const int64_t rows = x.size(0);
  if (rows == 0) return;
  const int thread = static_cast<int>(threadIdx.x);
  const int in_strip = thread % STRIP;
  const int lane = thread / STRIP;
  const int64_t c = static_cast<int64_t>(blockIdx.x) * STRIP + in_strip;
  const bool inside = c < x.size(1);

  Statistics total{0, 0, 0};
  if (inside) {
    for (int64_t first = lane; first < rows; first += row_lanes * CHUNK) {
      float values[CHUNK];
      Statistics chunk{0, 0, 0};
#pragma unroll
      for (int i = 0; i < CHUNK; ++i) {
        const int64_t r = first + i * row_lanes;
        if (r < rows) {
          values[i] = x(r, c);
          chunk.mean += values[i];
          chunk.count += 1;
        }
      }
      chunk.mean /= chunk.count;  // the first row of a chunk is always there
#pragma unroll
      for (int i = 0; i < CHUNK; ++i) {
        if (first + i * row_lanes < rows) {
          const float distance = values[i] - chunk.mean;
          chunk.squares += distance * distance;
        }
      }
      total.merge(chunk);
    }
  }
  lanes[thread] = total;
  __syncthreads();
  for (int half = row_lanes / 2; half > 0; half /= 2) {
    if (lane < half) lanes[thread].merge(lanes[thread + half * STRIP]);
    __syncthreads();
  }
  if (!inside) return;  // nobody waits any more

  total = lanes[in_strip];
  const float count = static_cast<float>(rows);
  const float scale = weight(c) * rsqrtf(total.squares / count + eps);
  const float shift = bias(c) - total.mean * scale;
  if (lane == 0) {
    const float unbiased = rows > 1 ? total.squares / static_cast<float>(rows - 1) : 0;
    running_mean(c) += momentum * (total.mean - running_mean(c));
    running_var(c) += momentum * (unbiased - running_var(c));
  }
  for (int64_t r = lane; r < rows; r += row_lanes)
    y(r, c) = x(r, c) * scale + shift;
}
