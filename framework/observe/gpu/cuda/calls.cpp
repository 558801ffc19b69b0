#include "observe/gpu/cuda/calls.hpp"

#include <array>
#include <atomic>

#include "observe/gpu/cuda/cuda_driver.hpp"
#include "observe/gpu/effect.hpp"

namespace tunecheck::gpu {
namespace {

template <class Parameters>
const Parameters& parameters(const CUpti_CallbackData& data) {
  return *static_cast<const Parameters*>(data.functionParams);
}

bool begins(const CUpti_CallbackData& data) {
  return data.callbackSite == CUPTI_API_ENTER;
}

int status_of(const CUpti_CallbackData& data) {
  return static_cast<int>(*static_cast<const CUresult*>(data.functionReturnValue));
}

bool succeeded(const CUpti_CallbackData& data) {
  return !begins(data) && status_of(data) == CUDA_SUCCESS;
}

// Variants of calls for which no stream means the thread's own.
bool is_per_thread(CUpti_CallbackId call) {
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecord_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
      return true;
    default:
      return false;
  }
}

Place place_of(CUpti_CallbackId call, const CUpti_CallbackData& data, CUstream stream) {
  if (stream == nullptr && is_per_thread(call)) stream = CU_STREAM_PER_THREAD;
  return {data.contextUid, stream};
}

void tell_launch(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data,
                 CUstream stream, CUfunction function, const Arguments& arguments) {
  if (begins(data))
    recorder.launch_begins(place_of(call, data, stream), data.symbolName, function, arguments);
  else
    recorder.launch_ends(status_of(data));
}

void tell_event(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data,
                CUstream stream) {
  if (begins(data))
    recorder.event_begins(place_of(call, data, stream));
  else
    recorder.event_ends();
}

// All others. What a call can do is found out once.
void tell_other(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data) {
  static std::array<std::atomic<signed char>, 4096> known{};  // 0, or 1 + Effect
  if (!begins(data)) return;
  const std::size_t index = call % known.size();
  signed char effect = known[index].load(std::memory_order_relaxed);
  if (effect == 0) {
    effect = static_cast<signed char>(1 + static_cast<int>(effect_of(data.functionName)));
    known[index].store(effect, std::memory_order_relaxed);
  }
  switch (static_cast<Effect>(effect - 1)) {
    case Effect::none:
      return;
    case Effect::wait:
      return recorder.wait_begins();
    case Effect::any:
      return recorder.other_work_begins();
  }
}

// Calls after which code is loaded.
void tell_of_load(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data) {
  if (begins(data)) return recorder.other_work_begins();
  const int status = status_of(data);
  const auto image = [&](const void* owner, const void* bytes) {
    recorder.image_loaded(owner, bytes, status);
  };
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoad: {
      const auto& load = parameters<cuModuleLoad_params>(data);
      return recorder.file_loaded(*load.module, load.fname, status);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData: {
      const auto& load = parameters<cuModuleLoadData_params>(data);
      return image(*load.module, load.image);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx: {
      const auto& load = parameters<cuModuleLoadDataEx_params>(data);
      return image(*load.module, load.image);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary: {
      const auto& load = parameters<cuModuleLoadFatBinary_params>(data);
      return image(*load.module, load.fatCubin);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData: {
      const auto& load = parameters<cuLibraryLoadData_params>(data);
      return image(*load.library, load.code);
    }
    default: {
      const auto& load = parameters<cuLibraryLoadFromFile_params>(data);
      return recorder.file_loaded(*load.library, load.fileName, status);
    }
  }
}

// Calls that hand out a function.
void tell_of_function(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data) {
  if (!succeeded(data)) return;
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction: {
      const auto& get = parameters<cuModuleGetFunction_params>(data);
      return recorder.function_found(*get.hfunc, get.hmod, false);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel: {
      const auto& get = parameters<cuLibraryGetKernel_params>(data);
      return recorder.function_found(*get.pKernel, get.library, true);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction: {
      const auto& get = parameters<cuKernelGetFunction_params>(data);
      return recorder.function_found(*get.pFunc, get.kernel, false);
    }
    default: {
      const auto& get = parameters<cuLibraryGetModule_params>(data);
      return recorder.module_found(*get.pMod, get.library);
    }
  }
}

void tell_of_graph(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data) {
  if (begins(data)) return recorder.other_work_begins();
  if (!succeeded(data)) return;
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate: {
      const auto& update = parameters<cuGraphExecUpdate_params>(data);
      return recorder.graph_instantiated(update.hGraphExec, update.hGraph);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2: {
      const auto& update = parameters<cuGraphExecUpdate_v2_params>(data);
      return recorder.graph_instantiated(update.hGraphExec, update.hGraph);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2: {
      const auto& set = parameters<cuGraphExecKernelNodeSetParams_v2_params>(data);
      return recorder.graph_node_changed(set.hGraphExec,
                                         CudaDriver::node_of(set.hNode, *set.nodeParams));
    }
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy:
      return recorder.graph_destroyed(parameters<cuGraphExecDestroy_params>(data).hGraphExec);
    default: {
      // All of these begin with the same two parameters.
      const auto& made = parameters<cuGraphInstantiateWithFlags_params>(data);
      return recorder.graph_instantiated(*made.phGraphExec, made.hGraph);
    }
  }
}

}  // namespace

void tell(Recorder& recorder, CUpti_CallbackId call, const CUpti_CallbackData& data) noexcept {
  switch (call) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
      const auto& launch = parameters<cuLaunchKernel_params>(data);
      return tell_launch(recorder, call, data, launch.hStream, launch.f,
                         {launch.kernelParams, launch.extra});
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto& launch = parameters<cuLaunchKernelEx_params>(data);
      return tell_launch(recorder, call, data,
                         launch.config != nullptr ? launch.config->hStream : nullptr, launch.f,
                         {launch.kernelParams, launch.extra});
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
      const auto& launch = parameters<cuLaunchCooperativeKernel_params>(data);
      return tell_launch(recorder, call, data, launch.hStream, launch.f,
                         {launch.kernelParams, nullptr});
    }
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecord:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecord_ptsz:
      return tell_event(recorder, call, data, parameters<cuEventRecord_params>(data).hStream);
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags:
    case CUPTI_DRIVER_TRACE_CBID_cuEventRecordWithFlags_ptsz:
      return tell_event(recorder, call, data,
                        parameters<cuEventRecordWithFlags_params>(data).hStream);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz: {
      const auto& launch = parameters<cuGraphLaunch_params>(data);
      if (!begins(data)) return recorder.graph_launch_ends(status_of(data));
      return recorder.graph_launch_begins(place_of(call, data, launch.hStream), launch.hGraph);
    }
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoad:
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData:
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx:
    case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile:
      return tell_of_load(recorder, call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuModuleUnload:
      if (succeeded(data)) recorder.code_unloaded(parameters<cuModuleUnload_params>(data).hmod);
      return tell_other(recorder, call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload:
      if (succeeded(data)) recorder.code_unloaded(parameters<cuLibraryUnload_params>(data).library);
      return tell_other(recorder, call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction:
    case CUPTI_DRIVER_TRACE_CBID_cuLibraryGetModule:
      return tell_of_function(recorder, call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiate_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy:
      return tell_of_graph(recorder, call, data);
    case CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy:
    case CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy_v2:
      if (begins(data))
        recorder.stream_destroyed(
            place_of(call, data, parameters<cuStreamDestroy_v2_params>(data).hStream));
      return;
    default:
      return tell_other(recorder, call, data);
  }
}

}  // namespace tunecheck::gpu
