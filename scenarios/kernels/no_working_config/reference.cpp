#include <tunecheck/reference.h>

void no_working_config(tunecheck::Tensor<double> x) {
  for (int64_t i = 0; i < x.size(0); ++i)
    x(i) *= 2;
}
TUNECHECK_REFERENCE(no_working_config)
