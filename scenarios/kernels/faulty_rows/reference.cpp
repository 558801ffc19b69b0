#include <tunecheck/reference.h>

void faulty_rows(tunecheck::Tensor<double> in, tunecheck::Tensor<double> out, double factor) {
  for (int64_t row = 0; row < out.size(0); ++row)
    for (int64_t c = 0; c < out.size(1); ++c)
      out(row, c) = factor * in(row, c);
}
TUNECHECK_REFERENCE(faulty_rows)
