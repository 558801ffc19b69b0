#include "observe/tools.hpp"

#include "core/resources.hpp"

namespace tunecheck {
Result<std::filesystem::path> find_compiler_spy() {
  return find_own_file("tunecheck-cxx-spy");
}

Result<std::filesystem::path> find_launch_probe() {
  return find_own_file("libtunecheck-probe.so");
}

Result<std::filesystem::path> find_fault_library() {
  return find_own_file("libtunecheck-faults.so");
}

Result<std::filesystem::path> find_fftw_probe() {
  return find_own_file("libtunecheck-fftw-probe.so");
}

Result<std::filesystem::path> find_library_spy(DeviceKind backend) {
  return find_own_file(backend == DeviceKind::hip ? "libtunecheck-hiprtc-spy.so"
                                                  : "libtunecheck-nvrtc-spy.so");
}

Result<std::filesystem::path> find_gpu_probe(DeviceKind backend) {
  return find_own_file(backend == DeviceKind::hip ? "libtunecheck-hip-probe.so"
                                                  : "libtunecheck-gpu-probe.so");
}

Result<std::filesystem::path> find_vulkan_layer() {
  return find_own_file("tunecheck-vulkan-layer.json");
}

Result<std::filesystem::path> find_watch_library() {
  return find_own_file("libtunecheck-watch-cpu.so");
}

Result<std::filesystem::path> find_gpu_watch_library() {
  return find_own_file("libtunecheck-watch-cuda.so");
}

}  // namespace tunecheck
