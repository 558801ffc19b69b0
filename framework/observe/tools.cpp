#include "observe/tools.hpp"

#include "core/resources.hpp"

namespace tunecheck {
namespace {

Result<std::filesystem::path> find_tool(const char* name) {
  const std::filesystem::path here = program_folder();
  std::error_code error;
  for (const auto& folder : {here, here.parent_path() / "lib" / "tunecheck"})
    if (std::filesystem::is_regular_file(folder / name, error)) return folder / name;
  return failure(Error{ErrorKind::machine,
                       "this part of tunecheck is missing; build or install all of it",
                       (here / name).string(),
                       0,
                       {}});
}

}  // namespace

Result<std::filesystem::path> find_compiler_spy() {
  return find_tool("tunecheck-cxx-spy");
}

Result<std::filesystem::path> find_launch_probe() {
  return find_tool("libtunecheck-probe.so");
}

Result<std::filesystem::path> find_fault_library() {
  return find_tool("libtunecheck-faults.so");
}

Result<std::filesystem::path> find_library_spy(DeviceKind backend) {
  return find_tool(backend == DeviceKind::hip ? "libtunecheck-hiprtc-spy.so"
                                              : "libtunecheck-nvrtc-spy.so");
}

Result<std::filesystem::path> find_gpu_probe(DeviceKind backend) {
  return find_tool(backend == DeviceKind::hip ? "libtunecheck-hip-probe.so"
                                              : "libtunecheck-gpu-probe.so");
}

}  // namespace tunecheck
