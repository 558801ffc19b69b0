// As in cpu.cpp, a thread an element.
#include <tunecheck/gpu_kernel.h>

extern "C" __global__ void faulty_bytes(tunecheck::Tensor<IN_TYPE> in,
                                        tunecheck::Tensor<OUT_TYPE> out, int alike) {
  const int64_t i = tunecheck::global_index();
  if (i >= LEAVES && i < out.size(0)) out(i) = i < alike ? static_cast<OUT_TYPE>(173) : in(i);
}
