// Turns the pairs (x[d], x[d + half]) of each head by the angle of the token. A thread loads cos
// and sin of a pair once for TOGETHER heads, and does so for VEC pairs that lie a block's threads
// apart; neighbouring threads take neighbouring pairs.
#include <tunecheck/gpu_kernel.h>

namespace {
constexpr int threads = 128;
}

extern "C" __global__ void __launch_bounds__(threads)
    rope_inplace(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<COS_TYPE> cos,
                 tunecheck::Tensor<SIN_TYPE> sin) {
  const int64_t heads = x.size(1);
  const int64_t half = cos.size(1);
  const int64_t groups = (heads + TOGETHER - 1) / TOGETHER;  // of heads
  const int64_t pairs = x.size(0) * groups * half;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * threads * VEC + threadIdx.x;
#pragma unroll
  for (int v = 0; v < VEC; ++v) {
    const int64_t i = first + v * threads;
    if (i >= pairs) return;
    const int64_t d = i % half;
    const int64_t group = i / half;
    const int64_t token = group / groups;
    const int64_t head = group % groups * TOGETHER;
    const float c = cos(token, d);
    const float s = sin(token, d);
#pragma unroll
    for (int h = 0; h < TOGETHER; ++h) {
      if (head + h >= heads) break;
      const float a = x(token, head + h, d);
      const float b = x(token, head + h, d + half);
      x(token, head + h, d) = a * c - b * s;
      x(token, head + h, d + half) = b * c + a * s;
    }
  }
}
