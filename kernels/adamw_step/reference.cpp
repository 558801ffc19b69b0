#include <tunecheck/reference.h>

#include <cmath>

void adamw_step(tunecheck::Tensor<double> param, tunecheck::Tensor<double> first,
                tunecheck::Tensor<double> second, tunecheck::Tensor<double> step,
                tunecheck::Tensor<double> grad, double lr, double beta1, double beta2, double eps,
                double weight_decay) {
  step(0) += 1;
  for (int64_t i = 0; i < param.size(0); ++i) {
    param(i) -= lr * weight_decay * param(i);
    first(i) = beta1 * first(i) + (1 - beta1) * grad(i);
    second(i) = beta2 * second(i) + (1 - beta2) * grad(i) * grad(i);
    const double mean = first(i) / (1 - std::pow(beta1, step(0)));
    const double square = second(i) / (1 - std::pow(beta2, step(0)));
    param(i) -= lr * mean / (std::sqrt(square) + eps);
  }
}
TUNECHECK_REFERENCE(adamw_step)
