// sum += terms, WIDTH elements a thread. With FAILS=1 it traps after it has written.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void accumulate_restored(tunecheck::Tensor<SUM_TYPE> sum,
                                               tunecheck::Tensor<TERMS_TYPE> terms) {
  const int64_t n = sum.size(0);
  const int64_t first = tunecheck::global_index() * WIDTH;
  for (int64_t i = first; i < n && i < first + WIDTH; ++i)
    sum(i) += terms(i);
  if (FAILS) {
    __threadfence();
    tunecheck::trap();
  }
}
