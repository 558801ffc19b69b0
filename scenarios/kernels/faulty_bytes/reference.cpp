#include <tunecheck/reference.h>

void faulty_bytes(tunecheck::Tensor<double> in, tunecheck::Tensor<double> out, double alike) {
  for (int64_t i = 0; i < out.size(0); ++i)
    out(i) = static_cast<double>(i) < alike ? 173 : in(i);
}
TUNECHECK_REFERENCE(faulty_bytes)
