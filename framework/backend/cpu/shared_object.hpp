#pragma once
// Compiling one source file to a shared object.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cpu/toolchain.hpp"

namespace tunecheck {

inline constexpr std::chrono::milliseconds default_compile_time_limit = std::chrono::minutes(1);

struct SharedObjectRequest {
  /// The compiler runs in it: relative paths in options and in complaints are relative to it.
  std::filesystem::path folder;
  std::filesystem::path source;      ///< relative to the folder, or absolute
  std::vector<std::string> options;  ///< after tunecheck's own
  std::chrono::milliseconds time_limit = default_compile_time_limit;
};

/// tunecheck's own: C++20, -O3, and the headers that kernels include.
[[nodiscard]] std::vector<std::string> shared_object_options();

/// C++20, -O3, tunecheck's headers in reach. The bytes do not depend on where the folder, the
/// headers or the temporary files are. Nothing is written to the folder. The error is the
/// compiler's first line with "error:" as it stands, else how the compiler ended and its last line.
[[nodiscard]] Result<Artifact> compile_shared_object(const Toolchain& toolchain,
                                                     const SharedObjectRequest& request);

/// A kernel's reference.cpp, ready for load_reference().
[[nodiscard]] Result<Artifact> compile_reference(const Toolchain& toolchain,
                                                 const KernelDefinition& kernel);

}  // namespace tunecheck
