// grad_weight[index[t], :] += grad_out[t, :], BLOCK columns at a time. Tokens are taken UNROLL at a
// time, and their rows, which lie anywhere, are asked for before the tokens in front of them are
// added: the cache then fetches several rows at once.
#include <tunecheck/cpu_kernel.h>

namespace {

using Out = tunecheck::Tensor<GRAD_OUT_TYPE>;
using Index = tunecheck::Tensor<INDEX_TYPE>;
using Weight = tunecheck::Tensor<GRAD_WEIGHT_TYPE>;

// The row of token t; nullptr where it has none.
GRAD_WEIGHT_TYPE* row_of(const Index& index, const Weight& grad_weight, int64_t t) {
  const int64_t row = index(t);
  return row >= 0 && row < grad_weight.size(0) ? &grad_weight(row, 0) : nullptr;
}

inline void add_block(const GRAD_OUT_TYPE* __restrict__ from, GRAD_WEIGHT_TYPE* __restrict__ to) {
  for (int c = 0; c < BLOCK; ++c)
    to[c] += static_cast<float>(from[c]);
}

void add_contiguous(const Out& grad_out, const Index& index, const Weight& grad_weight) {
  const int64_t tokens = grad_out.size(0);
  const int64_t dim = grad_out.size(1);
  constexpr int64_t line = 64 / sizeof(GRAD_WEIGHT_TYPE);
  for (int64_t first = 0; first < dim; first += BLOCK) {
    const int64_t width = dim - first < BLOCK ? dim - first : BLOCK;
    GRAD_WEIGHT_TYPE* next[UNROLL];
    for (int64_t u = 0; u < UNROLL; ++u)
      next[u] = u < tokens ? row_of(index, grad_weight, u) : nullptr;
    for (int64_t t = 0; t < tokens; t += UNROLL) {
      GRAD_WEIGHT_TYPE* rows[UNROLL];
      for (int64_t u = 0; u < UNROLL; ++u) {
        const int64_t later = t + UNROLL + u;
        rows[u] = next[u];
        next[u] = later < tokens ? row_of(index, grad_weight, later) : nullptr;
        if (UNROLL > 1 && next[u] != nullptr)
          for (int64_t c = 0; c < width && c < 4 * line; c += line)
            __builtin_prefetch(next[u] + first + c, 1);
      }
      for (int64_t u = 0; u < UNROLL; ++u) {
        if (rows[u] == nullptr) continue;
        const GRAD_OUT_TYPE* const from = &grad_out(t + u, first);
        GRAD_WEIGHT_TYPE* const to = rows[u] + first;
        if (width == BLOCK)
          add_block(from, to);
        else
          for (int64_t c = 0; c < width; ++c)
            to[c] += static_cast<float>(from[c]);
      }
    }
  }
}

}  // namespace

void embedding_grad(Out grad_out, Index index, Weight grad_weight) {
  if (grad_out.stride(1) == 1 && grad_weight.stride(1) == 1) {
    add_contiguous(grad_out, index, grad_weight);
    return;
  }
  for (int64_t t = 0; t < grad_out.size(0); ++t) {
    GRAD_WEIGHT_TYPE* const row = row_of(index, grad_weight, t);
    if (row == nullptr) continue;
    for (int64_t c = 0; c < grad_out.size(1); ++c)
      row[c * grad_weight.stride(1)] += static_cast<float>(grad_out(t, c));
  }
}
TUNECHECK_KERNEL(embedding_grad)
