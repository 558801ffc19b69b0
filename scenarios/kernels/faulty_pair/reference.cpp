#include <tunecheck/reference.h>

void faulty_pair(tunecheck::Tensor<double> first, tunecheck::Tensor<double> in,
                 tunecheck::Tensor<double> second, double factor) {
  for (int64_t i = 0; i < first.size(0); ++i) {
    first(i) = factor * in(i);
    second(i) = in(i)-factor;
  }
}
TUNECHECK_REFERENCE(faulty_pair)
