#include "core/files.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

Error cannot(std::string_view action, const fs::path& path, ErrorKind kind = ErrorKind::machine) {
  return Error{
      kind, fmt::format("cannot {}: {}", action, last_system_error()), path.string(), 0, {}};
}

template <class Container>
Result<Container> read_from(const fs::path& path, std::uint64_t from, std::uint64_t most_bytes) {
  // Without O_NONBLOCK, opening a FIFO that somebody left in a cache folder would hang.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0)
    return failure(cannot("read", path, ErrorKind::bad_input));
  if (!S_ISREG(status.st_mode))
    return failure(Error{ErrorKind::bad_input, "expected a regular file", path.string(), 0, {}});
  const auto wrong = [&](const std::string& message) {
    return failure(Error{ErrorKind::bad_input, message, path.string(), 0, {}});
  };
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < from) return wrong("the file has become shorter");
  if (size - from > most_bytes)
    return wrong(fmt::format("expected at most {} bytes, found {}", most_bytes, size - from));
  Container content(static_cast<std::size_t>(size - from), {});
  const auto got = read_all(file.get(), std::as_writable_bytes(std::span(content)), from);
  if (!got) return failure(cannot("read", path));
  content.resize(*got);
  return content;
}

class RemoveUnlessKept {
 public:
  explicit RemoveUnlessKept(const fs::path& path) : m_path(path) {}
  RemoveUnlessKept(const RemoveUnlessKept&) = delete;
  RemoveUnlessKept& operator=(const RemoveUnlessKept&) = delete;
  ~RemoveUnlessKept() {
    if (!m_kept) ::unlink(m_path.c_str());
  }
  void keep() { m_kept = true; }

 private:
  const fs::path& m_path;
  bool m_kept = false;
};

}  // namespace

Result<std::string> read_text_file(const fs::path& path, std::uint64_t most_bytes) {
  return read_from<std::string>(path, 0, most_bytes);
}

Result<std::string> read_text_file_from(const fs::path& path, std::uint64_t from,
                                        std::uint64_t most_bytes) {
  return read_from<std::string>(path, from, most_bytes);
}

Result<std::vector<std::byte>> read_binary_file(const fs::path& path, std::uint64_t most_bytes) {
  return read_from<std::vector<std::byte>>(path, 0, most_bytes);
}

Result<void> write_parts(const fs::path& path,
                         std::initializer_list<std::span<const std::byte>> parts) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) return failure(cannot("write", path));
  for (const auto part : parts)
    if (!write_all(file.get(), part)) return failure(cannot("write", path));
  return {};
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
  return write_parts(path, {bytes});
}

Result<void> write_file(const fs::path& path, std::string_view text) {
  return write_file(path, std::as_bytes(std::span(text)));
}

namespace {

// With the mode of `as`, a file, where there is one.
Result<void> replace_file(const fs::path& path, std::span<const std::byte> bytes,
                          const struct stat* as) {
  static std::atomic<unsigned> counter{0};
  fs::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  fs::path temporary;
  FileDescriptor file;
  // In a folder that several machines share, a process of another one may have this number, too.
  constexpr int attempts = 100;
  for (int i = 0; i < attempts && !file.valid(); ++i) {
    temporary =
        folder / fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), counter++);
    file = FileDescriptor(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!file.valid() && errno != EEXIST) break;
  }
  if (!file.valid()) return failure(cannot("write", path));
  RemoveUnlessKept guard(temporary);
  if (as != nullptr && ::fchmod(file.get(), as->st_mode & 0777) != 0)
    return failure(cannot("write", path));
  if (!write_all(file.get(), bytes) || ::fsync(file.get()) != 0)
    return failure(cannot("write", path));
  if (::rename(temporary.c_str(), path.c_str()) != 0) return failure(cannot("write", path));
  guard.keep();
  const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder (EINVAL); the rename itself has happened.
  if (directory.valid() && ::fsync(directory.get()) != 0 && errno != EINVAL)
    return failure(cannot("sync the folder of", path));
  return {};
}

// Whoever let nobody else read an output wants that of the next one too.
Result<void> replace_output(const fs::path& path, std::string_view text) {
  struct stat status {};
  const bool is_file = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return replace_file(path, std::as_bytes(std::span(text)), is_file ? &status : nullptr);
}

}  // namespace

Result<void> write_file_atomically(const fs::path& path, std::span<const std::byte> bytes) {
  return replace_file(path, bytes, nullptr);
}

Result<void> write_file_atomically(const fs::path& path, std::string_view text) {
  return write_file_atomically(path, std::as_bytes(std::span(text)));
}

Result<void> write_output(const fs::path& path, std::string_view text) {
  std::error_code error, ignored;
  const fs::file_status at_the_end = fs::status(path, error);
  if (fs::exists(at_the_end) && !fs::is_regular_file(at_the_end) && !fs::is_directory(at_the_end))
    return write_file(path, text);
  if (!fs::is_symlink(fs::symlink_status(path, error))) return replace_output(path, text);
  // Whoever made a link wants the file where it leads, and not in the link's place.
  const fs::path target = fs::canonical(path, error);
  if (error)
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected a link to a file; it leads to {}: {}",
                                     fs::read_symlink(path, ignored).string(), error.message()),
                         path.string(),
                         0,
                         {}});
  return replace_output(target, text);
}

Result<void> create_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    return failure(Error{
        ErrorKind::machine, "cannot create the folder: " + error.message(), path.string(), 0, {}});
  return {};
}

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  std::string name =
      ((error ? fs::path("/tmp") : base) / fmt::format("{}.XXXXXX", prefix)).string();
  if (::mkdtemp(name.data()) == nullptr) return failure(cannot("create a temporary folder", name));
  return TemporaryFolder(name);
}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(m_path, other.m_path);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (m_path.empty()) return;
  std::error_code error;
  fs::remove_all(m_path, error);
  if (!error) return;
  // Only root can remove what is in a folder without write permission: give it back and try again.
  std::error_code ignored;
  fs::permissions(m_path, fs::perms::owner_all, ignored);
  using Iterator = fs::recursive_directory_iterator;
  for (Iterator at(m_path, ignored), end; at != end; at.increment(ignored))
    if (at->is_directory(ignored) && !at->is_symlink(ignored))
      fs::permissions(at->path(), fs::perms::owner_all, ignored);
  fs::remove_all(m_path, ignored);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(m_value, other.m_value);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  reset();
}

void FileDescriptor::reset() noexcept {
  if (m_value >= 0) ::close(std::exchange(m_value, -1));
}

Result<FileDescriptor> sealed_memory_file(const char* name, std::span<const std::byte> bytes) {
  FileDescriptor file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.valid() || !write_all(file.get(), bytes))
    return failure(ErrorKind::machine, "cannot put {} bytes into memory: {}", bytes.size(),
                   last_system_error());
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    return failure(ErrorKind::machine, "cannot seal memory: {}", last_system_error());
  return file;
}

std::optional<std::size_t> read_all(int descriptor, std::span<std::byte> bytes,
                                    std::uint64_t from) noexcept {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool write_all(int descriptor, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

std::string last_system_error() {
  return std::generic_category().message(errno);
}

}  // namespace tunecheck
