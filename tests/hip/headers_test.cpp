// What we declare of HIP, against the headers of an installed one.
#define __HIP_PLATFORM_AMD__ 1
#include <cstring>
#include <memory>
#include <type_traits>

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include "backend/gpu/driver/device.hpp"

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
#pragma GCC diagnostic pop

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
