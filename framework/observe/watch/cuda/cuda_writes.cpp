#include "observe/watch/cuda/cuda_writes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "observe/gpu/effect.hpp"

namespace tunecheck::watch {
namespace {

// Calls whose effect gpu::effect_of() does not know, and that write to no memory that a kernel was
// given.
constexpr std::string_view harmless[] = {"cuCtx",
                                         "cuDevice",
                                         "cuEvent",
                                         "cuFunc",
                                         "cuGraphAdd",
                                         "cuGraphClone",
                                         "cuGraphCreate",
                                         "cuGraphDestroy",
                                         "cuGraphExec",
                                         "cuGraphGet",
                                         "cuGraphInstantiate",
                                         "cuGraphKernelNode",
                                         "cuGraphNode",
                                         "cuInit",
                                         "cuKernel",
                                         "cuLibrary",
                                         "cuLink",
                                         "cuMemAddress",
                                         "cuMemAlloc",
                                         "cuMemCreate",
                                         "cuMemFree",
                                         "cuMemGet",
                                         "cuMemHost",
                                         "cuMemMap",
                                         "cuMemPool",
                                         "cuMemRelease",
                                         "cuMemSetAccess",
                                         "cuMemUnmap",
                                         "cuMemcpyDtoH",
                                         "cuModule",
                                         "cuProfiler",
                                         "cuStreamBeginCapture",
                                         "cuStreamCreate",
                                         "cuStreamDestroy",
                                         "cuStreamEndCapture",
                                         "cuStreamUpdateCapture",
                                         "cuStreamWaitEvent"};

bool writes_nothing(std::string_view name) {
  return gpu::effect_of(name) != gpu::Effect::any ||
         std::any_of(std::begin(harmless), std::end(harmless),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

// Found out once per call.
bool writes_nothing(CUpti_CallbackId call, const char* name) {
  static std::array<std::atomic<signed char>, 4096> known{};  // 0; 1: it may write; 2: it does not
  std::atomic<signed char>& found = known[call % known.size()];
  signed char answer = found.load(std::memory_order_relaxed);
  if (answer == 0) {
    answer = writes_nothing(name) ? 2 : 1;
    found.store(answer, std::memory_order_relaxed);
  }
  return answer == 2;
}

template <class Fill>
CudaWrite filled(const CUpti_CallbackData& data, std::uint64_t element) {
  const auto& fill = *static_cast<const Fill*>(data.functionParams);
  return {Writes::region, {fill.dstDevice, fill.N * element}};
}

template <class Copy>
CudaWrite copied(const CUpti_CallbackData& data) {
  const auto& copy = *static_cast<const Copy*>(data.functionParams);
  return {Writes::region, {copy.dstDevice, copy.ByteCount}};
}

}  // namespace

// The variants of a call have the same parameters in the same order.
CudaWrite written_by(CUpti_CallbackId call, const CUpti_CallbackData& data) noexcept {
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2_ptds:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async_ptsz:
      return filled<cuMemsetD8Async_params>(data, 1);
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD16_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD16_v2_ptds:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD16Async:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD16Async_ptsz:
      return filled<cuMemsetD16Async_params>(data, 2);
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2_ptds:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async:
    case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async_ptsz:
      return filled<cuMemsetD32Async_params>(data, 4);
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds:
      return copied<cuMemcpyHtoD_v2_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2_ptsz:
      return copied<cuMemcpyHtoDAsync_v2_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2_ptds:
      return copied<cuMemcpyDtoD_v2_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2_ptsz:
      return copied<cuMemcpyDtoDAsync_v2_params>(data);
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpy:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpy_ptds: {
      const auto& copy = *static_cast<const cuMemcpy_params*>(data.functionParams);
      return {Writes::region, {copy.dst, copy.ByteCount}};
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync_ptsz: {
      const auto& copy = *static_cast<const cuMemcpyAsync_params*>(data.functionParams);
      return {Writes::region, {copy.dst, copy.ByteCount}};
    }
    default:
      return {writes_nothing(call, data.functionName) ? Writes::nothing : Writes::anything, {}};
  }
}

}  // namespace tunecheck::watch
