// Batch normalization with running statistics, STRIP channels at a time. The means and squared
// deviations of CHUNK rows are computed together and then merged into those of the rows before
// (Chan, Golub and LeVeque), which loses no digits however far the mean is from zero.
//
// An x that is larger than the caches has to be read twice. The second time goes from the last row
// to the first, because those that were read last are in the caches still.
#include <tunecheck/cpu_kernel.h>
#include <tunecheck/streamed.h>

namespace {

// Statistics of the rows seen so far, channel by channel.
struct Statistics {
  float mean[STRIP];
  float squares[STRIP];  // summed squared deviations from the mean
};

// Some channels of one row; `unit` says at compile time that they lie side by side.
template <class T, bool unit>
struct Row {
  T* data;
  int64_t step;
  T& operator[](int64_t channel) const { return data[unit ? channel : channel * step]; }
};

// Merges `count` rows, whose first is `from` and which lie `next` elements apart, into the
// statistics of `seen` rows.
template <bool unit>
void merge(Statistics& total, Row<X_TYPE, unit> from, int64_t next, int64_t count, int64_t seen,
           int64_t channels) {
  float sum[STRIP], squares[STRIP];
  for (int64_t c = 0; c < channels; ++c) {
    sum[c] = 0;
    squares[c] = 0;
  }
  for (int64_t r = 0; r < count; ++r) {
    const Row<X_TYPE, unit> row{from.data + r * next, from.step};
    for (int64_t c = 0; c < channels; ++c)
      sum[c] += row[c];
  }
  const float share = 1 / static_cast<float>(count);
  for (int64_t c = 0; c < channels; ++c)
    sum[c] *= share;
  const float* const mean = sum;
  if (count > 1)
    for (int64_t r = 0; r < count; ++r) {
      const Row<X_TYPE, unit> row{from.data + r * next, from.step};
      for (int64_t c = 0; c < channels; ++c) {
        const float distance = row[c] - mean[c];
        squares[c] += distance * distance;
      }
    }
  const float weight = static_cast<float>(count) / static_cast<float>(seen + count);
  const float between = weight * static_cast<float>(seen);
  for (int64_t c = 0; c < channels; ++c) {
    const float distance = mean[c] - total.mean[c];
    total.mean[c] += weight * distance;
    total.squares[c] += squares[c] + between * distance * distance;
  }
}

template <bool unit>
void normalize(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y, int64_t first,
               int64_t channels, const float* scale, const float* shift) {
  const bool streamed =
      unit && tunecheck::streams_well(y.size(0) * y.size(1) * int64_t{sizeof(Y_TYPE)});
  for (int64_t r = x.size(0) - 1; r >= 0; --r) {
    const Row<X_TYPE, unit> from{&x(r, first), x.stride(1)};
    const Row<Y_TYPE, unit> to{&y(r, first), y.stride(1)};
    const auto result = [&](int64_t c) { return from[c] * scale[c] + shift[c]; };
    if (streamed) {
      tunecheck::stream(to.data, channels, result);
    } else {
      for (int64_t c = 0; c < channels; ++c)
        to[c] = static_cast<Y_TYPE>(result(c));
    }
  }
  if (streamed) tunecheck::end_of_streams();
}

template <bool unit>
void collect(Statistics& total, tunecheck::Tensor<X_TYPE> x, int64_t first, int64_t channels) {
  const int64_t rows = x.size(0);
  for (int64_t c = 0; c < channels; ++c) {
    total.mean[c] = 0;
    total.squares[c] = 0;
  }
  for (int64_t r = 0; r < rows; r += CHUNK)
    merge<unit>(total, {&x(r, first), x.stride(1)}, x.stride(0),
                rows - r < CHUNK ? rows - r : CHUNK, r, channels);
}

}  // namespace

void batchnorm_running_stats(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<WEIGHT_TYPE> weight,
                             tunecheck::Tensor<BIAS_TYPE> bias,
                             tunecheck::Tensor<RUNNING_MEAN_TYPE> running_mean,
                             tunecheck::Tensor<RUNNING_VAR_TYPE> running_var,
                             tunecheck::Tensor<Y_TYPE> y, float momentum, float eps) {
  const int64_t rows = x.size(0);
  const int64_t channels = x.size(1);
  if (rows == 0) return;
  const bool unit = x.stride(1) == 1 && y.stride(1) == 1;
  for (int64_t first = 0; first < channels; first += STRIP) {
    const int64_t count = channels - first < STRIP ? channels - first : STRIP;
    Statistics total;
    (unit ? collect<true> : collect<false>)(total, x, first, count);
    // (x - mean) * scale + bias as x * scale + shift.
    float scale[STRIP], shift[STRIP];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t c = first + i;
      const float variance = total.squares[i] / static_cast<float>(rows);
      scale[i] = weight(c) / __builtin_sqrtf(variance + eps);
      shift[i] = bias(c) - total.mean[i] * scale[i];
      const float unbiased = rows > 1 ? total.squares[i] / static_cast<float>(rows - 1) : 0;
      running_mean(c) += momentum * (total.mean[i] - running_mean(c));
      running_var(c) += momentum * (unbiased - running_var(c));
    }
    (unit ? normalize<true> : normalize<false>)(x, y, first, count, scale, shift);
  }
}
TUNECHECK_KERNEL(batchnorm_running_stats)
