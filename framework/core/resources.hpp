#pragma once
// Where tunecheck's own files are: beside the source tree it was built in, or where it was
// installed.
#include <filesystem>
#include <string>

#include "core/result.hpp"

namespace tunecheck {

/// The folder of the running program.
[[nodiscard]] std::filesystem::path program_folder();

/// A program or library that tunecheck starts or loads: next to this code, or in bin or
/// lib/tunecheck of its prefix; last, where the running program is, which may be another
/// installation's. The error says that it is missing.
[[nodiscard]] Result<std::filesystem::path> find_own_file(const std::string& name);

/// Folders of the files that tunecheck ships. TUNECHECK_ROOT names another root; else an installed
/// program uses <prefix>/share/tunecheck and one in a build folder the source tree.
struct Resources {
  std::filesystem::path kernels;
  std::filesystem::path scenarios;
  std::filesystem::path adapters;     ///< folders with an adapter.info each
  std::filesystem::path include;      ///< holds tunecheck/cpu_kernel.h and tunecheck/reference.h
  std::filesystem::path gpu_include;  ///< holds tunecheck/gpu_kernel.h
  std::filesystem::path templates;    ///< what `tunecheck new` starts from
};
[[nodiscard]] Resources find_resources();

/// An error about something below the root that TUNECHECK_ROOT names, if it is not there or is a
/// folder that lacks something, with the variable: it is why tunecheck looked there. Others as they
/// are.
[[nodiscard]] Error with_root(Error error);

}  // namespace tunecheck
