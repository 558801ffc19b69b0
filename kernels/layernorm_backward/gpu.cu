// One block of threads for ROWS_PER_BLOCK rows: every gridDim.x-th, so that all blocks together
// move through neighbouring memory. Where the rows can be moved in vectors of up to 16 bytes and
// have no more than threads * VEC columns, x and dy are read once, and the next row is on its way:
// a thread keeps its VEC columns of a row in registers, and its parts of dgamma and dbeta until all
// rows are done. Else the sums of each row come first, a few columns of a thread at a time; then,
// column by column, dx of all these rows and their part of dgamma and dbeta. Those are added
// atomically once a column, four columns at once where that can be.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Tensor;
using tunecheck::Vector;

constexpr int threads = 256;
constexpr int width = tunecheck::vector_width_of<VEC, X_TYPE, DY_TYPE, GAMMA_TYPE, DX_TYPE>();

// Of a row: gamma * dy, and that times the normalized x.
struct Sums {
  float gradient, product;
};

// The sums of all threads; `values` must not be those of the call before.
__device__ Sums block_sums(Sums sums, Sums* values) {
  constexpr int lanes = 32;
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    sums.gradient += tunecheck::from_further_lane(sums.gradient, distance);
    sums.product += tunecheck::from_further_lane(sums.product, distance);
  }
  if (threadIdx.x % lanes == 0) values[threadIdx.x / lanes] = sums;
  __syncthreads();
  Sums all = values[0];
#pragma unroll
  for (int group = 1; group < threads / lanes; ++group) {
    all.gradient += values[group].gradient;
    all.product += values[group].product;
  }
  return all;
}

template <class T, bool whole>
using Columns = tunecheck::Columns<T, threads, width, VEC, whole>;

constexpr int added = width % 4 == 0 ? 4 : 1;  // columns that are added at once

// In shared memory, for whichever way the rows are gone through.
struct Memory {
  alignas(16) X_TYPE x[threads * VEC];
  alignas(16) DY_TYPE dy[threads * VEC];
  Sums sums[2][threads / 32];  // in turn, so that a row needs one barrier
};

// The rows of this block.
struct BlockRows {
  int count;
  __device__ explicit BlockRows(int64_t rows)
      : count(static_cast<int>((rows - blockIdx.x + gridDim.x - 1) / gridDim.x)) {}
  __device__ int64_t operator[](int r) const {
    return blockIdx.x + static_cast<int64_t>(r) * gridDim.x;
  }
};

// Calls use(v, e, number) for each element e of each vector v of this thread.
template <bool whole, class Use>
__device__ void for_each_element(int cols, Use use) {
#pragma unroll
  for (int v = 0; v < VEC / width; ++v) {
    if (!whole && tunecheck::column_of<threads, width>(0, v) >= cols) continue;
#pragma unroll
    for (int e = 0; e < width; ++e)
      use(v, e, v * width + e);
  }
}

template <bool whole>
__device__ void rows_in_registers(const Tensor<X_TYPE>& x, const Tensor<DY_TYPE>& dy,
                                  const Tensor<GAMMA_TYPE>& gamma, const Tensor<MEAN_TYPE>& mean,
                                  const Tensor<RSTD_TYPE>& rstd, const Tensor<DX_TYPE>& dx,
                                  const Tensor<DGAMMA_TYPE>& dgamma,
                                  const Tensor<DBETA_TYPE>& dbeta, BlockRows rows, Memory& memory) {
  tunecheck::ColumnsAhead<X_TYPE, threads, width, VEC, whole> x_ahead(memory.x);
  tunecheck::ColumnsAhead<DY_TYPE, threads, width, VEC, whole> dy_ahead(memory.dy);
  const int cols = static_cast<int>(x.size(1));
  const float count = static_cast<float>(cols);
  float gamma_part[VEC] = {};
  float beta_part[VEC] = {};
  float next_center = 0;
  float next_scale = 0;
  const auto ask = [&](int r) {
    if (r >= rows.count) return;
    const int64_t row = rows[r];
    x_ahead.ask({&x(row, 0), 1}, cols);
    dy_ahead.ask({&dy(row, 0), 1}, cols);
    next_center = mean(row);
    next_scale = rstd(row);
  };
  ask(0);
#pragma unroll 1
  for (int r = 0; r < rows.count; ++r) {
    Columns<GAMMA_TYPE, whole> scales;  // out of a cache; to keep them would take registers
    scales.load(tunecheck::row_from(gamma, 0), 0, cols);
    Columns<X_TYPE, whole> inputs;
    Columns<DY_TYPE, whole> upstreams;
    x_ahead.take(inputs);
    dy_ahead.take(upstreams);
    const float center = next_center;
    const float scale = next_scale;
    ask(r + 1);
    float gradients[VEC];
    const auto normalized = [&](int v, int e) {
      return (static_cast<float>(inputs.loaded[v].elements[e]) - center) * scale;
    };
    Sums sums{0, 0};
    for_each_element<whole>(cols, [&](int v, int e, int number) {
      const float upstream = upstreams.loaded[v].elements[e];
      const float gradient = static_cast<float>(scales.loaded[v].elements[e]) * upstream;
      gradients[number] = gradient;
      const float value = normalized(v, e);
      sums.gradient += gradient;
      sums.product += gradient * value;
      gamma_part[number] += upstream * value;
      beta_part[number] += upstream;
    });
    sums = block_sums(sums, memory.sums[r % 2]);
    const float gradient_mean = sums.gradient / count;
    const float product_mean = sums.product / count;
    const Row<DX_TYPE> to{&dx(rows[r], 0), 1};
#pragma unroll
    for (int v = 0; v < VEC / width; ++v) {
      const int c = tunecheck::column_of<threads, width>(0, v);
      if (!whole && c >= cols) continue;
      Vector<DX_TYPE, width> result;
#pragma unroll
      for (int e = 0; e < width; ++e)
        result.elements[e] =
            scale * (gradients[v * width + e] - gradient_mean - normalized(v, e) * product_mean);
      to.template store<width>(c, result);
    }
  }
#pragma unroll
  for (int number = 0; number < VEC; number += added) {
    const int c = tunecheck::column_of<threads, width>(0, number / width) + number % width;
    if (!whole && c >= cols) continue;
    float of_gamma[added];
    float of_beta[added];
#pragma unroll
    for (int e = 0; e < added; ++e) {
      of_gamma[e] = gamma_part[number + e];
      of_beta[e] = beta_part[number + e];
    }
    tunecheck::atomic_add_row(&dgamma(c), of_gamma);
    tunecheck::atomic_add_row(&dbeta(c), of_beta);
  }
}

__device__ void rows_read_twice(const Tensor<X_TYPE>& x, const Tensor<DY_TYPE>& dy,
                                const Tensor<GAMMA_TYPE>& gamma, const Tensor<MEAN_TYPE>& mean,
                                const Tensor<RSTD_TYPE>& rstd, const Tensor<DX_TYPE>& dx,
                                const Tensor<DGAMMA_TYPE>& dgamma, const Tensor<DBETA_TYPE>& dbeta,
                                BlockRows rows, Memory& memory) {
  constexpr int at_once = VEC < 4 ? VEC : 4;  // more would take registers that vectors do not need
  __shared__ Sums means[ROWS_PER_BLOCK];
  const int64_t cols = x.size(1);
#pragma unroll 1
  for (int r = 0; r < rows.count; ++r) {
    const int64_t row = rows[r];
    const float center = mean(row);
    const float scale = rstd(row);
    Sums sums{0, 0};
    for (int64_t first = threadIdx.x; first < cols; first += int64_t{threads} * at_once) {
      float gradients[at_once];
      float inputs[at_once];
#pragma unroll
      for (int v = 0; v < at_once; ++v) {
        const int64_t c = first + v * threads;
        const bool inside = c < cols;
        gradients[v] =
            inside ? static_cast<float>(gamma(c)) * static_cast<float>(dy(row, c)) : 0.0f;
        inputs[v] = inside ? static_cast<float>(x(row, c)) : 0.0f;
      }
#pragma unroll
      for (int v = 0; v < at_once; ++v) {
        sums.gradient += gradients[v];
        sums.product += gradients[v] * ((inputs[v] - center) * scale);
      }
    }
    sums = block_sums(sums, memory.sums[r % 2]);
    const float count = static_cast<float>(cols);
    if (threadIdx.x == 0) means[r] = {sums.gradient / count, sums.product / count};
  }
  __syncthreads();  // all means are there

  for (int64_t c = threadIdx.x; c < cols; c += threads) {
    const float by = gamma(c);
    float gamma_part = 0;
    float beta_part = 0;
#pragma unroll 4
    for (int r = 0; r < rows.count; ++r) {
      const int64_t row = rows[r];
      const float scale = rstd(row);
      const float upstream = dy(row, c);
      const float normalized = (static_cast<float>(x(row, c)) - mean(row)) * scale;
      dx(row, c) = scale * (by * upstream - means[r].gradient - normalized * means[r].product);
      gamma_part += upstream * normalized;
      beta_part += upstream;
    }
    atomicAdd(&dgamma(c), gamma_part);
    atomicAdd(&dbeta(c), beta_part);
  }
}

// True where every row lies side by side and can be read or written in vectors.
template <class T>
__device__ bool rows_have_vectors(const Tensor<T>& tensor) {
  return tensor.stride(1) == 1 && tunecheck::rows_have_vectors<width>(tensor);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads, VEC < 16 ? 4 : 2)
    layernorm_backward(Tensor<X_TYPE> x, Tensor<DY_TYPE> dy, Tensor<GAMMA_TYPE> gamma,
                       Tensor<MEAN_TYPE> mean, Tensor<RSTD_TYPE> rstd, Tensor<DX_TYPE> dx,
                       Tensor<DGAMMA_TYPE> dgamma, Tensor<DBETA_TYPE> dbeta) {
  constexpr int step = threads * VEC;
  const int64_t cols = x.size(1);
  const BlockRows rows(x.size(0));
  const bool vectors = cols % width == 0 && cols <= step && rows_have_vectors(x) &&
                       rows_have_vectors(dy) && rows_have_vectors(dx) &&
                       tunecheck::row_from(gamma, 0).template has_vectors<width>() &&
                       tunecheck::row_from(dgamma, 0).template has_vectors<added>() &&
                       tunecheck::row_from(dbeta, 0).template has_vectors<added>();
  __shared__ Memory memory;
  if (!vectors)
    rows_read_twice(x, dy, gamma, mean, rstd, dx, dgamma, dbeta, rows, memory);
  else if (cols == step)
    rows_in_registers<true>(x, dy, gamma, mean, rstd, dx, dgamma, dbeta, rows, memory);
  else
    rows_in_registers<false>(x, dy, gamma, mean, rstd, dx, dgamma, dbeta, rows, memory);
}
