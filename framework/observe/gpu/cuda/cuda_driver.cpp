#include "observe/gpu/cuda/cuda_driver.hpp"

#include <cstddef>

namespace tunecheck::gpu {
namespace {

CUfunction as_function(const void* function) {
  return static_cast<CUfunction>(const_cast<void*>(function));
}

// A launch takes a CUkernel in the place of a CUfunction.
CUkernel as_kernel(const void* function) {
  return static_cast<CUkernel>(const_cast<void*>(function));
}

}  // namespace

Capture CudaDriver::capture_of(Stream stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  // It fails for the default stream while others are being captured.
  if (m_functions.is_capturing(static_cast<CUstream>(stream), &status) != CUDA_SUCCESS)
    return Capture::unknown;
  return status == CU_STREAM_CAPTURE_STATUS_NONE ? Capture::no : Capture::yes;
}

void CudaDriver::exchange_capture_mode(int& mode) const {
  auto exchanged = static_cast<CUstreamCaptureMode>(mode);
  (void)m_functions.exchange_capture_mode(&exchanged);
  mode = static_cast<int>(exchanged);
}

std::string CudaDriver::name_of(const void* function, bool is_kernel) const {
  const char* name = nullptr;
  const CUresult status = is_kernel ? m_functions.kernel_name(&name, as_kernel(function))
                                    : m_functions.function_name(&name, as_function(function));
  return status == CUDA_SUCCESS && name != nullptr ? name : "";
}

std::vector<Parameter> CudaDriver::parameters_of(const void* function, bool is_kernel) const {
  std::vector<Parameter> parameters;
  for (std::size_t index = 0;; ++index) {
    Parameter parameter;
    const CUresult status =
        is_kernel ? m_functions.kernel_parameter(as_kernel(function), index, &parameter.offset,
                                                 &parameter.size)
                  : m_functions.function_parameter(as_function(function), index, &parameter.offset,
                                                   &parameter.size);
    if (status != CUDA_SUCCESS) return parameters;
    parameters.push_back(parameter);
  }
}

FunctionOwner CudaDriver::owner_of(const void* function) const {
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  if (m_functions.function_module(&module, as_function(function)) == CUDA_SUCCESS)
    return {module, false};
  if (m_functions.kernel_library(&library, as_kernel(function)) == CUDA_SUCCESS)
    return {library, true};
  return {};
}

KernelNode CudaDriver::node_of(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2& parameters) {
  const void* function = parameters.func;
  if (function == nullptr) function = parameters.kern;
  return {node, function, {parameters.kernelParams, parameters.extra}};
}

void CudaDriver::add_kernels(CUgraph graph, std::vector<KernelNode>& kernels) const {
  std::size_t count = 0;
  if (m_functions.graph_nodes(graph, nullptr, &count) != CUDA_SUCCESS) return;
  std::vector<CUgraphNode> nodes(count);
  if (count == 0 || m_functions.graph_nodes(graph, nodes.data(), &count) != CUDA_SUCCESS) return;
  for (const CUgraphNode node : nodes) {
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    CUgraph child = nullptr;
    CUDA_KERNEL_NODE_PARAMS_v2 parameters{};
    if (m_functions.node_type(node, &type) != CUDA_SUCCESS) continue;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH && m_functions.child_graph(node, &child) == CUDA_SUCCESS)
      add_kernels(child, kernels);
    if (type == CU_GRAPH_NODE_TYPE_KERNEL &&
        m_functions.kernel_node(node, &parameters) == CUDA_SUCCESS)
      kernels.push_back(node_of(node, parameters));
  }
}

std::vector<KernelNode> CudaDriver::kernels_of(const void* graph) const {
  std::vector<KernelNode> kernels;
  add_kernels(static_cast<CUgraph>(const_cast<void*>(graph)), kernels);
  return kernels;
}

Result<std::vector<std::string>> CudaDriver::digests(ContextNumber context, Stream stream,
                                                     const Tensors& tensors) {
  return m_digest.digests(context, static_cast<CUstream>(stream), tensors);
}

Result<void> CudaDriver::empty_cache(ContextNumber context, Stream stream) {
  return m_digest.empty_cache(context, static_cast<CUstream>(stream));
}

}  // namespace tunecheck::gpu
