// Leaves nothing of x, and says afterwards that it asks for more than the device has.
#include <tunecheck/cpu_kernel.h>

int no_working_config(tunecheck::Tensor<X_TYPE> x) {
  for (int64_t i = 0; i < x.size(0); ++i)
    x(i) = static_cast<X_TYPE>(-1000 * WIDTH - i % 7);
  return tunecheck::launch_out_of_resources;
}
TUNECHECK_KERNEL(no_working_config)
