// y = 2 * x. A WIDTH above 1 stands for loads of whole vectors: it refuses memory that is not
// aligned to 64 bytes, where such loads would fault. It is much faster, so that it wins wherever it
// runs: the other one does all of its work several times over, in calls that cannot be left out.
#include <tunecheck/cpu_kernel.h>

namespace {

using X = tunecheck::Tensor<X_TYPE>;
using Y = tunecheck::Tensor<Y_TYPE>;

[[maybe_unused]] bool is_aligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % 64 == 0;
}

__attribute__((noinline)) void scale(X x, Y y) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) = 2 * x(i);
}

}  // namespace

int aligned_scale(X x, Y y) {
#if WIDTH > 1
  if (!is_aligned(x.data()) || !is_aligned(y.data())) return tunecheck::launch_out_of_resources;
#else
  for (int time = 0; time < 32; ++time)
    scale(x, y);
#endif
  scale(x, y);
  return 0;
}
TUNECHECK_KERNEL(aligned_scale)
