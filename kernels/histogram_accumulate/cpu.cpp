// counts[v] += 1 for each v of values. Neighbouring values go to COPIES private histograms in turn,
// so that equal neighbours do not wait for each other's increment; the copies are added up at the
// end. UNROLL rounds of copies are counted at a time.
#include <tunecheck/cpu_kernel.h>

namespace {

constexpr int64_t private_bins = 1024;

template <int64_t step>
void count(tunecheck::Tensor<VALUES_TYPE> values, int64_t bins, int32_t (*copies)[private_bins]) {
  // One bin behind the last takes what has no bin: a store is cheaper than a branch.
  const auto bin_of = [bins](VALUES_TYPE value) {
    const auto bin = static_cast<uint64_t>(value);
    return bin < static_cast<uint64_t>(bins) ? bin : static_cast<uint64_t>(bins);
  };
  const VALUES_TYPE* const data = values.data();
  const int64_t stride = step != 0 ? step : values.stride(0);
  const int64_t n = values.size(0);
  constexpr int64_t at_once = COPIES * UNROLL;
  int64_t i = 0;
  for (; i + at_once <= n; i += at_once)
    for (int64_t u = 0; u < at_once; ++u)
      ++copies[u % COPIES][bin_of(data[(i + u) * stride])];
  for (; i < n; ++i)
    ++copies[0][bin_of(data[i * stride])];
}

}  // namespace

void histogram_accumulate(tunecheck::Tensor<VALUES_TYPE> values,
                          tunecheck::Tensor<COUNTS_TYPE> counts) {
  const int64_t bins = counts.size(0);
  if (bins >= private_bins) {  // too many for private histograms
    for (int64_t i = 0; i < values.size(0); ++i)
      if (static_cast<uint64_t>(values(i)) < static_cast<uint64_t>(bins))
        ++counts(static_cast<int64_t>(values(i)));
    return;
  }
  int32_t copies[COPIES][private_bins];
  for (int c = 0; c < COPIES; ++c)
    for (int64_t bin = 0; bin <= bins; ++bin)
      copies[c][bin] = 0;
  if (values.stride(0) == 1)
    count<1>(values, bins, copies);
  else
    count<0>(values, bins, copies);
  for (int c = 0; c < COPIES; ++c)
    for (int64_t bin = 0; bin < bins; ++bin)
      counts(bin) += copies[c][bin];
}
TUNECHECK_KERNEL(histogram_accumulate)
