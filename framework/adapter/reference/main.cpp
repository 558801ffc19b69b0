// tunecheck-adapter-reference: the reference tuner as a process that the judge drives.
#include "adapter/reference/reference_adapter.hpp"
#include "backend/cpu/cpu_backend.hpp"

int main() {
  const tunecheck::CpuBackend backend;
  return tunecheck::run_reference_adapter(backend, {});
}
