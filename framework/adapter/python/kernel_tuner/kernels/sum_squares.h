#ifndef TUNECHECK_KERNEL_TUNER_SUM_SQUARES_H
#define TUNECHECK_KERNEL_TUNER_SUM_SQUARES_H

// `block` elements of a row at a time, in `lanes` sums.
template <int block, int lanes>
float sum_squares(const float* row, int cols) {
  float sum = 0;
  int c = 0;
  for (; c + block <= cols; c += block) {
    float sums[lanes] = {};
    for (int b = 0; b < block; b += lanes)
      for (int l = 0; l < lanes; ++l)
        sums[l] += row[c + b + l] * row[c + b + l];
    for (const float one : sums)
      sum += one;
  }
  for (; c < cols; ++c)
    sum += row[c] * row[c];
  return sum;
}

#endif
