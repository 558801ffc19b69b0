#include "cli/out_lock.hpp"

#include <cerrno>
#include <fcntl.h>

#include <sys/file.h>

namespace tunecheck::cli {

Result<FileDescriptor> lock_out(const std::filesystem::path& out, OutUse use) {
  std::error_code unknown;
  if (std::filesystem::exists(out, unknown) && !std::filesystem::is_directory(out, unknown))
    return failure(
        Error{ErrorKind::bad_input, "expected a folder, found a file", out.string(), 0, "--out"});
  TUNECHECK_CHECK(create_folders(out));
  FileDescriptor folder(::open(out.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid())
    return failure(Error{
        ErrorKind::machine, "cannot open the folder: " + last_system_error(), out.string(), 0, {}});
  const int kind = use == OutUse::shared ? LOCK_SH : LOCK_EX;
  if (::flock(folder.get(), kind | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return failure(
        Error{ErrorKind::machine,
              "another tunecheck is writing to this folder; expected one at a time: give "
              "another --out, or wait",
              out.string(),
              0,
              {}});
  return folder;
}

}  // namespace tunecheck::cli
