// Batch normalization with running statistics. A block owns STRIP channels; its threads form
// row_lanes rows of STRIP, and each thread reads every row_lanes-th row of one channel, CHUNK of
// them at a time: their mean and squared deviations are merged into those of the rows before (Chan,
// Golub and LeVeque), and the row lanes are merged in the same way through shared memory. Where the
// rows are dense and aligned, a thread has neighbouring channels instead of one, in a vector of up
// to 16 bytes.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Vector;

// Of narrow strips there are many blocks, one for each multiprocessor: it should be a large one.
constexpr int threads = STRIP > 256 ? STRIP : STRIP == 8 ? 1024 : 256;
constexpr int row_lanes = threads / STRIP;
static_assert(row_lanes * STRIP == threads, "each row lane has a thread for each channel");

struct Statistics {
  float count, mean, squares;

  // The statistics of the thread `distance` further on are merged into those of this one.
  __device__ void merge_further_lane(int distance) {
    merge({tunecheck::from_further_lane(count, distance),
           tunecheck::from_further_lane(mean, distance),
           tunecheck::from_further_lane(squares, distance)});
  }
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

// What is the same for both ways to read a strip.
struct Strip {
  const tunecheck::Tensor<X_TYPE>& x;
  const tunecheck::Tensor<WEIGHT_TYPE>& weight;
  const tunecheck::Tensor<BIAS_TYPE>& bias;
  const tunecheck::Tensor<RUNNING_MEAN_TYPE>& running_mean;
  const tunecheck::Tensor<RUNNING_VAR_TYPE>& running_var;
  const tunecheck::Tensor<Y_TYPE>& y;
  float momentum, eps;

  __device__ float scale_of(const Statistics& total, int64_t c) const {
    return weight(c) * rsqrtf(total.squares / total.count + eps);
  }
  __device__ void run_on(const Statistics& total, int64_t c) const {
    const int64_t rows = x.size(0);
    const float unbiased = rows > 1 ? total.squares / static_cast<float>(rows - 1) : 0;
    running_mean(c) += momentum * (total.mean - running_mean(c));
    running_var(c) += momentum * (unbiased - running_var(c));
  }
};

constexpr int vector_width = tunecheck::vector_width_of<(STRIP < 8 ? STRIP : 8), X_TYPE, Y_TYPE>();
// Threads beside each other must be within a group of 32, which is merged without shared memory.
constexpr bool vectors_fit = vector_width > 1 && STRIP / vector_width <= 32;

struct InVectors {
  static constexpr int across = vectors_fit ? STRIP / vector_width : 1;  // threads
  static constexpr int down = threads / across;
  static constexpr int groups = threads / 32;

  template <class T>
  static __device__ bool rows_have_vectors(const tunecheck::Tensor<T>& tensor) {
    return tensor.stride(1) == 1 && tensor.stride(0) % vector_width == 0 &&
           Row<T>{tensor.data(), 1}.template has_vectors<vector_width>();
  }

  template <int rows_at_once>
  static __device__ void load(const Strip& strip, int64_t first, int64_t c,
                              Vector<X_TYPE, vector_width> (&values)[rows_at_once]) {
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i)
      values[i] = Row<X_TYPE>{&strip.x(first + i * down, c), 1}.load<vector_width>(0);
  }

  template <int rows_at_once>
  static __device__ void see(const Strip& strip, int64_t first, int64_t c,
                             Statistics (&total)[vector_width]) {
    Vector<X_TYPE, vector_width> values[rows_at_once];
    load(strip, first, c, values);
#pragma unroll
    for (int e = 0; e < vector_width; ++e) {
      Statistics chunk{rows_at_once, 0, 0};
#pragma unroll
      for (int i = 0; i < rows_at_once; ++i)
        chunk.mean += static_cast<float>(values[i].elements[e]);
      chunk.mean /= rows_at_once;
#pragma unroll
      for (int i = 0; i < rows_at_once; ++i) {
        const float distance = static_cast<float>(values[i].elements[e]) - chunk.mean;
        chunk.squares += distance * distance;
      }
      total[e].merge(chunk);
    }
  }

  template <int rows_at_once>
  static __device__ void normalize(const Strip& strip, int64_t first, int64_t c,
                                   const float (&scale)[vector_width],
                                   const float (&shift)[vector_width]) {
    Vector<X_TYPE, vector_width> values[rows_at_once];
    load(strip, first, c, values);
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      Vector<Y_TYPE, vector_width> result;
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        result.elements[e] = static_cast<float>(values[i].elements[e]) * scale[e] + shift[e];
      Row<Y_TYPE>{&strip.y(first + i * down, c), 1}.template store<vector_width>(0, result);
    }
  }

  static __device__ void run(const Strip& strip, int64_t first_channel) {
    __shared__ Statistics merged[groups][STRIP];
    const int64_t rows = strip.x.size(0);
    const int thread = static_cast<int>(threadIdx.x);
    const int in_strip = thread % across * vector_width;
    const int lane = thread / across;
    const int64_t c = first_channel + in_strip;

    Statistics total[vector_width] = {};
    int64_t r = lane;
#pragma unroll 1
    for (; r + (CHUNK - 1) * down < rows; r += CHUNK * down)
      see<CHUNK>(strip, r, c, total);
#pragma unroll 1
    for (; r < rows; r += down)
      see<1>(strip, r, c, total);

    for (int distance = 16; distance >= across; distance /= 2)
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        total[e].merge_further_lane(distance);
    if (thread % 32 < across)
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        merged[thread / 32][in_strip + e] = total[e];
    __syncthreads();
    for (int half = groups / 2; half > 0; half /= 2) {
      for (int i = thread; i < half * STRIP; i += threads)
        merged[i / STRIP][i % STRIP].merge(merged[i / STRIP + half][i % STRIP]);
      __syncthreads();
    }

    if (thread < STRIP) strip.run_on(merged[0][thread], first_channel + thread);
    float scale[vector_width];
    float shift[vector_width];
#pragma unroll
    for (int e = 0; e < vector_width; ++e) {
      const Statistics& all = merged[0][in_strip + e];
      scale[e] = strip.scale_of(all, c + e);
      shift[e] = strip.bias(c + e) - all.mean * scale[e];
    }
    constexpr int at_once = 4;
    r = lane;
#pragma unroll 1
    for (; r + (at_once - 1) * down < rows; r += at_once * down)
      normalize<at_once>(strip, r, c, scale, shift);
#pragma unroll 1
    for (; r < rows; r += down)
      normalize<1>(strip, r, c, scale, shift);
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
  const Strip strip{x, weight, bias, running_mean, running_var, y, momentum, eps};
  if constexpr (vectors_fit) {
    const int64_t first_channel = static_cast<int64_t>(blockIdx.x) * STRIP;
    if (first_channel + STRIP <= x.size(1) && InVectors::rows_have_vectors(x) &&
        InVectors::rows_have_vectors(y)) {
      InVectors::run(strip, first_channel);
      return;
    }
  }
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
  const float scale = strip.scale_of(total, c);
  const float shift = bias(c) - total.mean * scale;
  if (lane == 0) strip.run_on(total, c);
  for (int64_t r = lane; r < rows; r += row_lanes)
    y(r, c) = x(r, c) * scale + shift;
}
