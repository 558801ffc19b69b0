#include "observe/gpu/cuda/subscribe.hpp"

#include <dlfcn.h>

namespace tunecheck::gpu {
namespace {

template <class Function>
Result<void> call_cupti(void* library, const char* name, auto... arguments) {
  const auto function = reinterpret_cast<Function*>(::dlsym(library, name));
  if (function == nullptr) return failure("CUPTI has no {}", name);
  const CUptiResult status = function(arguments...);
  if (status != CUPTI_SUCCESS) return failure("{} answers {}", name, static_cast<int>(status));
  return {};
}

}  // namespace

Result<void> subscribe_to_driver(void* cupti, CUpti_CallbackFunc on_call) {
  CUpti_SubscriberHandle subscriber = nullptr;
  TUNECHECK_CHECK(
      call_cupti<decltype(cuptiSubscribe)>(cupti, "cuptiSubscribe", &subscriber, on_call, nullptr));
  return call_cupti<decltype(cuptiEnableDomain)>(cupti, "cuptiEnableDomain", 1U, subscriber,
                                                 CUPTI_CB_DOMAIN_DRIVER_API);
}

}  // namespace tunecheck::gpu
