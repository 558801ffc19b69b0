// grad_weight[index[t], :] += grad_out[t, :]. A block has BLOCK columns and takes tokens in batches
// of UNROLL. Where the rows lie so, a thread has four neighbouring columns, which one atomic
// addition updates where the device has that, and the threads beyond take other tokens; else a
// thread has one column. A thread loads a batch before it adds any of it, and adds tokens with the
// same row together in registers: an atomic addition to a row that repeats waits for the last.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Tensor;

// Adds the batches of this thread, one in `step` tokens from `first` on, to columns from `c` on.
template <int width>
__device__ void add_batches(const Tensor<GRAD_OUT_TYPE>& grad_out, const Tensor<INDEX_TYPE>& index,
                            const Tensor<GRAD_WEIGHT_TYPE>& grad_weight, int64_t first,
                            int64_t step, int64_t c) {
  const int64_t tokens = grad_out.size(0);
  const int64_t vocabulary = grad_weight.size(0);
  for (; first < tokens; first += step) {
    int64_t row[UNROLL];
    tunecheck::Vector<GRAD_OUT_TYPE, width> loaded[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      row[u] = first + u < tokens ? static_cast<int64_t>(index(first + u)) : -1;
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (row[u] >= vocabulary) row[u] = -1;
      if (row[u] >= 0)
        loaded[u] =
            tunecheck::Row<GRAD_OUT_TYPE>{&grad_out(first + u, c), 1}.template load_once<width>(0);
    }
    float sum[UNROLL][width];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int e = 0; e < width; ++e)
        sum[u][e] = loaded[u].elements[e];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (row[u] < 0) continue;
#pragma unroll
      for (int later = u + 1; later < UNROLL; ++later)
        if (row[later] == row[u]) {
#pragma unroll
          for (int e = 0; e < width; ++e)
            sum[u][e] += sum[later][e];
          row[later] = -1;
        }
      tunecheck::atomic_add_row<width>(&grad_weight(row[u], c), sum[u]);
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK)
    embedding_grad(Tensor<GRAD_OUT_TYPE> grad_out, Tensor<INDEX_TYPE> index,
                   Tensor<GRAD_WEIGHT_TYPE> grad_weight) {
  constexpr int width = 4;
  constexpr int across = BLOCK / width;
  const auto wide = static_cast<unsigned>((grad_out.size(1) + BLOCK - 1) / BLOCK);
  const unsigned down = gridDim.x / wide;
  const int64_t first_column = static_cast<int64_t>(blockIdx.x / down) * BLOCK;
  const int64_t step = static_cast<int64_t>(down) * UNROLL;
  const int64_t first = static_cast<int64_t>(blockIdx.x % down) * UNROLL;
  if (grad_out.size(1) % width == 0 && tunecheck::rows_have_vectors<width>(grad_out) &&
      tunecheck::rows_have_vectors<width>(grad_weight)) {
    const int64_t c = first_column + static_cast<int>(threadIdx.x) % across * width;
    if (c >= grad_out.size(1)) return;
    const int64_t lane = static_cast<int>(threadIdx.x) / across;
    add_batches<width>(grad_out, index, grad_weight, first + lane * step, step * width, c);
    return;
  }
  const int64_t c = first_column + threadIdx.x;
  if (c >= grad_out.size(1)) return;
  add_batches<1>(grad_out, index, grad_weight, first, step, c);
}
