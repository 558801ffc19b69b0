#pragma once
// Digests of tensors in a GPU's memory, computed there.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "observe/gpu/cuda/driver.hpp"
#include "observe/gpu/digest_plan.hpp"

namespace tunecheck::gpu {

/// Owns its kernel and a little memory in each context that it was used in; they are freed with the
/// context. One thread at a time.
class DeviceDigest {
 public:
  explicit DeviceDigest(const Driver& driver) : m_driver(driver) {}

  /// digest_elements of each tensor once all that is enqueued on `stream` is done; "" for one that
  /// is not memory of the device. Synchronises the stream, which must not be capturing. `context`
  /// is CUPTI's number of the current context.
  [[nodiscard]] Result<std::vector<std::string>> digests(std::uint32_t context, CUstream stream,
                                                         const Tensors& tensors);

  /// Enqueues a write over twice the size of the device's L2 cache, so that no tensor is left in
  /// it.
  [[nodiscard]] Result<void> empty_cache(std::uint32_t context, CUstream stream);

 private:
  struct Context {
    CUfunction kernel = nullptr;
    CUdeviceptr sums = 0;
    unsigned blocks = 0;           // that the device holds at once
    CUdeviceptr scratch = 0;       // 0 until it is needed
    std::size_t scratch_size = 0;  // bytes
  };
  [[nodiscard]] Result<Context*> use(std::uint32_t context);
  [[nodiscard]] Result<int> device_attribute(CUdevice_attribute attribute) const;
  [[nodiscard]] bool is_readable(const TensorArgument& tensor) const;
  [[nodiscard]] Result<void> enqueue(const Context& context, CUstream stream,
                                     const TensorArgument& tensor, std::size_t slot) const;

  const Driver& m_driver;
  std::map<std::uint32_t, Context> m_contexts;
};

}  // namespace tunecheck::gpu
