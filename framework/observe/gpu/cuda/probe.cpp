// The GPU probe: the CUDA driver loads it into any process that CUDA_INJECTION64_PATH names it to,
// when that process first uses CUDA. It records what the process loads and launches, whatever made
// the kernels, and does nothing where it is told of no evidence file.
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>

#include "observe/gpu/blindness.hpp"
#include "observe/gpu/cuda/calls.hpp"
#include "observe/gpu/cuda/cuda_driver.hpp"
#include "observe/gpu/cuda/subscribe.hpp"
#include "observe/gpu/cupti_library.hpp"
#include "observe/gpu/recorder.hpp"
#include "observe/gpu/settings.hpp"
#include "observe/probe/counting.hpp"

namespace tunecheck::gpu {
namespace {

// Null where the probe is inert. Never freed: kernels may be launched while the process ends.
Recorder* recorder = nullptr;

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId call, const void* data) {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || Recorder::is_busy()) return;
  tell(*recorder, call, *static_cast<const CUpti_CallbackData*>(data));
}

Result<void> start(const Settings& settings) {
  TUNECHECK_TRY(const CudaFunctions found, find_functions());
  TUNECHECK_TRY(void* const cupti, open_cupti());
  recorder = new Recorder(settings, *new CudaDriver(found));
  return subscribe_to_driver(cupti, on_call);
}

__attribute__((destructor)) void flush() {
  if (recorder != nullptr) recorder->flush();
}

}  // namespace
}  // namespace tunecheck::gpu

/// The driver calls this at its own start; 1 is success.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace tunecheck;
  const int saved = errno;
  try {
    const auto settings = gpu::read_settings();
    if (settings && gpu::recorder == nullptr) {
      if (const char* const counts = std::getenv("TUNECHECK_PROBE_COUNTS"))
        probe::map_counts(counts);
      if (const auto started = gpu::start(*settings); !started)
        gpu::record_blindness(*settings, started.error().text());
    }
  } catch (...) {
  }
  errno = saved;
  return 1;
}
