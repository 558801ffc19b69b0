// out = in, but for the first elements: LEAVES of them are not written, which is wrong, and `alike`
// of them are 173, which is right.
#include <tunecheck/cpu_kernel.h>

void faulty_bytes(tunecheck::Tensor<IN_TYPE> in, tunecheck::Tensor<OUT_TYPE> out, int alike) {
  for (int64_t i = LEAVES; i < out.size(0); ++i)
    out(i) = i < alike ? static_cast<OUT_TYPE>(173) : in(i);
}
TUNECHECK_KERNEL(faulty_bytes)
