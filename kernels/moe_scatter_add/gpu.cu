// out[index[r], :] += weight[r] * x[r, :]. A block has BLOCK columns (512 at most) and takes rows
// in batches of 1 + AHEAD. Where the rows lie so, a thread has four neighbouring columns, which one
// atomic addition updates where the device has that, and the threads beyond take other rows; else a
// thread has one column. A thread loads a whole batch before it adds any of it. Rows of one token
// meet in the atomic additions; those within a batch are added up first. All rows are added to the
// columns of a block before the next columns begin: part of a token is then still in the cache when
// the token comes again.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Tensor;

constexpr int threads = BLOCK < 512 ? BLOCK : 512;
constexpr int batch = 1 + AHEAD;

// Adds the batches of this thread, one in `step` rows from `first` on, to columns from `c` on.
template <int width>
__device__ void add_batches(const Tensor<X_TYPE>& x, const Tensor<WEIGHT_TYPE>& weight,
                            const Tensor<INDEX_TYPE>& index, const Tensor<OUT_TYPE>& out,
                            int64_t first, int64_t step, int64_t c) {
  const int64_t rows = x.size(0);
  const int64_t tokens = out.size(0);
  for (; first < rows; first += step) {
    int64_t token[batch];
    float by[batch];
    tunecheck::Vector<X_TYPE, width> loaded[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b)
      token[b] = first + b < rows ? static_cast<int64_t>(index(first + b)) : -1;
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      if (token[b] >= tokens) token[b] = -1;
      if (token[b] < 0) continue;
      by[b] = weight(first + b);
      loaded[b] = tunecheck::Row<X_TYPE>{&x(first + b, c), 1}.template load_once<width>(0);
    }
    float sum[batch][width];
#pragma unroll
    for (int b = 0; b < batch; ++b)
#pragma unroll
      for (int e = 0; e < width; ++e)
        sum[b][e] = by[b] * static_cast<float>(loaded[b].elements[e]);
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      if (token[b] < 0) continue;
#pragma unroll
      for (int later = b + 1; later < batch; ++later)
        if (token[later] == token[b]) {
#pragma unroll
          for (int e = 0; e < width; ++e)
            sum[b][e] += sum[later][e];
          token[later] = -1;
        }
      tunecheck::atomic_add_row<width>(&out(token[b], c), sum[b]);
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    moe_scatter_add(Tensor<X_TYPE> x, Tensor<WEIGHT_TYPE> weight, Tensor<INDEX_TYPE> index,
                    Tensor<OUT_TYPE> out) {
  constexpr int width = 4;
  constexpr int across = threads / width;
  const auto wide = static_cast<unsigned>((x.size(1) + threads - 1) / threads);
  const unsigned down = gridDim.x / wide;
  const int64_t first_column = static_cast<int64_t>(blockIdx.x / down) * threads;
  const int64_t step = static_cast<int64_t>(down) * batch;
  const int64_t first = static_cast<int64_t>(blockIdx.x % down) * batch;
  if (x.size(1) % width == 0 && tunecheck::rows_have_vectors<width>(x) &&
      tunecheck::rows_have_vectors<width>(out)) {
    const int64_t c = first_column + static_cast<int>(threadIdx.x) % across * width;
    if (c >= x.size(1)) return;
    const int64_t lane = static_cast<int>(threadIdx.x) / across;
    add_batches<width>(x, weight, index, out, first + lane * step, step * width, c);
    return;
  }
  const int64_t c = first_column + threadIdx.x;
  if (c >= x.size(1)) return;
  add_batches<1>(x, weight, index, out, first, step, c);
}
