#pragma once
// CUDA's driver, as the probe asks it.
#include <map>
#include <string>
#include <vector>

#include "observe/gpu/cuda/device_digest.hpp"
#include "observe/gpu/cuda/functions.hpp"
#include "observe/gpu/driver.hpp"

namespace tunecheck::gpu {

class CudaDriver final : public Driver {
 public:
  explicit CudaDriver(const CudaFunctions& functions)
      : m_functions(functions), m_digest(m_functions) {}

  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::cuda; }
  [[nodiscard]] Capture capture_of(Stream stream) const override;
  void exchange_capture_mode(int& mode) const override;
  [[nodiscard]] std::string name_of(const void* function, bool is_kernel) const override;
  [[nodiscard]] std::vector<Parameter> parameters_of(const void* function,
                                                     bool is_kernel) const override;
  [[nodiscard]] FunctionOwner owner_of(const void* function) const override;
  [[nodiscard]] std::vector<KernelNode> kernels_of(const void* graph) const override;
  [[nodiscard]] Result<std::vector<std::string>> digests(ContextNumber context, Stream stream,
                                                         const Tensors& tensors) override;
  [[nodiscard]] Result<void> empty_cache(ContextNumber context, Stream stream) override;

  /// What a node's parameters say of its kernel.
  [[nodiscard]] static KernelNode node_of(CUgraphNode node,
                                          const CUDA_KERNEL_NODE_PARAMS_v2& parameters);

 private:
  void add_kernels(CUgraph graph, std::vector<KernelNode>& kernels) const;

  const CudaFunctions m_functions;
  DeviceDigest m_digest;
};

}  // namespace tunecheck::gpu
