// The kernels of hip_work.cpp and hip_linked.cpp, as HIP on the host loads them: "step" adds to its
// tensor's first element, "plain" does so through a pointer, and "look" changes nothing. A function
// of it has a name that is one of HIP's, too.
#include <cstring>

extern "C" {

void tunecheck_run_step(const unsigned* /*grid*/, const unsigned* /*block*/, void** parameters) {
  float* first = nullptr;  // which a tunecheck::Tensor begins with
  std::memcpy(&first, parameters[0], sizeof first);
  *first += *static_cast<const float*>(parameters[1]);
}

void tunecheck_run_plain(const unsigned* /*grid*/, const unsigned* /*block*/, void** parameters) {
  **static_cast<float**>(parameters[1]) += static_cast<float>(*static_cast<int*>(parameters[0]));
}

void tunecheck_run_look(const unsigned* /*grid*/, const unsigned* /*block*/,
                        void** /*parameters*/) {}

int hipDeviceSynchronize() {
  return 0;
}

}  // extern "C"
