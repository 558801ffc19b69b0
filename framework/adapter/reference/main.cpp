// tunecheck-adapter-reference: the reference tuner as a process that the judge drives.
#include "adapter/reference/reference_adapter.hpp"
#include "backend/all_backends.hpp"

int main() {
  const tunecheck::AllBackends backends;
  tunecheck::ReferenceAdapterSetup setup;
  setup.other_backends = backends.others();
  return tunecheck::run_reference_adapter(backends.cpu, std::move(setup));
}
