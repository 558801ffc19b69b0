#include <tunecheck/cpu_kernel.h>

// p -= rate * g
void sgd(tunecheck::Tensor<float> p, tunecheck::Tensor<float> g, float rate) {
  const long size = p.size(0);
  for (long first = 0; first < size; first += BLOCK)
    for (long i = first; i < first + BLOCK && i < size; ++i)
      p(i) -= rate * g(i);
}
TUNECHECK_KERNEL(sgd)
