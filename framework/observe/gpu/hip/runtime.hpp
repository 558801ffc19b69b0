#pragma once
// HIP's runtime in the process that is watched, and the recorder of its calls.
#include "observe/gpu/hip/hip_driver.hpp"
#include "observe/gpu/recorder.hpp"
#include "observe/gpu/settings.hpp"

namespace tunecheck::gpu::hip {

/// Used by several threads at once, as Recorder allows it.
struct Runtime {
  Runtime(const Functions& called, const Settings& settings)
      : functions(called), driver(called), recorder(settings, driver) {}
  const Functions functions;
  HipDriver driver;
  Recorder recorder;
};

/// The loader has opened the library of that name, which is HIP's runtime. The first one counts.
void runtime_opened(const char* library, const Settings& settings) noexcept;

/// Null before that, where the runtime lacks what the probe needs (that is recorded once), and in
/// the probe's own calls. Made when it is first needed; never freed, because kernels may be
/// launched while the process ends.
[[nodiscard]] Runtime* runtime() noexcept;

/// True while the calling thread looks up functions for the probe itself.
[[nodiscard]] bool is_looking_up() noexcept;

/// Writes what was held back.
void flush() noexcept;

}  // namespace tunecheck::gpu::hip
