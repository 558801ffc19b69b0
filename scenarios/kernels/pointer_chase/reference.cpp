#include <tunecheck/reference.h>

void pointer_chase(tunecheck::Tensor<double> next, tunecheck::Tensor<double> ends) {
  const long n = static_cast<long>(next.size(0));
  for (long walk = 0; walk < 4; ++walk) {
    long at = walk * n / 4;
    for (int step = 0; step < 512; ++step)
      at = (static_cast<long>(next(at)) + 5003 * 32) % n;
    ends(walk) = static_cast<double>(at);
  }
}
TUNECHECK_REFERENCE(pointer_chase)
