#pragma once
// The machine's compiler, with the outputs of all tests' earlier compiles: a spy is one that passes
// commands on and answers from a store. Tests that run tunecheck as a user does compile the same
// few kernels hundreds of times.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"

namespace tunecheck::test {

/// For TUNECHECK_CXX; "" where there is no compiler. Made once beside the programs, and shared by
/// all processes.
[[nodiscard]] inline std::string cached_compiler() {
  static const std::string made = []() -> std::string {
    namespace fs = std::filesystem;
    const fs::path real = find_program("c++");
    const auto spy = find_compiler_spy();
    if (real.empty() || !spy) return "";
    const fs::path folder = program_folder().parent_path() / "cached-compiler";
    const fs::path compiler = folder / "c++";
    fs::create_directories(folder);
    SpySettings settings;
    settings.real_compiler = real;
    settings.evidence = "/dev/null";
    const char* const shared = std::getenv("TUNECHECK_COMPILE_STORE");
    settings.store = shared != nullptr ? fs::path(shared) : folder / "store";
    settings.workspace = fs::temp_directory_path();
    if (!write_file_atomically(spy_settings_file(compiler), to_text(settings))) return "";
    // A copy: what is the spy itself is never taken for a compiler.
    std::error_code error;
    if (!fs::exists(compiler) || fs::last_write_time(compiler) < fs::last_write_time(*spy)) {
      const fs::path copy = compiler.string() + std::to_string(::getpid());
      fs::copy_file(*spy, copy, error);
      if (!error) fs::rename(copy, compiler, error);
    }
    return error ? "" : compiler.string();
  }();
  return made;
}

/// Makes it the compiler of this process and its children, unless the user chose one.
inline bool use_cached_compiler() {
  const std::string compiler = cached_compiler();
  if (!compiler.empty()) ::setenv("TUNECHECK_CXX", compiler.c_str(), 0);
  return !compiler.empty();
}

}  // namespace tunecheck::test
