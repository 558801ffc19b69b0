#pragma once
// The entry points of a GPU's driver that tunecheck uses. CUDA's driver API and HIP's runtime have
// the same ones under other names, with arguments of the same sizes (docs.nvidia.com/cuda,
// "CUDA Driver API"; rocm.docs.amd.com, "HIP Runtime API").
#include <array>
#include <cstddef>
#include <cstdint>

namespace tunecheck::gpu {

using Status = int;  ///< CUresult or hipError_t; 0 is success
using Context = void*;
using ModuleHandle = void*;
using Function = void*;
using StreamHandle = void*;
using Event = void*;
using Graph = void*;
using GraphRun = void*;  ///< CUgraphExec, hipGraphExec_t
using Address = std::uint64_t;

/// Names memory for another process: CUipcMemHandle, hipIpcMemHandle_t.
struct IpcHandle {
  std::array<unsigned char, 64> bytes;
};

/// CUlaunchConfig.
struct LaunchConfig {
  std::array<unsigned, 3> grid;
  std::array<unsigned, 3> threads;
  unsigned shared_bytes;
  StreamHandle stream;
  void* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56);

/// Null where the library lacks it: those about graphs, host functions and further contexts and
/// launch_configured may be, and each those of the other library alone.
struct DriverFunctions {
  Status (*init)(unsigned flags);
  Status (*driver_version)(int* version);
  Status (*device_count)(int* count);
  Status (*device_get)(int* device, int ordinal);
  Status (*device_name)(char* name, int bytes, int device);
  Status (*device_attribute)(int* value, int attribute, int device);
  Status (*device_bus)(char* text, int bytes, int device);
  Status (*primary_context)(Context* context, int device);
  Status (*current_context)(Context* context);
  Status (*set_current)(Context context);
  Status (*context_device)(int* device);
  Status (*synchronize)();
  Status (*memory_info)(std::size_t* free_bytes, std::size_t* all_bytes);
  Status (*allocate)(Address* address, std::size_t bytes);
  Status (*release)(Address address);
  Status (*copy)(Address to, Address from, std::size_t bytes, StreamHandle stream);
  Status (*copy_in)(Address to, const void* from, std::size_t bytes);
  Status (*copy_out)(void* to, Address from, std::size_t bytes);
  Status (*fill8)(Address to, unsigned char value, std::size_t count, StreamHandle stream);
  Status (*fill16)(Address to, unsigned short value, std::size_t count, StreamHandle stream);
  Status (*fill32)(Address to, unsigned value, std::size_t count, StreamHandle stream);
  Status (*address_range)(Address* base, std::size_t* bytes, Address address);
  Status (*ipc_export)(IpcHandle* handle, Address address);
  Status (*ipc_open)(Address* address, IpcHandle handle, unsigned flags);
  Status (*ipc_close)(Address address);
  Status (*module_load)(ModuleHandle* module, const void* image);
  Status (*module_unload)(ModuleHandle module);
  Status (*module_function)(Function* function, ModuleHandle module, const char* name);
  Status (*function_attribute)(Function function, int attribute, int value);
  Status (*launch)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned threads_x, unsigned threads_y, unsigned threads_z,
                   unsigned shared_bytes, StreamHandle stream, void** parameters, void** extra);
  /// The same in less time; CUDA alone, since 11.8.
  Status (*launch_configured)(const LaunchConfig* config, Function function, void** parameters,
                              void** extra);
  Status (*stream_create)(StreamHandle* stream, unsigned flags);
  Status (*stream_destroy)(StreamHandle stream);
  Status (*stream_synchronize)(StreamHandle stream);
  Status (*stream_is_capturing)(StreamHandle stream, int* state);
  Status (*exchange_capture_mode)(int* mode);
  Status (*capture_begin)(StreamHandle stream, int mode);
  Status (*capture_end)(StreamHandle stream, Graph* graph);
  Status (*graph_instantiate)(GraphRun* run, Graph graph, unsigned long long flags);
  Status (*graph_launch)(GraphRun run, StreamHandle stream);
  Status (*graph_run_destroy)(GraphRun run);
  Status (*graph_destroy)(Graph graph);
  Status (*host_function)(StreamHandle stream, void (*function)(void*), void* data);
  Status (*context_create)(Context* context, unsigned flags, int device);
  Status (*event_create)(Event* event, unsigned flags);
  Status (*event_destroy)(Event event);
  Status (*event_record)(Event event, StreamHandle stream);
  Status (*event_synchronize)(Event event);
  Status (*event_elapsed)(float* milliseconds, Event start, Event end);
  Status (*cuda_error_text)(Status status, const char** text);  ///< CUDA alone
  const char* (*hip_error_text)(Status status);                 ///< HIP alone
  Status (*hip_properties)(void* properties, int device);       ///< HIP alone
};

/// The numbers of what a device is asked for, which CUDA and HIP count differently.
struct DeviceAttributes {
  int l2_bytes = 0;
  int warp_size = 0;
  int multiprocessors = 0;
  int major = 0;  ///< of the compute capability
  int minor = 0;
};
/// CUdevice_attribute of cuda.h.
inline constexpr DeviceAttributes cuda_attributes = {38, 10, 16, 75, 76};
/// hipDeviceAttribute_t of hip_runtime_api.h, the same in HIP 5 and HIP 6.
inline constexpr DeviceAttributes hip_attributes = {19, 87, 63, 23, 61};

/// The one value of `flags` with which ipc_open opens memory. HIP took 0 alone before version 6,
/// and takes CUDA's CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS alone since.
[[nodiscard]] constexpr unsigned ipc_open_flags(bool is_hip, int major_version) {
  return is_hip && major_version < 6 ? 0 : 1;
}

}  // namespace tunecheck::gpu
