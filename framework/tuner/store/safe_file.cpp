#include "tuner/store/safe_file.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <sys/stat.h>

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// "" where only this user or root can have written it.
std::string refusal(const struct stat& status, FileKind kind, bool sticky_is_safe) {
  if (kind == FileKind::folder ? !S_ISDIR(status.st_mode) : !S_ISREG(status.st_mode))
    return kind == FileKind::folder ? "is not a folder" : "is not a regular file";
  if (status.st_uid != ::geteuid() && status.st_uid != 0)
    return fmt::format("belongs to another user ({})", status.st_uid);
  const bool sticky = (status.st_mode & S_ISVTX) != 0 && sticky_is_safe;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !sticky)
    return fmt::format("can be written by other users (mode {:o})", status.st_mode & 07777U);
  return {};
}

SafeOpen checked(FileDescriptor descriptor, const std::string& name, FileKind kind,
                 bool sticky_is_safe) {
  SafeOpen result;
  struct stat status {};
  if (!descriptor.valid() || ::fstat(descriptor.get(), &status) != 0) {
    result.missing = errno == ENOENT;
    // Only the top folder, which may be sticky, may be reached through links.
    if (kind == FileKind::folder && errno == ENOTDIR)
      result.reason =
          fmt::format("{} is {}not a folder", name, sticky_is_safe ? "" : "a symbolic link or ");
    else if (kind == FileKind::file && errno == ELOOP)
      result.reason = fmt::format("{} is a symbolic link", name);
    else if (!result.missing)
      result.reason = fmt::format("{} cannot be opened: {}", name, last_system_error());
    return result;
  }
  if (const std::string why = refusal(status, kind, sticky_is_safe); !why.empty())
    result.reason = fmt::format("{} {}", name, why);
  else
    result.descriptor = std::move(descriptor);
  return result;
}

// How often a folder that comes and goes is made again, and after how many times with a pause.
constexpr int most_attempts = 2000;
constexpr int hasty_attempts = 1000;

Result<void> make_folder(const fs::path& path, int attempt);

Result<void> heal_folder(const fs::path& path, int attempt) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    // It was there, and another process has evicted it since; or another machine has made it, and
    // this one does not see it yet.
    if (errno == ENOENT && attempt < most_attempts) {
      if (attempt >= hasty_attempts) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return make_folder(path, attempt + 1);
    }
    return failure(Error{ErrorKind::machine,
                         "cannot inspect the folder: " + last_system_error(),
                         path.string(),
                         0,
                         {}});
  }
  if (const std::string why = refusal(status, FileKind::folder, false); why.empty()) return {};
  const bool changed = S_ISLNK(status.st_mode)
                           ? ::unlink(path.c_str()) == 0 && ::mkdir(path.c_str(), 0700) == 0
                           : S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
                                 ::chmod(path.c_str(), 0700) == 0;
  if (!changed)
    return failure(Error{ErrorKind::machine,
                         "expected a folder that no other user can write to",
                         path.string(),
                         0,
                         {}});
  return {};
}

}  // namespace

SafeOpen open_top_folder(const fs::path& path) {
  return checked(FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
                 path.string(), FileKind::folder, true);
}

SafeOpen open_safely(const FileDescriptor& folder, const std::string& name, FileKind kind) {
  // O_NONBLOCK: a named pipe in place of a file must not block the tuner.
  const int flags =
      O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (kind == FileKind::folder ? O_DIRECTORY : 0);
  return checked(FileDescriptor(::openat(folder.get(), name.c_str(), flags)), name, kind, false);
}

Result<std::vector<std::byte>> read_open_file(const FileDescriptor& file,
                                              std::uint64_t most_bytes) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return failure("cannot be read: {}", last_system_error());
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes)
    return failure("has {} bytes; expected at most {}", status.st_size, most_bytes);
  std::vector<std::byte> content(static_cast<std::size_t>(status.st_size));
  const auto got = read_all(file.get(), content);
  if (!got) return failure("cannot be read: {}", last_system_error());
  content.resize(*got);
  return content;
}

Result<void> make_private_folder(const fs::path& path) {
  return make_folder(path, 0);
}

namespace {

Result<void> make_folder(const fs::path& path, int attempt) {
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno == ENOENT && path.has_parent_path() && path.parent_path() != path) {
    TUNECHECK_CHECK(make_private_folder(path.parent_path()));
    if (::mkdir(path.c_str(), 0700) == 0) return {};
  }
  if (errno != EEXIST)
    return failure(Error{ErrorKind::machine,
                         "cannot create the folder: " + last_system_error(),
                         path.string(),
                         0,
                         {}});
  return heal_folder(path, attempt);
}

}  // namespace

}  // namespace tunecheck
