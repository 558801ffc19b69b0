#include <tunecheck/reference.h>

void faulty_scale(tunecheck::Tensor<double> in, tunecheck::Tensor<double> out, double factor) {
  for (int64_t i = 0; i < out.size(0); ++i)
    out(i) = factor * in(i);
}
TUNECHECK_REFERENCE(faulty_scale)
