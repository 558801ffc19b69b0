// y = 2 * x, a thread an element. A WIDTH above 1 traps where memory is not aligned to 64 bytes, as
// a load of a whole vector would; it is much the faster one.
#include <tunecheck/gpu_kernel.h>

namespace {

[[maybe_unused]] __device__ bool is_aligned(const void* address) {
  return reinterpret_cast<uint64_t>(address) % 64 == 0;
}

}  // namespace

extern "C" __global__ void aligned_scale(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
#if WIDTH > 1
  if (!is_aligned(x.data()) || !is_aligned(y.data())) tunecheck::trap();
#endif
  const int64_t i = tunecheck::global_index();
  // Past the cache of its multiprocessor.
  for (int time = 0; time < (WIDTH > 1 ? 1 : 256) && i < y.size(0); ++time)
    y(i) = 2 * *static_cast<const volatile X_TYPE*>(&x(i));
}
