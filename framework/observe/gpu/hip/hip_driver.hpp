#pragma once
// HIP's runtime, as the probe asks it.
#include <map>
#include <string>
#include <vector>

#include "observe/gpu/driver.hpp"
#include "observe/gpu/hip/functions.hpp"

namespace tunecheck::gpu {

/// Digests are computed on the host, from a copy of the memory that a tensor touches: a kernel for
/// them would have to be compiled for each arch of AMD's, in the tuner's process. What the runtime
/// does not tell (a function's module and parameters) is known from loads, and from the code
/// objects. Memory that it allocates is kept as long as the process lives.
class HipDriver final : public Driver {
 public:
  explicit HipDriver(const hip::Functions& functions);

  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::hip; }
  [[nodiscard]] Capture capture_of(Stream stream) const override;
  void exchange_capture_mode(int& mode) const override;
  /// The process said it when it asked for the function. The runtime can be asked, too, but ends
  /// the process where the function is none.
  [[nodiscard]] std::string name_of(const void*, bool) const override { return {}; }
  [[nodiscard]] std::vector<Parameter> parameters_of(const void*, bool) const override {
    return {};
  }
  [[nodiscard]] FunctionOwner owner_of(const void*) const override { return {}; }
  [[nodiscard]] std::vector<KernelNode> kernels_of(const void* graph) const override;
  [[nodiscard]] Result<std::vector<std::string>> digests(ContextNumber context, Stream stream,
                                                         const Tensors& tensors) override;
  [[nodiscard]] Result<void> empty_cache(ContextNumber context, Stream stream) override;

  /// The calling thread's.
  [[nodiscard]] ContextNumber current_context() const;

  [[nodiscard]] static KernelNode node_of(const void* node,
                                          const hip::KernelNodeParameters& parameters);

 private:
  struct Scratch {
    hip::Address memory = nullptr;
    std::size_t size = 0;  // bytes
  };
  void add_kernels(void* graph, std::vector<KernelNode>& kernels) const;
  [[nodiscard]] bool is_readable(const AddressRange& range) const;

  const hip::Functions m_functions;
  hip::NodeTypes m_types;
  std::map<ContextNumber, Scratch> m_scratch;
};

}  // namespace tunecheck::gpu
