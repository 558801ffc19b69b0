// y = alpha * x + y. A block of BLOCK threads covers BLOCK * UNROLL elements: vectors of up to 16
// bytes where both tensors lie so and the block has all of its elements, which a thread asks for
// before it uses the first; else single elements, a few of a thread at a time.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using Number = decltype(Y_TYPE() + float());  // float for the types that only store

constexpr int per_block = BLOCK * UNROLL;
constexpr int vector_width = tunecheck::vector_width_of<UNROLL, X_TYPE, Y_TYPE>();

// Of each thread, `columns` elements of the step that begins at `begin`.
template <int width, int columns, bool whole>
__device__ void add(Row<X_TYPE> x, Row<Y_TYPE> y, int begin, int count, Number alpha) {
  tunecheck::Columns<X_TYPE, BLOCK, width, columns, whole> added;
  tunecheck::Columns<Y_TYPE, BLOCK, width, columns, whole> sums;
  added.load(x, begin, count);
  sums.load(y, begin, count);
#pragma unroll
  for (int v = 0; v < columns / width; ++v) {
    const int i = tunecheck::column_of<BLOCK, width>(begin, v);
    if (!whole && i >= count) continue;
#pragma unroll
    for (int e = 0; e < width; ++e) {
      Y_TYPE& sum = sums.loaded[v].elements[e];
      sum = static_cast<Y_TYPE>(static_cast<Number>(sum) +
                                alpha * static_cast<Number>(added.loaded[v].elements[e]));
    }
    y.template store<width>(i, sums.loaded[v]);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCK)
    axpy_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, float alpha) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * per_block;
  const int64_t left = y.size(0) - first;
  const Row<X_TYPE> from = tunecheck::row_from(x, first);
  const Row<Y_TYPE> to = tunecheck::row_from(y, first);
  if (left >= per_block && from.has_vectors<vector_width>() && to.has_vectors<vector_width>()) {
    add<vector_width, UNROLL, true>(from, to, 0, per_block, alpha);
    return;
  }
  // More elements at once would take registers that the vectors do not need.
  constexpr int single = UNROLL < 4 ? UNROLL : 4;
  const int count = left < per_block ? static_cast<int>(left) : per_block;
#pragma unroll 1
  for (int begin = 0; begin < count; begin += BLOCK * single)
    add<1, single, false>(from, to, begin, count, alpha);
}
