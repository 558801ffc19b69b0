#pragma once
// The driver's calls, told apart.
#include "observe/gpu/cuda/cuda_headers.hpp"
#include "observe/gpu/recorder.hpp"

namespace tunecheck::gpu {

/// Tells the recorder of a call that CUPTI reports, at its beginning and at its end.
void tell(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data) noexcept;

}  // namespace tunecheck::gpu
