// Heat flows between neighbours: what one of a pair loses, the other one gains.
#include <tunecheck/reference.h>

#include <vector>

void stencil_pingpong(tunecheck::Tensor<double> field, tunecheck::Tensor<double> next,
                      double rate) {
  const int64_t rows = field.size(0), cols = field.size(1);
  std::vector<double> heat(static_cast<size_t>(rows * cols));
  const auto at = [&](int64_t r, int64_t c) -> double& {
    return heat[static_cast<size_t>(r * cols + c)];
  };
  const auto flow = [&](int64_t r, int64_t c, int64_t to_r, int64_t to_c) {
    const double amount = rate * (field(r, c) - field(to_r, to_c));
    at(r, c) -= amount;
    at(to_r, to_c) += amount;
  };
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      at(r, c) = field(r, c);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      if (r + 1 < rows) flow(r, c, r + 1, c);
      if (c + 1 < cols) flow(r, c, r, c + 1);
    }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      next(r, c) = at(r, c);
}
TUNECHECK_REFERENCE(stencil_pingpong)
