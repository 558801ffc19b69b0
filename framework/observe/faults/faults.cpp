// The fault library: loaded with LD_PRELOAD into one process, it stands before the calls with which
// that process works in its cache folder, and kills it at a chosen one, lets them fail, or writes
// down what they did. It knows
// nothing of the tuner; calls that do not concern the folder go through untouched. Programs that
// the process starts are left alone, but not the one that it becomes: a script that ends with exec
// is how many an adapter starts.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/faults/operations.hpp"

namespace tunecheck::faults {
namespace {

struct Settings {
  std::string evidence;
  std::string folder;        // absolute, without links
  std::string named_folder;  // as the process knows it
  std::string begin;         // the file from whose making on operations count; "": all count
  std::optional<FaultPoint> point;
  bool watches = false;
  int error = 0;  // 0: kill
  pid_t process = 0;
};

// Null where the library is to be inert. Never freed: files are closed while the process ends.
const Settings* settings = nullptr;
// Set while the library itself works: its own calls are not counted.
thread_local bool inside = false;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// True in the first process that loads the library, whatever program it turns into.
bool is_chosen_process() {
  const std::string own = std::to_string(::getpid());
  const std::string chosen = variable("TUNECHECK_FAULT_PROCESS");
  if (chosen.empty()) ::setenv("TUNECHECK_FAULT_PROCESS", own.c_str(), 1);
  return chosen.empty() || chosen == own;
}

__attribute__((constructor)) void read_settings() {
  const auto point = parse_fault_point(variable("TUNECHECK_FAULT_POINT"));
  const bool watches = variable("TUNECHECK_FAULT_WATCH") == "yes";
  if ((!point && !watches) || !is_chosen_process()) return;
  auto* const read = new Settings;
  read->evidence = variable("TUNECHECK_FAULT_EVIDENCE");
  read->named_folder = variable("TUNECHECK_FAULT_FOLDER");
  if (char* const real = ::realpath(read->named_folder.c_str(), nullptr)) {
    read->folder = real;
    std::free(real);
  }
  read->begin = variable("TUNECHECK_FAULT_BEGIN");
  read->point = point;
  read->watches = watches;
  read->error = std::atoi(variable("TUNECHECK_FAULT_ERROR").c_str());
  read->process = ::getpid();
  settings = read;
}

bool lies_below(const std::string& path, const std::string& folder) {
  return !folder.empty() && path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

// What stands behind the folder's name, nothing where the path does not lie below it.
std::optional<std::string> below_folder(const std::string& path) {
  for (const std::string& folder : {settings->folder, settings->named_folder})
    if (lies_below(path, folder)) return path.substr(std::min(path.size(), folder.size() + 1));
  return std::nullopt;
}

std::string link_target(const std::string& link) {
  std::string target(4096, '\0');
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  target.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return target;
}

std::string path_of(int descriptor) {
  return link_target("/proc/self/fd/" + std::to_string(descriptor));
}

// Without "..", by which a path leaves the folder again.
std::string absolute(int folder, const char* path) {
  if (path == nullptr) return {};
  std::string whole = path;
  if (*path != '/')
    whole = (folder == AT_FDCWD ? link_target("/proc/self/cwd") : path_of(folder)) + "/" + path;
  return std::filesystem::path(whole).lexically_normal().string();
}

// What the library itself does must not change errno for the process.
class Inside {
 public:
  Inside() { inside = true; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    errno = m_error;
    inside = false;
  }

 private:
  int m_error = errno;
};

// What a process does to get ready is not what the point is about.
bool has_begun() {
  static std::atomic<bool> begun{false};
  if (!begun && (settings->begin.empty() || ::access(settings->begin.c_str(), F_OK) == 0))
    begun = true;
  return begun;
}

bool exists(int folder, const char* path) {
  const Inside guard;
  struct stat status {};
  return ::fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

void record(const std::string& path) {
  FaultEvent event;
  event.time_ns = evidence_now_ns();
  event.pid = ::getpid();
  event.point = to_string(*settings->point);
  event.error = settings->error;
  event.path = path;
  if (const auto evidence = open_evidence(settings->evidence))
    (void)append_line(*evidence, to_line(event));
}

void record(FileOperation operation, const std::string& path, const std::string& from, int error) {
  FileEvent event;
  event.time_ns = evidence_now_ns();
  event.pid = ::getpid();
  event.operation = file_operation_names.at(static_cast<std::size_t>(operation));
  event.path = path;
  event.from = below_folder(from).value_or(from);
  event.error = error;
  if (const auto evidence = open_evidence(settings->evidence))
    (void)append_line(*evidence, to_line(event));
}

[[noreturn]] void die(const std::string& path) {
  record(path);
  ::kill(::getpid(), SIGKILL);
  for (;;)
    ::pause();
}

// One operation about to be carried out, if it is of the kind that the settings are about.
class Operation {
 public:
  Operation(FileOperation operation, const std::string& path, std::string from = {})
      : m_operation(operation), m_from(std::move(from)) {
    if (::getpid() != settings->process) return;
    m_below = below_folder(path);
    if (!m_below || !settings->point || operation != settings->point->operation) return;
    if (!has_begun()) return;
    static std::atomic<std::int64_t> count{0};
    const std::int64_t number = ++count;
    m_path = path;
    m_is_point = number == settings->point->number;
    m_is_refused = settings->error != 0 && number >= settings->point->number;
    if (m_is_point && settings->error == 0 && is(FaultPoint::Moment::before)) die(m_path);
    if (m_is_point && settings->error != 0) record(m_path);
  }
  // The error that it must fail with, 0 for none.
  [[nodiscard]] int error() const { return m_is_refused ? settings->error : 0; }
  [[nodiscard]] bool dies_half_way() const {
    return m_is_point && settings->error == 0 && is(FaultPoint::Moment::during);
  }
  void carried_out() const {
    note(0);
    if (m_is_point && settings->error == 0 && !is(FaultPoint::Moment::before)) die(m_path);
  }
  void failed(int error) const { note(error); }

 private:
  static bool is(FaultPoint::Moment moment) { return settings->point->moment == moment; }
  void note(int error) const {
    if (m_below && settings->watches) record(m_operation, *m_below, m_from, error);
  }

  FileOperation m_operation;
  std::string m_from;
  std::optional<std::string> m_below;
  std::string m_path;
  bool m_is_point = false;
  bool m_is_refused = false;
};

// Carries out `call` as the operation that it is.
template <class Path, class Call, class From>
auto perform(FileOperation kind, Path&& path, Call&& call, From&& from) -> decltype(call()) {
  if (settings == nullptr || inside) return call();
  int error = 0;
  const Operation operation = [&] {
    const Inside guard;
    return Operation(kind, path(), from());
  }();
  error = operation.error();
  if (error != 0) {
    errno = error;
    return -1;
  }
  const auto result = call();
  const int trouble = errno;
  const Inside guard;
  if (result >= 0)
    operation.carried_out();
  else
    operation.failed(trouble);
  return result;
}

template <class Path, class Call>
auto perform(FileOperation kind, Path&& path, Call&& call) -> decltype(call()) {
  return perform(kind, std::forward<Path>(path), std::forward<Call>(call),
                 [] { return std::string(); });
}

// A function of the C library that opens by itself, past the names that stand here: it is written
// down, and neither counted nor refused.
template <class Open>
auto open_and_note(FileOperation kind, const char* path, Open&& open) -> decltype(open()) {
  if (settings == nullptr || inside || !settings->watches) return open();
  const auto result = open();
  const int trouble = result == nullptr ? errno : 0;
  const Inside guard;
  if (const auto below = below_folder(absolute(AT_FDCWD, path));
      below && ::getpid() == settings->process)
    record(kind, *below, {}, trouble);
  return result;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

FILE* open_stream(const char* name, const char* path, const char* mode) {
  const bool reads =
      mode != nullptr && *mode == 'r' && std::string(mode).find('+') == std::string::npos;
  return open_and_note(reads ? FileOperation::open : FileOperation::create, path,
                       [&] { return next<FILE*(const char*, const char*)>(name)(path, mode); });
}

FileOperation kind_of_open(int flags) {
  return (flags & (O_CREAT | O_WRONLY | O_RDWR)) != 0 ? FileOperation::create : FileOperation::open;
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  return perform(
      kind_of_open(flags), [&] { return absolute(folder, path); },
      [&] { return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode)); });
}

int rename_at(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  return perform(
      FileOperation::rename, [&] { return absolute(to_folder, to); },
      [&] {
        return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
      },
      [&] { return absolute(from_folder, from); });
}

int unlink_at(int folder, const char* path, int flags) {
  return perform(
      FileOperation::remove, [&] { return absolute(folder, path); },
      [&] { return static_cast<int>(::syscall(SYS_unlinkat, folder, path, flags)); });
}

// To make what exists is no operation: it fails with EEXIST, on a disk that may not be written too,
// and many a program (Python's os.makedirs) makes its folders without a look whether they exist.
int make_folder_at(int folder, const char* path, mode_t mode) {
  const auto call = [&] { return static_cast<int>(::syscall(SYS_mkdirat, folder, path, mode)); };
  if (exists(folder, path)) return call();
  return perform(
      FileOperation::mkdir, [&] { return absolute(folder, path); }, call);
}

// `half` writes the first half of the bytes.
template <class Half, class Whole>
ssize_t write_some(int descriptor, Half&& half, Whole&& whole) {
  if (settings == nullptr || inside) return whole();
  std::string path;
  const Operation operation = [&] {
    const Inside guard;
    path = path_of(descriptor);
    return Operation(FileOperation::write, path);
  }();
  if (operation.error() != 0) {
    errno = operation.error();
    return -1;
  }
  if (operation.dies_half_way()) {
    (void)half();
    operation.carried_out();
  }
  const ssize_t written = whole();
  const int trouble = errno;
  const Inside guard;
  if (written >= 0)
    operation.carried_out();
  else
    operation.failed(trouble);
  return written;
}

ssize_t plain_write(int descriptor, const void* bytes, std::size_t size) {
  return ::syscall(SYS_write, descriptor, bytes, size);
}

int sync_file(int descriptor, long call) {
  return perform(
      FileOperation::sync, [&] { return path_of(descriptor); },
      [&] { return static_cast<int>(::syscall(call, descriptor)); });
}

int lock_file(int descriptor, int operation) {
  const auto call = [&] { return static_cast<int>(::syscall(SYS_flock, descriptor, operation)); };
  if ((operation & ~LOCK_NB) == LOCK_UN) return call();
  return perform(
      FileOperation::lock, [&] { return path_of(descriptor); }, call);
}

bool locks(int command, const void* argument) {
  switch (command) {
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      return static_cast<const struct flock*>(argument)->l_type != F_UNLCK;
    default:
      return false;
  }
}

int control_file(int descriptor, int command, void* argument) {
  const auto call = [&] {
    return static_cast<int>(::syscall(SYS_fcntl, descriptor, command, argument));
  };
  if (!locks(command, argument)) return call();
  return perform(
      FileOperation::lock, [&] { return path_of(descriptor); }, call);
}

int lock_part(int descriptor, int command, off64_t length) {
  using Next = int(int, int, off64_t);
  const auto call = [&] { return next<Next>("lockf64")(descriptor, command, length); };
  if (command != F_LOCK && command != F_TLOCK) return call();
  return perform(
      FileOperation::lock, [&] { return path_of(descriptor); }, call);
}

mode_t mode_of(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace
}  // namespace tunecheck::faults

// The C library's names, with its signatures.
#define TUNECHECK_EXPORT extern "C" __attribute__((visibility("default")))
namespace faults = tunecheck::faults;

#define TUNECHECK_OPEN(name)                                    \
  TUNECHECK_EXPORT int name(const char* path, int flags, ...) { \
    std::va_list arguments;                                     \
    va_start(arguments, flags);                                 \
    const mode_t mode = faults::mode_of(flags, arguments);      \
    va_end(arguments);                                          \
    return faults::open_at(AT_FDCWD, path, flags, mode);        \
  }
#define TUNECHECK_OPENAT(name)                                              \
  TUNECHECK_EXPORT int name(int folder, const char* path, int flags, ...) { \
    std::va_list arguments;                                                 \
    va_start(arguments, flags);                                             \
    const mode_t mode = faults::mode_of(flags, arguments);                  \
    va_end(arguments);                                                      \
    return faults::open_at(folder, path, flags, mode);                      \
  }
TUNECHECK_OPEN(open)
TUNECHECK_OPEN(open64)
TUNECHECK_OPENAT(openat)
TUNECHECK_OPENAT(openat64)

TUNECHECK_EXPORT int __open_2(const char* path, int flags) {
  return faults::open_at(AT_FDCWD, path, flags, 0);
}
TUNECHECK_EXPORT int __open64_2(const char* path, int flags) {
  return faults::open_at(AT_FDCWD, path, flags, 0);
}
TUNECHECK_EXPORT int __openat_2(int folder, const char* path, int flags) {
  return faults::open_at(folder, path, flags, 0);
}
TUNECHECK_EXPORT int __openat64_2(int folder, const char* path, int flags) {
  return faults::open_at(folder, path, flags, 0);
}
TUNECHECK_EXPORT int creat(const char* path, mode_t mode) {
  return faults::open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
TUNECHECK_EXPORT int creat64(const char* path, mode_t mode) {
  return faults::open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
TUNECHECK_EXPORT FILE* fopen(const char* path, const char* mode) {
  return faults::open_stream("fopen", path, mode);
}
TUNECHECK_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return faults::open_stream("fopen64", path, mode);
}
TUNECHECK_EXPORT DIR* opendir(const char* path) {
  return faults::open_and_note(tunecheck::FileOperation::open, path,
                               [&] { return faults::next<DIR*(const char*)>("opendir")(path); });
}
TUNECHECK_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
  return faults::make_folder_at(AT_FDCWD, path, mode);
}
TUNECHECK_EXPORT int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return faults::make_folder_at(folder, path, mode);
}
TUNECHECK_EXPORT ssize_t write(int descriptor, const void* bytes, size_t size) {
  return faults::write_some(
      descriptor, [&] { return faults::plain_write(descriptor, bytes, size / 2); },
      [&] { return faults::plain_write(descriptor, bytes, size); });
}
TUNECHECK_EXPORT ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  const auto write = [&](size_t count) -> ssize_t {
    return ::syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  };
  return faults::write_some(
      descriptor, [&] { return write(size / 2); }, [&] { return write(size); });
}
TUNECHECK_EXPORT ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return pwrite64(descriptor, bytes, size, offset);
}
TUNECHECK_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  return faults::write_some(
      descriptor,
      [&]() -> ssize_t {
        return count > 0 ? faults::plain_write(descriptor, parts[0].iov_base, parts[0].iov_len / 2)
                         : 0;
      },
      [&]() -> ssize_t { return ::syscall(SYS_writev, descriptor, parts, count); });
}
TUNECHECK_EXPORT ssize_t pwritev64v2(int descriptor, const iovec* parts, int count, off64_t offset,
                                     int flags) {
  return faults::write_some(
      descriptor,
      [&]() -> ssize_t {
        return count > 0 ? ::syscall(SYS_pwrite64, descriptor, parts[0].iov_base,
                                     parts[0].iov_len / 2, offset)
                         : 0;
      },
      [&]() -> ssize_t {
        // The kernel takes the offset in two halves, of which this one is whole on 64 bits.
        return ::syscall(SYS_pwritev2, descriptor, parts, count, offset, 0L, flags);
      });
}
TUNECHECK_EXPORT ssize_t pwritev2(int descriptor, const iovec* parts, int count, off_t offset,
                                  int flags) {
  return pwritev64v2(descriptor, parts, count, offset, flags);
}
TUNECHECK_EXPORT ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t offset) {
  return pwritev64v2(descriptor, parts, count, offset, 0);
}
TUNECHECK_EXPORT ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset) {
  return pwritev64v2(descriptor, parts, count, offset, 0);
}
TUNECHECK_EXPORT int fsync(int descriptor) {
  return faults::sync_file(descriptor, SYS_fsync);
}
TUNECHECK_EXPORT int fdatasync(int descriptor) {
  return faults::sync_file(descriptor, SYS_fdatasync);
}
TUNECHECK_EXPORT int flock(int descriptor, int operation) noexcept {
  return faults::lock_file(descriptor, operation);
}
TUNECHECK_EXPORT int fcntl(int descriptor, int command, ...) {
  std::va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  return faults::control_file(descriptor, command, argument);
}
TUNECHECK_EXPORT int fcntl64(int descriptor, int command, ...) {
  std::va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  return faults::control_file(descriptor, command, argument);
}
TUNECHECK_EXPORT int lockf(int descriptor, int command, off_t length) {
  return faults::lock_part(descriptor, command, length);
}
TUNECHECK_EXPORT int lockf64(int descriptor, int command, off64_t length) {
  return faults::lock_part(descriptor, command, length);
}
TUNECHECK_EXPORT int rename(const char* from, const char* to) noexcept {
  return faults::rename_at(AT_FDCWD, from, AT_FDCWD, to, 0);
}
TUNECHECK_EXPORT int renameat(int from_folder, const char* from, int to_folder,
                              const char* to) noexcept {
  return faults::rename_at(from_folder, from, to_folder, to, 0);
}
TUNECHECK_EXPORT int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                               unsigned flags) noexcept {
  return faults::rename_at(from_folder, from, to_folder, to, flags);
}
TUNECHECK_EXPORT int unlink(const char* path) noexcept {
  return faults::unlink_at(AT_FDCWD, path, 0);
}
TUNECHECK_EXPORT int unlinkat(int folder, const char* path, int flags) noexcept {
  return faults::unlink_at(folder, path, flags);
}
TUNECHECK_EXPORT int rmdir(const char* path) noexcept {
  return faults::unlink_at(AT_FDCWD, path, AT_REMOVEDIR);
}
TUNECHECK_EXPORT int remove(const char* path) noexcept {
  struct stat status {};
  const bool is_folder = ::lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  return faults::unlink_at(AT_FDCWD, path, is_folder ? AT_REMOVEDIR : 0);
}
