#include <tunecheck/reference.h>

void written_oddly(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y) {
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) = 2 * x(i);
}
TUNECHECK_REFERENCE(written_oddly)
