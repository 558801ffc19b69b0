#include <tunecheck/reference.h>

// What every kernel of the simulated device computes.
void sim_update(tunecheck::Tensor<double> x, tunecheck::Tensor<double> part,
                tunecheck::Tensor<double> total) {
  for (int64_t i = 0; i < total.size(0); ++i)
    total(i) += 1 + x(i) + part(i % part.size(0));
}
TUNECHECK_REFERENCE(sim_update)
