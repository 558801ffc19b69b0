#include <tunecheck/reference.h>

void axpy_inplace(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y, double alpha) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) += alpha * x(i);
}
TUNECHECK_REFERENCE(axpy_inplace)
