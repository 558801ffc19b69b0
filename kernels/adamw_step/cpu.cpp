// One step of AdamW, VEC elements in registers at a time. With PASSES 2 the moments of `tile`
// elements are updated before the parameters, which keeps fewer streams open; with 1 all at once.
#include <tunecheck/cpu_kernel.h>

#include "adamw.h"

namespace {

constexpr int64_t tile = 1024;

struct Pointers {
  PARAM_TYPE* param;
  float* first;
  float* second;
  const GRAD_TYPE* grad;
};

// All loads of a step come before its stores: the compiler need not know that the tensors are
// apart.
template <int count, bool moments, bool params>
void update(Pointers p, int64_t at, const Adamw& adamw) {
  float first[count], second[count];
  __builtin_memcpy(first, p.first + at, sizeof first);
  __builtin_memcpy(second, p.second + at, sizeof second);
  if constexpr (moments) {
    for (int i = 0; i < count; ++i) {
      const float grad = p.grad[at + i];
      first[i] = adamw.first(first[i], grad);
      second[i] = adamw.second(second[i], grad);
    }
  }
  PARAM_TYPE param[count];
  if constexpr (params)
    for (int i = 0; i < count; ++i)
      param[i] = static_cast<PARAM_TYPE>(adamw.param(p.param[at + i], first[i], second[i]));
  if constexpr (moments) {
    __builtin_memcpy(p.first + at, first, sizeof first);
    __builtin_memcpy(p.second + at, second, sizeof second);
  }
  if constexpr (params) __builtin_memcpy(p.param + at, param, sizeof param);
  // Keeps the steps apart: how many elements are in registers at a time is for the config to say.
  asm volatile("" ::: "memory");
}

template <bool moments, bool params>
void update_range(Pointers p, int64_t begin, int64_t end, const Adamw adamw) {
  int64_t i = begin;
  for (; i + VEC <= end; i += VEC)
    update<VEC, moments, params>(p, i, adamw);
  for (; i < end; ++i)
    update<1, moments, params>(p, i, adamw);
}

}  // namespace

void adamw_step(tunecheck::Tensor<PARAM_TYPE> param, tunecheck::Tensor<FIRST_TYPE> first,
                tunecheck::Tensor<SECOND_TYPE> second, tunecheck::Tensor<STEP_TYPE> step,
                tunecheck::Tensor<GRAD_TYPE> grad, float lr, float beta1, float beta2, float eps,
                float weight_decay) {
  const int64_t n = param.size(0);
  step(0) += 1;
  const Adamw adamw(step(0), lr, beta1, beta2, eps, weight_decay);
  if (param.stride(0) == 1 && first.stride(0) == 1 && second.stride(0) == 1 &&
      grad.stride(0) == 1) {
    const Pointers p{param.data(), first.data(), second.data(), grad.data()};
    for (int64_t i = 0; i < n; i += tile) {
      const int64_t end = n - i < tile ? n : i + tile;
      if constexpr (PASSES == 2) {
        update_range<true, false>(p, i, end, adamw);
        update_range<false, true>(p, i, end, adamw);
      } else {
        update_range<true, true>(p, i, end, adamw);
      }
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    first(i) = adamw.first(first(i), grad(i));
    second(i) = adamw.second(second(i), grad(i));
    param(i) = static_cast<PARAM_TYPE>(adamw.param(param(i), first(i), second(i)));
  }
}
TUNECHECK_KERNEL(adamw_step)
