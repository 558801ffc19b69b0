#include "observe/gpu/hip/hip_driver.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/tensor_view.hpp"

namespace tunecheck::gpu {
namespace {

hip::Address as_address(std::uint64_t address) {
  return reinterpret_cast<hip::Address>(static_cast<std::uintptr_t>(address));
}

}  // namespace

HipDriver::HipDriver(const hip::Functions& functions) : m_functions(functions) {
  constexpr int versions_of_a_major = 10'000'000;
  int version = 0;
  (void)m_functions.version(&version);
  m_types = hip::node_types(version / versions_of_a_major);
}

ContextNumber HipDriver::current_context() const {
  void* context = nullptr;
  if (m_functions.current_context(&context) != 0) return 0;
  return reinterpret_cast<std::uintptr_t>(context);
}

Capture HipDriver::capture_of(Stream stream) const {
  int status = 0;
  // It fails for the default stream while others are being captured.
  if (m_functions.is_capturing(stream, &status) != 0) return Capture::unknown;
  return status == 0 ? Capture::no : Capture::yes;
}

void HipDriver::exchange_capture_mode(int& mode) const {
  (void)m_functions.exchange_capture_mode(&mode);
}

KernelNode HipDriver::node_of(const void* node, const hip::KernelNodeParameters& parameters) {
  return {node, parameters.function, {parameters.parameters, parameters.extra}};
}

void HipDriver::add_kernels(void* graph, std::vector<KernelNode>& kernels) const {
  std::size_t count = 0;
  if (m_functions.graph_nodes(graph, nullptr, &count) != 0 || count == 0) return;
  std::vector<void*> nodes(count);
  if (m_functions.graph_nodes(graph, nodes.data(), &count) != 0) return;
  for (void* const node : nodes) {
    int type = -1;
    void* child = nullptr;
    hip::KernelNodeParameters parameters;
    if (m_functions.node_type(node, &type) != 0) continue;
    if (type == m_types.graph && m_functions.child_graph != nullptr &&
        m_functions.child_graph(node, &child) == 0)
      add_kernels(child, kernels);
    if (type == m_types.kernel && m_functions.kernel_node(node, &parameters) == 0)
      kernels.push_back(node_of(node, parameters));
  }
}

std::vector<KernelNode> HipDriver::kernels_of(const void* graph) const {
  std::vector<KernelNode> kernels;
  if (m_functions.graph_nodes != nullptr && m_functions.node_type != nullptr &&
      m_functions.kernel_node != nullptr)
    add_kernels(const_cast<void*>(graph), kernels);
  return kernels;
}

// Copying anything else would be an error of the process's own stream.
bool HipDriver::is_readable(const AddressRange& range) const {
  // Memory may be allocated in pieces that lie side by side.
  for (std::uint64_t at = range.first; at < range.end;) {
    hip::Address base = nullptr;
    std::size_t size = 0;
    if (m_functions.address_range(&base, &size, as_address(at)) != 0) return false;
    const auto start = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(base));
    if (start > at || size <= at - start) return false;
    at = start + size;
  }
  return range.first <= range.end;
}

Result<std::vector<std::string>> HipDriver::digests(ContextNumber /*context*/, Stream stream,
                                                    const Tensors& tensors) {
  std::vector<std::string> digests(tensors.size());
  std::vector<std::byte> copy;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorArgument& tensor = tensors[i];
    // Graphs launch many kernels with the same tensors.
    const auto same =
        std::find(tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(i), tensor);
    if (const auto earlier = static_cast<std::size_t>(same - tensors.begin()); earlier < i) {
      digests[i] = digests[earlier];
      continue;
    }
    const AddressRange range = address_range(tensor);
    if (!is_readable(range)) continue;
    copy.resize(range.end - range.first);
    if (!copy.empty())
      TUNECHECK_CHECK(
          check(m_functions,
                m_functions.copy_to_host(copy.data(), as_address(range.first), copy.size(), stream),
                "hipMemcpyDtoHAsync"));
    TUNECHECK_CHECK(check(m_functions, m_functions.synchronize(stream), "hipStreamSynchronize"));
    digests[i] = digest_elements({copy.data() + (copy.empty() ? 0 : tensor.first - range.first),
                                  tensor.dtype, tensor.layout});
  }
  return digests;
}

Result<void> HipDriver::empty_cache(ContextNumber context, Stream stream) {
  Scratch& scratch = m_scratch[context];
  if (scratch.memory == nullptr) {
    int device = 0;
    int cache = 0;
    TUNECHECK_CHECK(check(m_functions, m_functions.context_device(&device), "hipCtxGetDevice"));
    TUNECHECK_CHECK(check(m_functions,
                          m_functions.device_attribute(&cache, hip::l2_bytes_attribute, device),
                          "hipDeviceGetAttribute"));
    scratch.size = std::size_t{2} * static_cast<std::size_t>(std::max(cache, 1));
    TUNECHECK_CHECK(
        check(m_functions, m_functions.allocate(&scratch.memory, scratch.size), "hipMalloc"));
  }
  return check(m_functions, m_functions.fill(scratch.memory, 0, scratch.size, stream),
               "hipMemsetD8Async");
}

}  // namespace tunecheck::gpu
