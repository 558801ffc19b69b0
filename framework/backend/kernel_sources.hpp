#pragma once
// The source texts that a kernel is compiled from, found as a compiler would.
#include <filesystem>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace tunecheck {

struct SourceSearch {
  std::filesystem::path folder;  ///< of the kernel; relative options start here
  std::filesystem::path source;
  std::filesystem::path own_headers;      ///< tunecheck's, which belong to every kernel
  std::vector<std::string> options = {};  ///< -I, -iquote, -isystem and -include are followed
};

/// Follows each #include that leads to a file of the kernel's or tunecheck's; conditions are not
/// evaluated.
[[nodiscard]] Result<KernelSources> collect_sources(const SourceSearch& search);

/// Whether all sources of a kernel and their headers can be read, its reference among them. A
/// compiler that opens a pipe waits until it is killed.
[[nodiscard]] Result<void> check_sources(const KernelDefinition& kernel);

}  // namespace tunecheck
