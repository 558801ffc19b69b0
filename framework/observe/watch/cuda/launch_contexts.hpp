#pragma once
// The contexts that a program launches kernels in.
#include <map>
#include <optional>

#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/driver.hpp"

namespace tunecheck::watch {

struct LaunchContext {
  CUcontext handle = nullptr;
  gpu::ContextNumber number = 0;
};

/// One thread at a time.
class LaunchContexts {
 public:
  /// `functions` outlives it.
  explicit LaunchContexts(const gpu::CudaFunctions& functions) : m_functions(functions) {}

  /// A kernel is launched in this context, which is current.
  void note(const LaunchContext& context);
  /// The last one on a device; nothing where no kernel was launched there.
  [[nodiscard]] std::optional<LaunchContext> of_device(int device) const;

 private:
  const gpu::CudaFunctions& m_functions;
  gpu::ContextNumber m_last = 0;  // CUPTI begins with 1
  std::map<int, LaunchContext> m_of_devices;
};

/// A context is the calling thread's current one as long as this lives.
class CurrentContext {
 public:
  CurrentContext(const gpu::CudaFunctions& functions, CUcontext context);
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext();
  /// False where the driver refuses, as it does once the context is destroyed.
  [[nodiscard]] explicit operator bool() const { return m_is_current; }

 private:
  const gpu::CudaFunctions& m_functions;
  bool m_is_current = false;
  bool m_was_pushed = false;
};

}  // namespace tunecheck::watch
