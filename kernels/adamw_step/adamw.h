// One element of an AdamW step, the same on a CPU and on a GPU.
#ifndef KERNELS_ADAMW_STEP_ADAMW_H
#define KERNELS_ADAMW_STEP_ADAMW_H

#if defined(__CUDACC__) || defined(__HIP__) || defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#define ADAMW_FUNCTION __device__ inline
#define ADAMW_SQRT sqrtf
#else
#define ADAMW_FUNCTION inline
#define ADAMW_SQRT __builtin_sqrtf
#endif

// beta^step. The correction 1 - beta^step would lose digits in float.
ADAMW_FUNCTION double whole_power(double beta, long long step) {
  double power = 1;
  for (; step > 0; step /= 2) {
    if (step % 2 != 0) power *= beta;
    beta *= beta;
  }
  return power;
}

// Everything that is the same for all elements of a step.
struct Adamw {
  float beta1, rest1;  // rest = 1 - beta
  float beta2, rest2;
  float keep;  // of a parameter after its decay
  float rate;  // lr / correction of the first moment
  float root;  // 1 / square root of the correction of the second
  float eps;

  // `step` counts from 1.
  ADAMW_FUNCTION Adamw(long long step, float lr, float b1, float b2, float epsilon, float decay) {
    beta1 = b1;
    rest1 = 1 - b1;
    beta2 = b2;
    rest2 = 1 - b2;
    keep = 1 - lr * decay;
    rate = static_cast<float>(lr / (1 - whole_power(b1, step)));
    root = 1 / ADAMW_SQRT(static_cast<float>(1 - whole_power(b2, step)));
    eps = epsilon;
  }

  ADAMW_FUNCTION float first(float old, float grad) const { return beta1 * old + rest1 * grad; }
  ADAMW_FUNCTION float second(float old, float grad) const {
    return beta2 * old + rest2 * grad * grad;
  }
  ADAMW_FUNCTION float param(float old, float mean, float square) const {
    return keep * old - rate * mean / (ADAMW_SQRT(square) * root + eps);
  }
};

#endif
