#pragma once
// CUDA's headers for those who read the arguments of driver calls. CUPTI's structures of them need
// the driver's internal names, which are the plain ones: no function is renamed by a macro.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <generated_cuda_meta.h>
