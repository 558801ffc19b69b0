// Each row is copied, sorted by the standard library and copied back.
#include <tunecheck/cpu_kernel.h>

#include <algorithm>
#include <vector>

void sort_inplace(tunecheck::Tensor<KEYS_TYPE> keys) {
  std::vector<KEYS_TYPE> row(static_cast<size_t>(keys.size(1)));
  for (int64_t r = 0; r < keys.size(0); ++r) {
    for (int64_t c = 0; c < keys.size(1); ++c)
      row[static_cast<size_t>(c)] = keys(r, c);
    std::sort(row.begin(), row.end());
    for (int64_t c = 0; c < keys.size(1); ++c)
      keys(r, c) = row[static_cast<size_t>(c)];
  }
}
TUNECHECK_KERNEL(sort_inplace)
