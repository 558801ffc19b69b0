#include "observe/launch_counts.hpp"

#include <cstddef>
#include <fcntl.h>
#include <unistd.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

Error cannot(std::string_view what, const std::filesystem::path& file) {
  return Error{ErrorKind::machine,
               fmt::format("cannot {} the launch counts: {}", what, last_system_error()),
               file.string(),
               0,
               {}};
}

FileDescriptor open_counts(const std::filesystem::path& file, int flags) {
  return FileDescriptor(::open(file.c_str(), flags | O_RDWR | O_CLOEXEC, 0644));
}

bool write_counts(const FileDescriptor& file, const LaunchCounts& counts) {
  return ::pwrite(file.get(), &counts, sizeof counts, 0) == ssize_t{sizeof counts};
}

}  // namespace

Result<void> make_launch_counts(const std::filesystem::path& file) {
  const FileDescriptor opened = open_counts(file, O_CREAT | O_TRUNC);
  if (!opened.valid() || !write_counts(opened, {})) return failure(cannot("make", file));
  return {};
}

Result<void> start_counting(const std::filesystem::path& file, int process, Counted counted) {
  LaunchCounts counts;
  counts.counting = counted;
  counts.process = static_cast<std::uint64_t>(process);
  const FileDescriptor opened = open_counts(file, 0);
  if (!opened.valid() || !write_counts(opened, counts)) return failure(cannot("begin", file));
  return {};
}

Result<LaunchCounts> stop_counting(const std::filesystem::path& file) {
  const FileDescriptor opened = open_counts(file, 0);
  constexpr Counted off = Counted::none;
  LaunchCounts counts;
  if (!opened.valid() || ::pwrite(opened.get(), &off, sizeof off, 0) != ssize_t{sizeof off} ||
      ::pread(opened.get(), &counts, sizeof counts, 0) != ssize_t{sizeof counts})
    return failure(cannot("read", file));
  return counts;
}

}  // namespace tunecheck
