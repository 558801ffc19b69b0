// Row by row, as a decoder would append them one step after another.
#include <tunecheck/reference.h>

void kv_cache_append(tunecheck::Tensor<double> keys, tunecheck::Tensor<double> values,
                     tunecheck::Tensor<double> new_keys, tunecheck::Tensor<double> new_values,
                     tunecheck::Tensor<double> position, tunecheck::Tensor<double> /*arrived*/) {
  for (int64_t step = 0; step < new_keys.size(1); ++step)
    for (int64_t b = 0; b < keys.size(0); ++b) {
      const auto row = static_cast<int64_t>(position(b));
      if (row < 0 || row >= keys.size(1)) continue;
      for (int64_t d = 0; d < keys.size(2); ++d) {
        keys(b, row, d) = new_keys(b, step, d);
        values(b, row, d) = new_values(b, step, d);
      }
      if (keys.size(2) > 0) position(b) += 1;
    }
}
TUNECHECK_REFERENCE(kv_cache_append)
