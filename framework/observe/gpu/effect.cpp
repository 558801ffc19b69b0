#include "observe/gpu/effect.hpp"

#include <algorithm>
#include <string_view>

namespace tunecheck::gpu {
namespace {

constexpr std::string_view waits[] = {"cuStreamSynchronize", "cuEventSynchronize",
                                      "cuCtxSynchronize"};
constexpr std::string_view asks[] = {"cuCtxGet",
                                     "cuCtxSetCurrent",
                                     "cuCtxPushCurrent",
                                     "cuCtxPopCurrent",
                                     "cuDeviceGet",
                                     "cuDevicePrimaryCtxGetState",
                                     "cuDriverGetVersion",
                                     "cuEventCreate",
                                     "cuEventElapsedTime",
                                     "cuEventQuery",
                                     "cuFuncGet",
                                     "cuFuncSet",
                                     "cuFuncIsLoaded",
                                     "cuGetError",
                                     "cuGetExportTable",
                                     "cuGetProcAddress",
                                     "cuKernelGet",
                                     "cuKernelSet",
                                     "cuLibraryEnumerate",
                                     "cuLibraryGet",
                                     "cuMemGetAddressRange",
                                     "cuMemGetInfo",
                                     "cuModuleEnumerate",
                                     "cuModuleGet",
                                     "cuOccupancy",
                                     "cuPointerGet",
                                     "cuStreamGet",
                                     "cuStreamIsCapturing",
                                     "cuStreamQuery",
                                     "cuTensorMapEncode",
                                     "cuThreadExchangeStreamCaptureMode"};

}  // namespace

Effect effect_of(std::string_view function) noexcept {
  const auto begins_name = [&](std::string_view begin) { return function.starts_with(begin); };
  if (std::any_of(std::begin(waits), std::end(waits), begins_name)) return Effect::wait;
  if (std::any_of(std::begin(asks), std::end(asks), begins_name)) return Effect::none;
  return Effect::any;
}

}  // namespace tunecheck::gpu
