#include "core/libraries/open_library.hpp"

#include <dlfcn.h>
#include <system_error>

namespace tunecheck {

namespace fs = std::filesystem;

bool may_be_library(const fs::path& path) {
  if (!path.has_parent_path()) return true;
  std::error_code error;
  const fs::file_status there = fs::status(path, error);
  return !fs::exists(there) || fs::is_regular_file(there);
}

Result<void*> open_library(const fs::path& path, int flags) {
  if (!may_be_library(path))
    return failure(Error{ErrorKind::machine, "expected a regular file", path.string(), 0, {}});
  if (void* const library = ::dlopen(path.c_str(), flags)) return library;
  const char* const why = ::dlerror();
  return failure(ErrorKind::machine, "{}", why != nullptr ? why : path.c_str());
}

}  // namespace tunecheck
