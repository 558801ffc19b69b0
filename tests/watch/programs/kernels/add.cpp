#include <tunecheck/cpu_kernel.h>

// sum += x
void add(tunecheck::Tensor<float> sum, tunecheck::Tensor<float> x) {
  const long size = x.size(0);
  for (long first = 0; first < size; first += BLOCK)
    for (long i = first; i < first + BLOCK && i < size; ++i)
      sum(i) += x(i);
}
TUNECHECK_KERNEL(add)
