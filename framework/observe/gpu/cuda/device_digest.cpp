#include "observe/gpu/cuda/device_digest.hpp"

#include <algorithm>
#include <array>

#include "core/element_mix.h"
#include "core/tensor_view.hpp"
#include "observe/gpu/digest_kernel.hpp"

namespace tunecheck::gpu {
namespace {

constexpr unsigned block_threads = 256;
// Tensors digested at once.
constexpr std::size_t slots = 64;

}  // namespace

Result<int> DeviceDigest::device_attribute(CUdevice_attribute attribute) const {
  CUdevice device = 0;
  TUNECHECK_CHECK(check(m_driver, m_driver.context_device(&device), "cuCtxGetDevice"));
  int value = 0;
  TUNECHECK_CHECK(check(m_driver, m_driver.device_attribute(&value, attribute, device),
                        "cuDeviceGetAttribute"));
  return value;
}

Result<void> DeviceDigest::allocate(CUdeviceptr& address, std::size_t bytes) const {
  TUNECHECK_CHECK(check(m_driver, m_driver.allocate(&address, bytes), "cuMemAlloc"));
  if (m_note) m_note(address, bytes);
  return {};
}

Result<DeviceDigest::Context*> DeviceDigest::use(ContextNumber context) {
  const auto found = m_contexts.find(context);
  if (found != m_contexts.end()) return &found->second;
  Context made;
  CUmodule module = nullptr;
  TUNECHECK_CHECK(
      check(m_driver, m_driver.load_module(&module, digest_kernel_ptx), "cuModuleLoadData"));
  TUNECHECK_CHECK(check(m_driver, m_driver.find_function(&made.kernel, module, "tunecheck_digest"),
                        "cuModuleGetFunction"));
  TUNECHECK_TRY(const int processors, device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  made.blocks = static_cast<unsigned>(processors) * 2048 / block_threads;
  TUNECHECK_CHECK(allocate(made.sums, slots * sizeof(std::uint64_t)));
  return &m_contexts.emplace(context, made).first->second;
}

// Reading anything else would end the context with an error.
bool DeviceDigest::is_readable(const TensorArgument& tensor) const {
  const AddressRange range = address_range(tensor);
  const auto is_known = [&](CUdeviceptr address) {
    unsigned type = 0;
    return m_driver.pointer_attribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) ==
           CUDA_SUCCESS;
  };
  // Memory may be allocated in pieces that lie side by side.
  for (std::uint64_t at = range.first; at < range.end;) {
    CUdeviceptr start = 0;
    std::size_t size = 0;
    if (!is_known(at) ||
        m_driver.pointer_attribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at) !=
            CUDA_SUCCESS ||
        m_driver.pointer_attribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at) != CUDA_SUCCESS ||
        start > at || size <= at - start)
      return false;
    at = start + size;
  }
  return range.first == range.end || (range.first < range.end && is_known(range.end - 1));
}

Result<void> DeviceDigest::enqueue(const Context& context, CUstream stream,
                                   const TensorArgument& tensor, std::size_t slot) const {
  DigestArguments arguments = digest_arguments(tensor, context.sums + slot * sizeof(std::uint64_t));
  const std::uint64_t wanted = (arguments.count + block_threads - 1) / block_threads;
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, context.blocks));
  std::array<void*, 1> parameters = {&arguments};
  return check(m_driver,
               m_driver.launch(context.kernel, blocks, 1, 1, block_threads, 1, 1, 0, stream,
                               parameters.data(), nullptr),
               "cuLaunchKernel");
}

Result<std::vector<std::string>> DeviceDigest::digests(ContextNumber context, CUstream stream,
                                                       const Tensors& tensors) {
  std::vector<std::string> digests(tensors.size());
  if (tensors.empty()) return digests;
  // Graphs launch many kernels with the same tensors.
  std::vector<const TensorArgument*> different;
  std::vector<std::size_t> place(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto same = std::find_if(different.begin(), different.end(),
                                   [&](const auto* other) { return *other == tensors[i]; });
    place[i] = static_cast<std::size_t>(same - different.begin());
    if (same == different.end()) different.push_back(&tensors[i]);
  }
  TUNECHECK_TRY(const Context* const used, use(context));
  std::vector<std::string> found(different.size());
  for (std::size_t first = 0; first < different.size(); first += slots) {
    const std::size_t end = std::min(different.size(), first + slots);
    std::array<std::uint64_t, slots> sums{};
    const std::size_t bytes = (end - first) * sizeof(std::uint64_t);
    TUNECHECK_CHECK(
        check(m_driver, m_driver.fill(used->sums, 0, bytes, stream), "cuMemsetD8Async"));
    std::array<bool, slots> readable{};
    for (std::size_t i = first; i < end; ++i) {
      readable[i - first] = is_readable(*different[i]);
      if (readable[i - first]) TUNECHECK_CHECK(enqueue(*used, stream, *different[i], i - first));
    }
    TUNECHECK_CHECK(check(m_driver, m_driver.copy_to_host(sums.data(), used->sums, bytes, stream),
                          "cuMemcpyDtoHAsync"));
    TUNECHECK_CHECK(check(m_driver, m_driver.synchronize(stream), "cuStreamSynchronize"));
    for (std::size_t i = first; i < end; ++i)
      if (readable[i - first])
        found[i] = format_digest(
            finish_digest(sums[i - first], static_cast<std::uint64_t>(different[i]->layout.count()),
                          static_cast<int>(different[i]->dtype)));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i)
    digests[i] = found[place[i]];
  return digests;
}

Result<void> DeviceDigest::empty_cache(ContextNumber context, CUstream stream) {
  TUNECHECK_TRY(Context* const used, use(context));
  if (used->scratch == 0) {
    TUNECHECK_TRY(const int cache, device_attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    used->scratch_size = std::size_t{2} * static_cast<std::size_t>(std::max(cache, 1));
    TUNECHECK_CHECK(allocate(used->scratch, used->scratch_size));
  }
  return check(m_driver, m_driver.fill(used->scratch, 0, used->scratch_size, stream),
               "cuMemsetD8Async");
}

}  // namespace tunecheck::gpu
