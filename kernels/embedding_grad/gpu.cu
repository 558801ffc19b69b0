// grad_weight[index[t], :] += grad_out[t, :]. A block has BLOCK columns, one a thread, and takes
// tokens in batches of UNROLL. A thread loads a batch before it adds any of it, and adds tokens
// with the same row together in a register: an atomic addition to a row that repeats waits for the
// last.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void __launch_bounds__(BLOCK)
    embedding_grad(tunecheck::Tensor<GRAD_OUT_TYPE> grad_out, tunecheck::Tensor<INDEX_TYPE> index,
                   tunecheck::Tensor<GRAD_WEIGHT_TYPE> grad_weight) {
  const int64_t c = tunecheck::global_index();
  if (c >= grad_out.size(1)) return;
  const int64_t tokens = grad_out.size(0);
  const int64_t vocabulary = grad_weight.size(0);
  const int64_t step = static_cast<int64_t>(gridDim.y) * UNROLL;
  for (int64_t first = static_cast<int64_t>(blockIdx.y) * UNROLL; first < tokens; first += step) {
    int64_t row[UNROLL];
    float sum[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      row[u] = first + u < tokens ? static_cast<int64_t>(index(first + u)) : -1;
      if (row[u] >= vocabulary) row[u] = -1;
      sum[u] = row[u] >= 0 ? static_cast<float>(grad_out(first + u, c)) : 0.0f;
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (row[u] < 0) continue;
#pragma unroll
      for (int later = u + 1; later < UNROLL; ++later)
        if (row[later] == row[u]) {
          sum[u] += sum[later];
          row[later] = -1;
        }
      atomicAdd(&grad_weight(row[u], c), sum[u]);
    }
  }
}
