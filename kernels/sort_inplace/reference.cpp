#include <tunecheck/reference.h>

#include <algorithm>
#include <vector>

void sort_inplace(tunecheck::Tensor<double> keys) {
  for (int64_t r = 0; r < keys.size(0); ++r) {
    std::vector<double> row;
    for (int64_t c = 0; c < keys.size(1); ++c)
      row.push_back(keys(r, c));
    std::sort(row.begin(), row.end());
    for (int64_t c = 0; c < keys.size(1); ++c)
      keys(r, c) = row[static_cast<size_t>(c)];
  }
}
TUNECHECK_REFERENCE(sort_inplace)
