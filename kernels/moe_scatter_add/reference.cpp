// Token by token: each gathers the rows that are its own.
#include <tunecheck/reference.h>

#include <vector>

void moe_scatter_add(tunecheck::Tensor<double> x, tunecheck::Tensor<double> weight,
                     tunecheck::Tensor<double> index, tunecheck::Tensor<double> out) {
  std::vector<std::vector<int64_t>> rows(static_cast<size_t>(out.size(0)));
  for (int64_t r = 0; r < x.size(0); ++r)
    if (index(r) >= 0 && index(r) < static_cast<double>(out.size(0)))
      rows[static_cast<size_t>(index(r))].push_back(r);
  for (int64_t token = 0; token < out.size(0); ++token)
    for (const int64_t r : rows[static_cast<size_t>(token)])
      for (int64_t c = 0; c < out.size(1); ++c)
        out(token, c) += weight(r) * x(r, c);
}
TUNECHECK_REFERENCE(moe_scatter_add)
