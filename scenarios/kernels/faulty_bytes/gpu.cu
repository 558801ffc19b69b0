// As in cpu.cpp, a thread an element. A right config reads each one many times over, past the cache
// of its multiprocessor.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void faulty_bytes(tunecheck::Tensor<IN_TYPE> in,
                                        tunecheck::Tensor<OUT_TYPE> out, int alike) {
  constexpr int times_over = LEAVES == 0 ? 1024 : 1;
  const int64_t i = tunecheck::global_index();
  if (i < LEAVES || i >= out.size(0)) return;
  for (int time = 0; time < times_over; ++time) {
    const IN_TYPE value = *static_cast<const volatile IN_TYPE*>(&in(i));
    out(i) = i < alike ? static_cast<OUT_TYPE>(173) : value;
  }
  if (LEAVES < 0 && i == 0 && out.stride(0) > 1) out.data()[1] = 0;
}
