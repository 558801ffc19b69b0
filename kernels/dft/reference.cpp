// The sum as it is defined, one dimension after the other.
#include <tunecheck/reference.h>

#include <cmath>
#include <complex>
#include <vector>

namespace {

using Number = std::complex<long double>;

std::vector<Number> transformed(const std::vector<Number>& line, long sign) {
  const auto length = static_cast<int64_t>(line.size());
  std::vector<Number> powers;
  for (int64_t j = 0; j < length; ++j)
    powers.push_back(std::polar(1.0L, static_cast<long double>(sign) * 2 * std::acos(-1.0L) *
                                          static_cast<long double>(j) / length));
  std::vector<Number> result(line.size());
  for (int64_t k = 0; k < length; ++k)
    for (int64_t j = 0; j < length; ++j)
      result[k] += line[j] * powers[j * k % length];
  return result;
}

}  // namespace

void dft(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y, long sign) {
  const int64_t rows = x.size(0);
  const int64_t cols = x.size(1);
  std::vector<std::vector<Number>> plane;
  for (int64_t r = 0; r < rows; ++r) {
    std::vector<Number> line;
    for (int64_t c = 0; c < cols; ++c)
      line.emplace_back(x(r, c, 0), x(r, c, 1));
    plane.push_back(transformed(line, sign));
  }
  for (int64_t c = 0; c < cols; ++c) {
    std::vector<Number> column;
    for (const std::vector<Number>& line : plane)
      column.push_back(line[c]);
    column = transformed(column, sign);
    for (int64_t r = 0; r < rows; ++r) {
      y(r, c, 0) = static_cast<double>(column[r].real());
      y(r, c, 1) = static_cast<double>(column[r].imag());
    }
  }
}
TUNECHECK_REFERENCE(dft)
