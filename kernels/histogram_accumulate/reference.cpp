#include <tunecheck/reference.h>

void histogram_accumulate(tunecheck::Tensor<double> values, tunecheck::Tensor<double> counts) {
  for (int64_t i = 0; i < values.size(0); ++i) {
    const auto bin = static_cast<int64_t>(values(i));
    if (bin >= 0 && bin < counts.size(0)) counts(bin) += 1;
  }
}
TUNECHECK_REFERENCE(histogram_accumulate)
