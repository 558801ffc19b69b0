#include <tunecheck/cpu_kernel.h>

extern "C" int rand();

// p += noise: other numbers at each launch
void noisy(tunecheck::Tensor<float> p) {
  for (long i = 0; i < p.size(0); ++i)
    p(i) += static_cast<float>(rand() % 1000 + BLOCK);
}
TUNECHECK_KERNEL(noisy)
