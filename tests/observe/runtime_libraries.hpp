#pragma once
// Where the real runtime compilers and HIP's runtime are, for tests that go around the backend.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/resources.hpp"

namespace tunecheck::test {

/// The file of NVRTC; empty where there is none.
inline std::filesystem::path find_nvrtc() {
  namespace fs = std::filesystem;
  std::error_code error;
  if (const char* const named = std::getenv("TUNECHECK_NVRTC")) return named;
  for (const auto& python :
       fs::directory_iterator(find_resources().kernels.parent_path() / ".venv/lib", error)) {
    const fs::path file = python.path() / "site-packages/nvidia/cu13/lib/libnvrtc.so.13";
    if (fs::exists(file, error)) return file;
  }
  const fs::path toolkit = "/usr/local/cuda/lib64/libnvrtc.so.13";
  return fs::exists(toolkit, error) ? toolkit : fs::path();
}

/// The file of HIPRTC; empty where there is none.
inline std::filesystem::path find_hiprtc() {
  namespace fs = std::filesystem;
  std::error_code error;
  for (const char* const file :
       {"/opt/rocm/lib/libhiprtc.so", "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5"})
    if (fs::exists(file, error)) return file;
  return {};
}

/// The file of HIP's runtime; empty where there is none.
inline std::filesystem::path find_hip() {
  namespace fs = std::filesystem;
  std::error_code error;
  for (const char* const file :
       {"/opt/rocm/lib/libamdhip64.so", "/usr/lib/x86_64-linux-gnu/libamdhip64.so.5"})
    if (fs::exists(file, error)) return file;
  return {};
}

}  // namespace tunecheck::test
