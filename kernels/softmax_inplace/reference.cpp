// exp(x - log of the sum of exp), with the sum taken from its smallest to its largest term.
#include <tunecheck/reference.h>

#include <algorithm>
#include <cmath>
#include <vector>

void softmax_inplace(tunecheck::Tensor<double> x) {
  const int64_t cols = x.size(1);
  for (int64_t r = 0; r < x.size(0) && cols > 0; ++r) {
    std::vector<double> sorted;
    for (int64_t c = 0; c < cols; ++c)
      sorted.push_back(x(r, c));
    std::sort(sorted.begin(), sorted.end());
    const double largest = sorted.back();
    double sum = 0;
    for (const double value : sorted)
      sum += std::exp(value - largest);
    for (int64_t c = 0; c < cols; ++c)
      x(r, c) = std::exp(x(r, c) - largest - std::log(sum));
  }
}
TUNECHECK_REFERENCE(softmax_inplace)
