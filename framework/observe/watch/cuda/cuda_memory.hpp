#pragma once
// The memory of a GPU.
#include "observe/gpu/cuda/device_digest.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

/// In the context that is current where it is used; all work there is waited for first.
class CudaMemory final : public Memory {
 public:
  /// `functions` outlives it.
  explicit CudaMemory(const gpu::CudaFunctions& functions)
      : m_functions(functions), m_digest(functions) {}

  /// The number of the context that is current from here on.
  void set_context(gpu::ContextNumber context) { m_context = context; }

  /// The allocation that an address lies in; size 0 where it is none on a device.
  [[nodiscard]] Region allocation_at(std::uint64_t address) const;

  [[nodiscard]] Result<std::unique_ptr<Copy>> copy(const Regions& regions) override;
  [[nodiscard]] Result<std::vector<std::uint64_t>> digests(const Regions& regions) override;
  [[nodiscard]] Result<std::uint64_t> differing_bytes(const Region& one,
                                                      const Region& other) override;
  [[nodiscard]] Result<void> write(const Region& to, const Region& from) override;

 private:
  const gpu::CudaFunctions& m_functions;
  gpu::DeviceDigest m_digest;
  gpu::ContextNumber m_context = 0;
};

}  // namespace tunecheck::watch
