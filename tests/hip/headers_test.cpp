// What we declare of HIP, against the headers of an installed one.
#define __HIP_PLATFORM_AMD__ 1
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include <gtest/gtest.h>
#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include "backend/gpu/driver/device.hpp"
#include "observe/gpu/driver.hpp"
#include "observe/gpu/hip/functions.hpp"

namespace tunecheck::gpu {
namespace {

// Passed in the same registers: numbers and pointers of one size, else the same kind of thing.
template <class Ours, class Theirs>
constexpr bool is_passed_alike() {
  const auto is_word = [](auto of) {
    using T = typename decltype(of)::type;
    return std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;
  };
  using std::type_identity;
  if (is_word(type_identity<Ours>()) && is_word(type_identity<Theirs>()))
    return sizeof(Ours) == sizeof(Theirs);
  return sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs) &&
         std::is_class_v<Ours> == std::is_class_v<Theirs>;
}

template <class Ours, class Theirs>
struct Alike : std::false_type {};
template <class R, class... Ours, class S, class... Theirs>
requires(sizeof...(Ours) == sizeof...(Theirs)) struct Alike<R (*)(Ours...), S (*)(Theirs...)>
    : std::bool_constant<is_passed_alike<R, S>() && (is_passed_alike<Ours, Theirs>() && ...)> {
};

#define TUNECHECK_ALIKE(member, function) \
  static_assert(Alike<decltype(DriverFunctions::member), decltype(&function)>::value, #function)

// HIP calls all that is about contexts deprecated; its devices stand for them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TUNECHECK_ALIKE(init, hipInit);
TUNECHECK_ALIKE(driver_version, hipRuntimeGetVersion);
TUNECHECK_ALIKE(device_count, hipGetDeviceCount);
TUNECHECK_ALIKE(device_get, hipDeviceGet);
TUNECHECK_ALIKE(device_name, hipDeviceGetName);
TUNECHECK_ALIKE(device_attribute, hipDeviceGetAttribute);
TUNECHECK_ALIKE(device_bus, hipDeviceGetPCIBusId);
TUNECHECK_ALIKE(primary_context, hipDevicePrimaryCtxRetain);
TUNECHECK_ALIKE(current_context, hipCtxGetCurrent);
TUNECHECK_ALIKE(set_current, hipCtxSetCurrent);
TUNECHECK_ALIKE(context_device, hipCtxGetDevice);
TUNECHECK_ALIKE(synchronize, hipDeviceSynchronize);
TUNECHECK_ALIKE(memory_info, hipMemGetInfo);
// hipMalloc has overloads in C++.
static_assert(Alike<decltype(DriverFunctions::allocate),
                    decltype(static_cast<hipError_t (*)(void**, size_t)>(hipMalloc))>::value);
TUNECHECK_ALIKE(release, hipFree);
TUNECHECK_ALIKE(copy, hipMemcpyDtoDAsync);
TUNECHECK_ALIKE(copy_in, hipMemcpyHtoD);
TUNECHECK_ALIKE(copy_out, hipMemcpyDtoH);
TUNECHECK_ALIKE(fill8, hipMemsetD8Async);
TUNECHECK_ALIKE(fill16, hipMemsetD16Async);
TUNECHECK_ALIKE(fill32, hipMemsetD32Async);
TUNECHECK_ALIKE(address_range, hipMemGetAddressRange);
TUNECHECK_ALIKE(ipc_export, hipIpcGetMemHandle);
TUNECHECK_ALIKE(ipc_open, hipIpcOpenMemHandle);
TUNECHECK_ALIKE(ipc_close, hipIpcCloseMemHandle);
TUNECHECK_ALIKE(module_load, hipModuleLoadData);
TUNECHECK_ALIKE(module_unload, hipModuleUnload);
TUNECHECK_ALIKE(module_function, hipModuleGetFunction);
TUNECHECK_ALIKE(launch, hipModuleLaunchKernel);
TUNECHECK_ALIKE(stream_create, hipStreamCreateWithFlags);
TUNECHECK_ALIKE(stream_destroy, hipStreamDestroy);
TUNECHECK_ALIKE(stream_synchronize, hipStreamSynchronize);
TUNECHECK_ALIKE(stream_is_capturing, hipStreamIsCapturing);
TUNECHECK_ALIKE(exchange_capture_mode, hipThreadExchangeStreamCaptureMode);
TUNECHECK_ALIKE(event_create, hipEventCreateWithFlags);
TUNECHECK_ALIKE(event_destroy, hipEventDestroy);
TUNECHECK_ALIKE(event_record, hipEventRecord);
TUNECHECK_ALIKE(event_synchronize, hipEventSynchronize);
TUNECHECK_ALIKE(event_elapsed, hipEventElapsedTime);
TUNECHECK_ALIKE(hip_error_text, hipGetErrorString);

// What the probe calls itself.
#define TUNECHECK_PROBE_ALIKE(member, function) \
  static_assert(Alike<decltype(hip::Functions::member), decltype(&function)>::value, #function)
TUNECHECK_PROBE_ALIKE(error_name, hipGetErrorName);
TUNECHECK_PROBE_ALIKE(version, hipRuntimeGetVersion);
TUNECHECK_PROBE_ALIKE(current_context, hipCtxGetCurrent);
TUNECHECK_PROBE_ALIKE(context_device, hipCtxGetDevice);
TUNECHECK_PROBE_ALIKE(device_attribute, hipDeviceGetAttribute);
TUNECHECK_PROBE_ALIKE(exchange_capture_mode, hipThreadExchangeStreamCaptureMode);
TUNECHECK_PROBE_ALIKE(is_capturing, hipStreamIsCapturing);
TUNECHECK_PROBE_ALIKE(synchronize, hipStreamSynchronize);
static_assert(Alike<decltype(hip::Functions::allocate),
                    decltype(static_cast<hipError_t (*)(void**, size_t)>(hipMalloc))>::value);
TUNECHECK_PROBE_ALIKE(fill, hipMemsetD8Async);
TUNECHECK_PROBE_ALIKE(copy_to_host, hipMemcpyDtoHAsync);
TUNECHECK_PROBE_ALIKE(address_range, hipMemGetAddressRange);
TUNECHECK_PROBE_ALIKE(peek_error, hipPeekAtLastError);
TUNECHECK_PROBE_ALIKE(take_error, hipGetLastError);
TUNECHECK_PROBE_ALIKE(graph_nodes, hipGraphGetNodes);
TUNECHECK_PROBE_ALIKE(node_type, hipGraphNodeGetType);
TUNECHECK_PROBE_ALIKE(kernel_node, hipGraphKernelNodeGetParams);
TUNECHECK_PROBE_ALIKE(child_graph, hipGraphChildGraphNodeGetGraph);

// What stands in for a function, whose arguments are given to it as they came.
template <class... Parameters>
using Call = hip::Status (*)(Parameters...);
#define TUNECHECK_STAND_IN(function, ...) \
  static_assert(Alike<Call<__VA_ARGS__>, decltype(&function)>::value, #function)
using Size = std::size_t;
using From = const void*;
TUNECHECK_STAND_IN(hipModuleLaunchKernel, void*, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, void*, void**, void**);
TUNECHECK_STAND_IN(hipExtModuleLaunchKernel, void*, std::uint32_t, std::uint32_t, std::uint32_t,
                   std::uint32_t, std::uint32_t, std::uint32_t, Size, void*, void**, void**, void*,
                   void*, std::uint32_t);
using Launch = hipError_t (*)(From, dim3, dim3, void**, Size, hipStream_t);
static_assert(Alike<Call<From, hip::Dimensions, hip::Dimensions, void**, Size, void*>,
                    decltype(static_cast<Launch>(hipLaunchKernel))>::value);
using Cooperative = hipError_t (*)(From, dim3, dim3, void**, unsigned, hipStream_t);
static_assert(Alike<Call<From, hip::Dimensions, hip::Dimensions, void**, unsigned, void*>,
                    decltype(static_cast<Cooperative>(hipLaunchCooperativeKernel))>::value);
TUNECHECK_STAND_IN(hipExtLaunchKernel, From, hip::Dimensions, hip::Dimensions, void**, Size, void*,
                   void*, void*, int);
TUNECHECK_STAND_IN(hipModuleLoad, void**, const char*);
TUNECHECK_STAND_IN(hipModuleLoadData, void**, From);
TUNECHECK_STAND_IN(hipModuleLoadDataEx, void**, From, unsigned, int*, void**);
TUNECHECK_STAND_IN(hipModuleUnload, void*);
TUNECHECK_STAND_IN(hipModuleGetFunction, void**, void*, const char*);
TUNECHECK_STAND_IN(hipEventRecord, void*, void*);
TUNECHECK_STAND_IN(hipGraphLaunch, void*, void*);
TUNECHECK_STAND_IN(hipGraphInstantiate, void**, void*, void**, char*, Size);
TUNECHECK_STAND_IN(hipGraphInstantiateWithFlags, void**, void*, unsigned long long);
TUNECHECK_STAND_IN(hipGraphExecUpdate, void*, void*, void**, int*);
TUNECHECK_STAND_IN(hipGraphExecKernelNodeSetParams, void*, void*, const hip::KernelNodeParameters*);
TUNECHECK_STAND_IN(hipGraphExecDestroy, void*);
TUNECHECK_STAND_IN(hipStreamDestroy, void*);
TUNECHECK_STAND_IN(hipStreamWaitEvent, void*, void*, unsigned);
TUNECHECK_STAND_IN(hipStreamAddCallback, void*, void*, void*, unsigned);
TUNECHECK_STAND_IN(hipLaunchHostFunc, void*, void*, void*);
TUNECHECK_STAND_IN(hipStreamWaitValue32, void*, void*, std::uint32_t, unsigned, std::uint32_t);
TUNECHECK_STAND_IN(hipStreamWriteValue32, void*, void*, std::uint32_t, unsigned);
TUNECHECK_STAND_IN(hipStreamWriteValue64, void*, void*, std::uint64_t, unsigned);
TUNECHECK_STAND_IN(hipStreamBeginCapture, void*, int);
TUNECHECK_STAND_IN(hipStreamEndCapture, void*, void**);
TUNECHECK_STAND_IN(hipFree, void*);
TUNECHECK_STAND_IN(hipFreeAsync, void*, void*);
TUNECHECK_STAND_IN(hipMemcpy, void*, From, Size, int);
TUNECHECK_STAND_IN(hipMemcpyAsync, void*, From, Size, int, void*);
TUNECHECK_STAND_IN(hipMemcpyWithStream, void*, From, Size, int, void*);
TUNECHECK_STAND_IN(hipMemcpyDtoD, void*, void*, Size);
TUNECHECK_STAND_IN(hipMemcpyDtoDAsync, void*, void*, Size, void*);
TUNECHECK_STAND_IN(hipMemcpyHtoD, void*, void*, Size);
TUNECHECK_STAND_IN(hipMemcpyHtoDAsync, void*, void*, Size, void*);
TUNECHECK_STAND_IN(hipMemcpyDtoH, void*, void*, Size);
TUNECHECK_STAND_IN(hipMemcpyPeer, void*, int, From, int, Size);
TUNECHECK_STAND_IN(hipMemcpyPeerAsync, void*, int, From, int, Size, void*);
TUNECHECK_STAND_IN(hipMemcpy2D, void*, Size, From, Size, Size, Size, int);
TUNECHECK_STAND_IN(hipMemcpy2DAsync, void*, Size, From, Size, Size, Size, int, void*);
TUNECHECK_STAND_IN(hipMemcpyParam2D, From);
TUNECHECK_STAND_IN(hipMemcpyParam2DAsync, From, void*);
TUNECHECK_STAND_IN(hipMemcpy3D, From);
TUNECHECK_STAND_IN(hipMemcpy3DAsync, From, void*);
TUNECHECK_STAND_IN(hipDrvMemcpy3D, From);
TUNECHECK_STAND_IN(hipDrvMemcpy3DAsync, From, void*);
TUNECHECK_STAND_IN(hipMemset, void*, int, Size);
TUNECHECK_STAND_IN(hipMemsetAsync, void*, int, Size, void*);
TUNECHECK_STAND_IN(hipMemsetD8, void*, unsigned char, Size);
TUNECHECK_STAND_IN(hipMemsetD16, void*, unsigned short, Size);
TUNECHECK_STAND_IN(hipMemsetD16Async, void*, unsigned short, Size, void*);
TUNECHECK_STAND_IN(hipMemsetD32, void*, int, Size);
TUNECHECK_STAND_IN(hipMemsetD32Async, void*, int, Size, void*);
TUNECHECK_STAND_IN(hipMemset2D, void*, Size, int, Size, Size);
TUNECHECK_STAND_IN(hipMemset2DAsync, void*, Size, int, Size, Size, void*);
#pragma GCC diagnostic pop

static_assert(sizeof(hip::KernelNodeParameters) == sizeof(hipKernelNodeParams));
static_assert(offsetof(hip::KernelNodeParameters, extra) == offsetof(hipKernelNodeParams, extra));
static_assert(offsetof(hip::KernelNodeParameters, function) == offsetof(hipKernelNodeParams, func));
static_assert(offsetof(hip::KernelNodeParameters, parameters) ==
              offsetof(hipKernelNodeParams, kernelParams));
static_assert(hip::l2_bytes_attribute == hipDeviceAttributeL2CacheSize);
static_assert(hip::node_types(HIP_VERSION_MAJOR).kernel == hipGraphNodeTypeKernel);
static_assert(hip::node_types(HIP_VERSION_MAJOR).graph == hipGraphNodeTypeGraph);

static_assert(hip_attributes.l2_bytes == hipDeviceAttributeL2CacheSize);
static_assert(hip_attributes.warp_size == hipDeviceAttributeWarpSize);
static_assert(hip_attributes.multiprocessors == hipDeviceAttributeMultiprocessorCount);
static_assert(hip_attributes.major == hipDeviceAttributeComputeCapabilityMajor);
static_assert(hip_attributes.minor == hipDeviceAttributeComputeCapabilityMinor);

static_assert(hipSuccess == 0 && hipErrorNoDevice == 100 && hipErrorInvalidDevice == 101);
static_assert(hipStreamNonBlocking == 1 && hipEventDefault == 0);
static_assert(hipStreamCaptureStatusNone == 0 && hipStreamCaptureModeRelaxed == 2);
static_assert(ipc_open_flags(true, HIP_VERSION_MAJOR) == hipIpcMemLazyEnablePeerAccess);

TEST(HipHeaders, hold_the_arch_where_it_is_looked_for) {
  const auto properties = std::make_unique<hipDeviceProp_t>();
  std::memset(static_cast<void*>(properties.get()), 0, sizeof *properties);
  static_assert(sizeof(hipDeviceProp_t) < 16384 && offsetof(hipDeviceProp_t, name) == 0 &&
                sizeof properties->name == 256);
  std::strcpy(properties->name, "gfx1, a card");
  std::strcpy(properties->gcnArchName, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(gcn_arch_in({reinterpret_cast<const char*>(properties.get()), sizeof *properties}),
            "gfx90a:sramecc+:xnack-");
}

}  // namespace
}  // namespace tunecheck::gpu
