// out[index[r], :] += weight[r] * x[r, :], BLOCK columns at a time. The token of a row lies
// anywhere, so the beginning of the token of the row that comes AHEAD rows later is asked for
// early.
#include <tunecheck/cpu_kernel.h>

namespace {

using Input = tunecheck::Tensor<X_TYPE>;
using Weight = tunecheck::Tensor<WEIGHT_TYPE>;
using Index = tunecheck::Tensor<INDEX_TYPE>;
using Output = tunecheck::Tensor<OUT_TYPE>;

// Where row r is added; nullptr where it has no token.
OUT_TYPE* token_of(const Index& index, const Output& out, int64_t r) {
  const int64_t token = index(r);
  return token >= 0 && token < out.size(0) ? &out(token, 0) : nullptr;
}

void ask_for(const OUT_TYPE* from, int64_t count) {
  constexpr int64_t line = 64 / sizeof(OUT_TYPE);
  for (int64_t c = 0; c < count && c < 8 * line; c += line)
    __builtin_prefetch(from + c, 1);
}

inline void add(const X_TYPE* __restrict__ x, float weight, OUT_TYPE* __restrict__ out,
                int64_t count) {
  for (int64_t c = 0; c < count; ++c)
    out[c] += weight * static_cast<float>(x[c]);
}

void add_contiguous(const Input& x, const Weight& weight, const Index& index, const Output& out) {
  const int64_t rows = x.size(0);
  const int64_t dim = x.size(1);
  for (int64_t first = 0; first < dim; first += BLOCK) {
    const int64_t width = dim - first < BLOCK ? dim - first : BLOCK;
    for (int64_t r = 0; r < rows; ++r) {
      if (AHEAD > 0 && r + AHEAD < rows) {
        const OUT_TYPE* const later = token_of(index, out, r + AHEAD);
        if (later != nullptr) ask_for(later + first, width);
      }
      OUT_TYPE* const token = token_of(index, out, r);
      if (token == nullptr) continue;
      if (width == BLOCK)
        add(&x(r, first), weight(r), token + first, BLOCK);
      else
        add(&x(r, first), weight(r), token + first, width);
    }
  }
}

}  // namespace

void moe_scatter_add(Input x, Weight weight, Index index, Output out) {
  if (x.stride(1) == 1 && out.stride(1) == 1) {
    add_contiguous(x, weight, index, out);
    return;
  }
  for (int64_t r = 0; r < x.size(0); ++r) {
    OUT_TYPE* const token = token_of(index, out, r);
    if (token == nullptr) continue;
    for (int64_t c = 0; c < x.size(1); ++c)
      token[c * out.stride(1)] += weight(r) * static_cast<float>(x(r, c));
  }
}
TUNECHECK_KERNEL(moe_scatter_add)
