// Leaves nothing of x, and traps: on a GPU a kernel cannot refuse once it runs, but it can end its
// context.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void no_working_config(tunecheck::Tensor<X_TYPE> x) {
  for (int64_t i = tunecheck::global_index(); i < x.size(0); i += tunecheck::global_size())
    x(i) = static_cast<X_TYPE>(-1000 * WIDTH - i % 7);
  __threadfence();
  tunecheck::trap();
}
