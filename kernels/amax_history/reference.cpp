#include <tunecheck/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

void amax_history(tunecheck::Tensor<double> x, tunecheck::Tensor<double> history,
                  tunecheck::Tensor<double> scale, tunecheck::Tensor<double> /*partial*/,
                  double fp8_max) {
  const int64_t length = history.size(0);
  if (length == 0) return;
  std::vector<double> values{0};
  for (int64_t i = 0; i < x.size(0); ++i)
    values.push_back(std::fabs(x(i)));
  double* const newest = history.data();
  std::rotate(newest, newest + length - 1, newest + length);
  *newest = *std::max_element(values.begin(), values.end());
  const double most = *std::max_element(newest, newest + length);
  if (most > 0) scale(0) = fp8_max / most;
}
TUNECHECK_REFERENCE(amax_history)
