// out[index[r], :] += weight[r] * x[r, :]. A block has BLOCK columns (512 at most), one a thread,
// and takes rows in batches of 1 + AHEAD: a thread loads a whole batch before it adds any of it.
// Rows of one token meet in the atomic additions; those within a batch are added up first.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = BLOCK < 512 ? BLOCK : 512;
constexpr int batch = 1 + AHEAD;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    moe_scatter_add(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<WEIGHT_TYPE> weight,
                    tunecheck::Tensor<INDEX_TYPE> index, tunecheck::Tensor<OUT_TYPE> out) {
  const int64_t c = tunecheck::global_index();
  if (c >= x.size(1)) return;
  const int64_t rows = x.size(0);
  const int64_t tokens = out.size(0);
  const int64_t step = static_cast<int64_t>(gridDim.y) * batch;
  for (int64_t first = static_cast<int64_t>(blockIdx.y) * batch; first < rows; first += step) {
    int64_t token[batch];
    float sum[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      token[b] = first + b < rows ? static_cast<int64_t>(index(first + b)) : -1;
      if (token[b] >= tokens) token[b] = -1;
      sum[b] = token[b] >= 0 ? weight(first + b) * static_cast<float>(x(first + b, c)) : 0.0f;
    }
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      if (token[b] < 0) continue;
#pragma unroll
      for (int later = b + 1; later < batch; ++later)
        if (token[later] == token[b]) {
          sum[b] += sum[later];
          token[later] = -1;
        }
      atomicAdd(&out(token[b], c), sum[b]);
    }
  }
}
