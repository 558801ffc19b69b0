// One step of AdamW. A block of `threads` threads covers threads * VEC elements: vectors of up to
// 16 bytes where all tensors lie so and the block has all of its elements, else single elements, a
// few of a thread at a time. With PASSES 2 a thread updates the moments of all its elements before
// it asks for the first parameter, with 1 it asks for everything at once.
#include <tunecheck/gpu_rows.h>

#include "adamw.h"

namespace {

using tunecheck::Row;
using tunecheck::Vector;

constexpr int threads = 256;
constexpr int per_block = threads * VEC;
constexpr int vector_width =
    tunecheck::vector_width_of<VEC, PARAM_TYPE, FIRST_TYPE, SECOND_TYPE, GRAD_TYPE>();

// Every block needs the old step, and the launch advances it by one: the last block to come for it
// writes the new one. The upper bits of the counter hold how many blocks have come; they are zero
// before and after the launch. All are changed by atomics alone, so that no block sees the new
// step.
constexpr int step_bits = 40;

__device__ int64_t take_step(STEP_TYPE* step) {
  auto* const counter = reinterpret_cast<unsigned long long*>(step);
  constexpr unsigned long long one_block = 1ULL << step_bits;
  const unsigned long long seen = atomicAdd(counter, one_block);
  const unsigned long long old = seen & (one_block - 1);
  if (seen >> step_bits == gridDim.x - 1) atomicExch(counter, old + 1);
  return static_cast<int64_t>(old) + 1;
}

// The same for all threads of the block, which must all call it.
__device__ int64_t take_step_together(STEP_TYPE* step) {
  __shared__ int64_t taken;
  if (threadIdx.x == 0) taken = take_step(step);
  __syncthreads();
  return taken;
}

struct Rows {
  Row<PARAM_TYPE> param;
  Row<FIRST_TYPE> first;
  Row<SECOND_TYPE> second;
  Row<GRAD_TYPE> grad;

  __device__ bool have_vectors() const {
    return param.has_vectors<vector_width>() && first.has_vectors<vector_width>() &&
           second.has_vectors<vector_width>() && grad.has_vectors<vector_width>();
  }
};

// Of each thread, `columns` elements of the step that begins at `begin`.
template <int width, int columns, bool whole>
struct Elements {
  template <class T>
  using Columns = tunecheck::Columns<T, threads, width, columns, whole>;
  static constexpr int vectors = columns / width;
  Columns<PARAM_TYPE> param;
  Columns<FIRST_TYPE> first;
  Columns<SECOND_TYPE> second;
  Columns<GRAD_TYPE> grad;

  __device__ void load(const Rows& rows, int begin, int count) {
    grad.load(rows.grad, begin, count);
    first.load(rows.first, begin, count);
    second.load(rows.second, begin, count);
    if (PASSES == 1) param.load(rows.param, begin, count);
  }
  __device__ void update(const Rows& rows, int begin, int count, const Adamw& adamw) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int i = tunecheck::column_of<threads, width>(begin, v);
      if (!whole && i >= count) continue;
#pragma unroll
      for (int e = 0; e < width; ++e) {
        const float g = grad.loaded[v].elements[e];
        first.loaded[v].elements[e] = adamw.first(first.loaded[v].elements[e], g);
        second.loaded[v].elements[e] = adamw.second(second.loaded[v].elements[e], g);
      }
      rows.first.template store<width>(i, first.loaded[v]);
      rows.second.template store<width>(i, second.loaded[v]);
      if (PASSES == 1) update_param(rows, i, v, adamw);
    }
    if (PASSES == 1) return;
    param.load(rows.param, begin, count);
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int i = tunecheck::column_of<threads, width>(begin, v);
      if (whole || i < count) update_param(rows, i, v, adamw);
    }
  }

 private:
  __device__ void update_param(const Rows& rows, int i, int v, const Adamw& adamw) {
#pragma unroll
    for (int e = 0; e < width; ++e)
      param.loaded[v].elements[e] = adamw.param(
          param.loaded[v].elements[e], first.loaded[v].elements[e], second.loaded[v].elements[e]);
    rows.param.template store<width>(i, param.loaded[v]);
  }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    adamw_step(tunecheck::Tensor<PARAM_TYPE> param, tunecheck::Tensor<FIRST_TYPE> first,
               tunecheck::Tensor<SECOND_TYPE> second, tunecheck::Tensor<STEP_TYPE> step,
               tunecheck::Tensor<GRAD_TYPE> grad, float lr, float beta1, float beta2, float eps,
               float weight_decay) {
  static_assert(sizeof(STEP_TYPE) == sizeof(unsigned long long), "the step has 64 bits");
  const int64_t start = static_cast<int64_t>(blockIdx.x) * per_block;
  const int64_t left = param.size(0) - start;
  const Rows rows{tunecheck::row_from(param, start), tunecheck::row_from(first, start),
                  tunecheck::row_from(second, start), tunecheck::row_from(grad, start)};
  const auto adamw_of_step = [&] {
    return Adamw(take_step_together(step.data()), lr, beta1, beta2, eps, weight_decay);
  };
  if (left >= per_block && rows.have_vectors()) {
    Elements<vector_width, VEC, true> elements;
    elements.load(rows, 0, per_block);  // on their way while the block waits for its step
    elements.update(rows, 0, per_block, adamw_of_step());
    return;
  }
  constexpr int single = VEC < 4 ? VEC : 4;
  const Adamw adamw = adamw_of_step();
  const int count = left < per_block ? static_cast<int>(left) : per_block;
#pragma unroll 1
  for (int begin = 0; begin < count; begin += threads * single) {
    Elements<1, single, false> elements;
    elements.load(rows, begin, count);
    elements.update(rows, begin, count, adamw);
  }
}
