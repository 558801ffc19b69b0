#ifndef TUNECHECK_KERNEL_TUNER_SUM_SQUARES_H
#define TUNECHECK_KERNEL_TUNER_SUM_SQUARES_H

// BLOCK elements of a row at a time, in VEC lanes.
static inline float sum_squares(const float* row, int cols) {
  float sum = 0;
  int c = 0;
  for (; c + BLOCK <= cols; c += BLOCK) {
    float lanes[VEC] = {};
    for (int b = 0; b < BLOCK; b += VEC)
      for (int v = 0; v < VEC; ++v)
        lanes[v] += row[c + b + v] * row[c + b + v];
    for (float lane : lanes)
      sum += lane;
  }
  for (; c < cols; ++c)
    sum += row[c] * row[c];
  return sum;
}

#endif
