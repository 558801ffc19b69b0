#include <tunecheck/cpu_kernel.h>

void adamw_step(tunecheck::Tensor<PARAM_TYPE> param, tunecheck::Tensor<FIRST_TYPE> first,
                tunecheck::Tensor<SECOND_TYPE> second, tunecheck::Tensor<STEP_TYPE> step,
                tunecheck::Tensor<GRAD_TYPE> grad, float lr, float beta1, float beta2, float eps,
                float weight_decay) {
  step(0) += 1;
  const double count = static_cast<double>(step(0));
  const float correction1 = static_cast<float>(1 - __builtin_pow(beta1, count));
  const float correction2 = static_cast<float>(1 - __builtin_pow(beta2, count));
  for (int64_t i = 0; i < param.size(0); ++i) {
    const float g = grad(i);
    first(i) = beta1 * first(i) + (1 - beta1) * g;
    second(i) = beta2 * second(i) + (1 - beta2) * g * g;
    const float mean = first(i) / correction1;
    const float square = second(i) / correction2;
    const float decayed = param(i) * (1 - lr * weight_decay);
    param(i) = decayed - lr * mean / (__builtin_sqrtf(square) + eps);
  }
}
TUNECHECK_KERNEL(adamw_step)
