#include "core/resources.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <system_error>
#include <vector>

namespace tunecheck {

namespace fs = std::filesystem;

namespace {

// Where this code was loaded from: the program, or the shared library that it is a part of. A
// relative name says nothing: it may be another's file in the folder that the process is in now.
fs::path own_folder() {
  Dl_info found{};
  std::error_code error;
  if (::dladdr(reinterpret_cast<const void*>(&program_folder), &found) == 0 ||
      found.dli_fname == nullptr || !fs::path(found.dli_fname).is_absolute())
    return program_folder();
  const fs::path file = fs::canonical(found.dli_fname, error);
  return error ? program_folder() : file.parent_path();
}

// An installed library lies some folders below the prefix: lib, or lib/x86_64-linux-gnu.
std::vector<fs::path> prefixes() {
  const fs::path own = own_folder();
  return {own.parent_path(), own.parent_path().parent_path(), program_folder().parent_path()};
}

// "" where the variable names none.
fs::path named_root() {
  const char* const named = std::getenv("TUNECHECK_ROOT");
  return named != nullptr ? named : "";
}

}  // namespace

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

Result<fs::path> find_own_file(const std::string& name) {
  const fs::path here = program_folder();
  std::error_code error;
  std::vector<fs::path> folders = {own_folder()};
  for (const fs::path& prefix : prefixes()) {
    folders.push_back(prefix / "lib" / "tunecheck");
    folders.push_back(prefix / "bin");
  }
  folders.push_back(here);
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  return failure(Error{ErrorKind::machine,
                       "this part of tunecheck is missing; build or install all of it",
                       (here / name).string(),
                       0,
                       {}});
}

Resources find_resources() {
  std::error_code error;
  fs::path root = named_root();
  for (const fs::path& prefix : prefixes())
    if (const fs::path shared = prefix / "share" / "tunecheck";
        root.empty() && fs::is_directory(shared / "include", error))
      root = shared;
  if (root.empty()) root = TUNECHECK_SOURCE_ROOT;
  const bool is_source_tree = fs::is_directory(root / "framework", error);
  return {root / "kernels",
          root / "scenarios",
          is_source_tree ? root / "framework" / "adapter" : root / "adapters",
          is_source_tree ? root / "framework" / "backend" / "cpu" / "include" : root / "include",
          is_source_tree ? root / "framework" / "backend" / "gpu" / "include" : root / "include",
          root / "templates"};
}

Error with_root(Error error) {
  const fs::path root = named_root();
  if (root.empty() || error.file.empty()) return error;
  const fs::path below = fs::path(error.file).lexically_relative(root);
  std::error_code ignored;
  const bool is_file = fs::is_regular_file(error.file, ignored);
  if (below.empty() || *below.begin() == ".." || is_file) return error;
  error.message += fmt::format("; TUNECHECK_ROOT is \"{}\"", root.string());
  return error;
}

}  // namespace tunecheck
