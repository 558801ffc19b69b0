#pragma once
// Where a process may be killed, or refused, while it works in its cache folder. The judge and the
// library that does it (faults.cpp) read and write points in this one form.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tunecheck {

/// What a process does in the watched folder.
enum class FileOperation {
  create,  ///< opens a file so that it may write to it
  open,    ///< opens a file or folder to read it
  mkdir,   ///< of what does not exist yet
  write,
  sync,    ///< fsync or fdatasync, of a file or a folder
  rename,  ///< to a name in the folder
  remove,  ///< unlink or rmdir
  lock,    ///< flock, fcntl or lockf, of a file or a folder; not the release of a lock
};
inline constexpr std::array<std::string_view, 8> file_operation_names = {
    "create", "open", "mkdir", "write", "sync", "rename", "remove", "lock"};

/// One operation of a process, counted from 1 for each kind.
struct FaultPoint {
  enum class Moment {
    before,
    during,  ///< half of the bytes are written; only of write
    after,
  };
  Moment moment = Moment::before;
  FileOperation operation = FileOperation::write;
  std::int64_t number = 1;
};

/// "before_write_1", as scenarios name it.
[[nodiscard]] std::string to_string(const FaultPoint& point);
/// Nothing where the text names no point.
[[nodiscard]] std::optional<FaultPoint> parse_fault_point(std::string_view text);

}  // namespace tunecheck
