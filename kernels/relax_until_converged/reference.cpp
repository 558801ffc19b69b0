// The same time step, solved exactly: Gaussian elimination of the tridiagonal system of each line.
#include <tunecheck/reference.h>

#include <vector>

void relax_until_converged(tunecheck::Tensor<double> field, tunecheck::Tensor<double> source,
                           double conduction, double exchange, double /*residual*/) {
  const int64_t points = field.size(1);
  std::vector<double> ratio(static_cast<size_t>(points));
  for (int64_t line = 0; line < field.size(0); ++line) {
    // Row p: -conduction next[p-1] + diagonal next[p] - conduction next[p+1] = right.
    for (int64_t p = 0; p < points; ++p) {
      const int neighbours = (p > 0 ? 1 : 0) + (p + 1 < points ? 1 : 0);
      const double diagonal = 1 + exchange + neighbours * conduction;
      const double before = p > 0 ? conduction : 0;
      const double pivot = diagonal - (p > 0 ? before * ratio[static_cast<size_t>(p - 1)] : 0);
      ratio[static_cast<size_t>(p)] = conduction / pivot;
      const double right = field(line, p) + exchange * source(line, p);
      field(line, p) = (right + (p > 0 ? before * field(line, p - 1) : 0)) / pivot;
    }
    for (int64_t p = points - 2; p >= 0; --p)
      field(line, p) += ratio[static_cast<size_t>(p)] * field(line, p + 1);
  }
}
TUNECHECK_REFERENCE(relax_until_converged)
