// One step of AdamW. A block of `threads` threads covers threads * VEC elements; neighbouring
// threads take neighbouring ones. With PASSES 2 a thread updates the moments of all its elements
// before the first parameter, with 1 each element is finished before the next.
#include <tunecheck/gpu_kernel.h>

#include "adamw.h"

namespace {

constexpr int threads = 256;

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

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    adamw_step(tunecheck::Tensor<PARAM_TYPE> param, tunecheck::Tensor<FIRST_TYPE> first,
               tunecheck::Tensor<SECOND_TYPE> second, tunecheck::Tensor<STEP_TYPE> step,
               tunecheck::Tensor<GRAD_TYPE> grad, float lr, float beta1, float beta2, float eps,
               float weight_decay) {
  static_assert(sizeof(STEP_TYPE) == sizeof(unsigned long long), "the step has 64 bits");
  __shared__ int64_t this_step;
  if (threadIdx.x == 0) this_step = take_step(step.data());
  __syncthreads();
  const Adamw adamw(this_step, lr, beta1, beta2, eps, weight_decay);

  const int64_t n = param.size(0);
  const int64_t begin = static_cast<int64_t>(blockIdx.x) * threads * VEC + threadIdx.x;
  float mean[VEC], square[VEC];
#pragma unroll
  for (int v = 0; v < VEC; ++v) {
    const int64_t i = begin + v * threads;
    if (i >= n) break;
    const float g = grad(i);
    mean[v] = adamw.first(first(i), g);
    square[v] = adamw.second(second(i), g);
    first(i) = mean[v];
    second(i) = square[v];
    if (PASSES == 1) param(i) = adamw.param(param(i), mean[v], square[v]);
  }
  if constexpr (PASSES == 2) {
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
      const int64_t i = begin + v * threads;
      if (i >= n) break;
      param(i) = adamw.param(param(i), mean[v], square[v]);
    }
  }
}
