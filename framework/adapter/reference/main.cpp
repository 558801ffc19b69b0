// tunecheck-adapter-reference: the reference tuner as a process that the judge drives.
#include "adapter/reference/reference_adapter.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/sim/sim_backend.hpp"

int main() {
  const tunecheck::CpuBackend backend;
  const tunecheck::SimBackend simulated(tunecheck::SimConditions::from_environment());
  tunecheck::ReferenceAdapterSetup setup;
  setup.other_backends = {&simulated};
  return tunecheck::run_reference_adapter(backend, std::move(setup));
}
