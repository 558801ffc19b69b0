// sum += terms, WIDTH elements at a time. With FAILS=1 it says, after it has written all of sum,
// that it asks for more than the device has.
#include <tunecheck/cpu_kernel.h>

int accumulate_restored(tunecheck::Tensor<SUM_TYPE> sum, tunecheck::Tensor<TERMS_TYPE> terms) {
  const int64_t n = sum.size(0);
  int64_t i = 0;
  for (; i + WIDTH <= n; i += WIDTH) {
    SUM_TYPE part[WIDTH];
    for (int w = 0; w < WIDTH; ++w)
      part[w] = sum(i + w) + terms(i + w);
    for (int w = 0; w < WIDTH; ++w)
      sum(i + w) = part[w];
  }
  for (; i < n; ++i)
    sum(i) += terms(i);
  return FAILS ? tunecheck::launch_out_of_resources : 0;
}
TUNECHECK_KERNEL(accumulate_restored)
