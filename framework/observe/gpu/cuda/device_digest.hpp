#pragma once
// Digests of tensors in a GPU's memory, computed there.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/driver.hpp"

namespace tunecheck::gpu {

/// Owns its kernel and a little memory in each context that it was used in; they are freed with the
/// context. One thread at a time.
class DeviceDigest {
 public:
  /// Called with each piece of the device's memory that it takes.
  using Note = std::function<void(CUdeviceptr address, std::size_t bytes)>;
  explicit DeviceDigest(const CudaFunctions& functions, Note note = {})
      : m_driver(functions), m_note(std::move(note)) {}

  /// As Driver says; `context` is CUPTI's number of the current context.
  [[nodiscard]] Result<std::vector<std::string>> digests(ContextNumber context, CUstream stream,
                                                         const Tensors& tensors);

  /// The driver, asked now, knows everything that the tensor touches as memory.
  [[nodiscard]] bool is_readable(const TensorArgument& tensor) const;

  [[nodiscard]] Result<void> empty_cache(ContextNumber context, CUstream stream);

 private:
  struct Context {
    CUfunction kernel = nullptr;
    CUdeviceptr sums = 0;
    unsigned blocks = 0;           // that the device holds at once
    CUdeviceptr scratch = 0;       // 0 until it is needed
    std::size_t scratch_size = 0;  // bytes
  };
  [[nodiscard]] Result<Context*> use(ContextNumber context);
  [[nodiscard]] Result<int> device_attribute(CUdevice_attribute attribute) const;
  [[nodiscard]] Result<void> allocate(CUdeviceptr& address, std::size_t bytes) const;
  [[nodiscard]] Result<void> enqueue(const Context& context, CUstream stream,
                                     const TensorArgument& tensor, std::size_t slot) const;

  const CudaFunctions& m_driver;
  Note m_note;
  std::map<ContextNumber, Context> m_contexts;
};

}  // namespace tunecheck::gpu
