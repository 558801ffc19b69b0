#include <tunecheck/cpu_kernel.h>

// y(0) = the sum of x, by 32 / BLOCK parts that stand in `work` meanwhile
void parts(tunecheck::Tensor<float> y, tunecheck::Tensor<float> x, tunecheck::Tensor<float> work) {
  const long count = 32 / BLOCK;
  for (long part = 0; part < count; ++part) {
    work(part) = 0;
    for (long i = part; i < x.size(0); i += count)
      work(part) += x(i);
  }
  y(0) = 0;
  for (long part = 0; part < count; ++part)
    y(0) += work(part);
}
TUNECHECK_KERNEL(parts)
