#include "core/resources.hpp"

#include <cstdlib>
#include <system_error>

namespace tunecheck {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

Result<fs::path> find_own_file(const std::string& name) {
  const fs::path here = program_folder();
  std::error_code error;
  for (const auto& folder : {here, here.parent_path() / "lib" / "tunecheck"})
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  return failure(Error{ErrorKind::machine,
                       "this part of tunecheck is missing; build or install all of it",
                       (here / name).string(),
                       0,
                       {}});
}

Resources find_resources() {
  std::error_code error;
  fs::path root;
  if (const char* const named = std::getenv("TUNECHECK_ROOT"); named != nullptr && *named != '\0')
    root = named;
  else if (const fs::path shared = program_folder().parent_path() / "share" / "tunecheck";
           fs::is_directory(shared / "scenarios", error))
    root = shared;
  else
    root = TUNECHECK_SOURCE_ROOT;
  const bool is_source_tree = fs::is_directory(root / "framework", error);
  return {root / "kernels",
          root / "scenarios",
          is_source_tree ? root / "framework" / "adapter" : root / "adapters",
          is_source_tree ? root / "framework" / "backend" / "cpu" / "include" : root / "include",
          is_source_tree ? root / "framework" / "backend" / "gpu" / "include" : root / "include",
          root / "templates"};
}

}  // namespace tunecheck
