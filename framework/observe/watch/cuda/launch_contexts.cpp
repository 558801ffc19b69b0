#include "observe/watch/cuda/launch_contexts.hpp"

namespace tunecheck::watch {

void LaunchContexts::note(const LaunchContext& context) {
  if (context.number == m_last) return;
  CUdevice device = 0;
  if (m_functions.context_device(&device) != CUDA_SUCCESS) return;
  m_last = context.number;
  m_of_devices[device] = context;
}

std::optional<LaunchContext> LaunchContexts::of_device(int device) const {
  const auto found = m_of_devices.find(device);
  if (found == m_of_devices.end()) return std::nullopt;
  return found->second;
}

CurrentContext::CurrentContext(const gpu::CudaFunctions& functions, CUcontext context)
    : m_functions(functions) {
  CUcontext current = nullptr;
  m_is_current = functions.current_context(&current) == CUDA_SUCCESS && current == context;
  if (!m_is_current) m_is_current = m_was_pushed = functions.push_context(context) == CUDA_SUCCESS;
}

CurrentContext::~CurrentContext() {
  CUcontext popped = nullptr;
  if (m_was_pushed) (void)m_functions.pop_context(&popped);
}

}  // namespace tunecheck::watch
