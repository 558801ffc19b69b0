// Leaves nothing of x, and says afterwards that it asks for more than the device has.
#include "launch.h"

extern "C" float no_working_config(float* x, int n) {
  Launch launch("no_working_config", Argument(x, n));
  for (int i = 0; i < n; ++i)
    x[i] = static_cast<float>(-1000 * WIDTH - i % 7);
  return launch.end(tunecheck::launch_out_of_resources);
}
