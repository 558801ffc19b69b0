// Functions of the C library that stand in for those of the same name, tell the observer what the
// program does, and go on to the real ones.
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>

#include "observe/watch/cpu_watch.hpp"
#include "observe/watch/runtime_compilers.hpp"
#include "observe/watch/torch_allocator.hpp"

namespace tunecheck::watch {
namespace {

constexpr std::size_t most_folders = 200;

// The next function of this name. Looked up at its first call, which may come before any
// constructor has run.
template <class Function>
Function* next(std::atomic<Function*>& known, const char* name) noexcept {
  Function* function = known.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
    known.store(function, std::memory_order_relaxed);
  }
  return function;
}

std::mutex folders_mutex;
std::set<std::string>& told_folders() {
  static auto* const folders = new std::set<std::string>;
  return *folders;
}

void note_write(int folder, const char* path) noexcept {
  if (path == nullptr || !is_looking()) return;
  const int saved = errno;
  try {
    std::filesystem::path file = path;
    if (file.is_relative()) {
      std::error_code error;
      const auto base = folder == AT_FDCWD ? std::filesystem::current_path(error)
                                           : std::filesystem::read_symlink(
                                                 "/proc/self/fd/" + std::to_string(folder), error);
      file = base / file;
    }
    file = file.lexically_normal();
    const std::string name = file.parent_path().string();
    const bool is_device = name.starts_with("/dev") || name.starts_with("/proc");
    bool is_new = false;
    if (!is_device) {
      const std::lock_guard lock(folders_mutex);
      is_new = told_folders().size() < most_folders && told_folders().insert(name).second;
    }
    if (is_new) tell_write(name, file.string());
  } catch (...) {
  }
  errno = saved;
}

void note_unload(void* library) noexcept {
  if (library == nullptr || !is_looking()) return;
  link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr)
    code_goes(reinterpret_cast<const void*>(map->l_addr));
}

bool creates(int flags) {
  return (flags & O_CREAT) != 0 && (flags & O_ACCMODE) != O_RDONLY;
}

}  // namespace

void forget_told_folders() noexcept {
  told_folders().clear();
}

}  // namespace tunecheck::watch

#define TUNECHECK_STANDS_IN extern "C" __attribute__((visibility("default")))

namespace {
using namespace tunecheck::watch;

using Open = int(const char*, int, ...);
using OpenAt = int(int, const char*, int, ...);
using OpenFile = FILE*(const char*, const char*);
std::atomic<Open*> real_open, real_open64;
std::atomic<OpenAt*> real_openat, real_openat64;
std::atomic<OpenFile*> real_fopen, real_fopen64;
std::atomic<int (*)(const char*, mode_t)> real_creat;
std::atomic<int (*)(const char*, const char*)> real_rename;
std::atomic<int (*)(clockid_t, timespec*)> real_clock;
std::atomic<clock_t (*)(tms*)> real_times;
std::atomic<clock_t (*)()> real_cpu_clock;
std::atomic<int (*)(void*)> real_dlclose;
std::atomic<int (*)(void (*)(void*), void*, void*)> real_register;
std::atomic<void (*)(int)> real_exit;

// The mode that stands behind flags that may create a file.
mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

TUNECHECK_STANDS_IN int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (creates(flags)) note_write(AT_FDCWD, path);
  return next(real_open, "open")(path, flags, mode);
}
TUNECHECK_STANDS_IN int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (creates(flags)) note_write(AT_FDCWD, path);
  return next(real_open64, "open64")(path, flags, mode);
}
TUNECHECK_STANDS_IN int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (creates(flags)) note_write(folder, path);
  return next(real_openat, "openat")(folder, path, flags, mode);
}
TUNECHECK_STANDS_IN int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (creates(flags)) note_write(folder, path);
  return next(real_openat64, "openat64")(folder, path, flags, mode);
}
TUNECHECK_STANDS_IN int creat(const char* path, mode_t mode) {
  note_write(AT_FDCWD, path);
  return next(real_creat, "creat")(path, mode);
}
TUNECHECK_STANDS_IN FILE* fopen(const char* path, const char* mode) {
  if (mode != nullptr && std::string_view(mode).find_first_of("wa") != std::string_view::npos)
    note_write(AT_FDCWD, path);
  return next(real_fopen, "fopen")(path, mode);
}
TUNECHECK_STANDS_IN FILE* fopen64(const char* path, const char* mode) {
  if (mode != nullptr && std::string_view(mode).find_first_of("wa") != std::string_view::npos)
    note_write(AT_FDCWD, path);
  return next(real_fopen64, "fopen64")(path, mode);
}
TUNECHECK_STANDS_IN int rename(const char* from, const char* to) noexcept {
  note_write(AT_FDCWD, to);
  return next(real_rename, "rename")(from, to);
}

TUNECHECK_STANDS_IN int clock_gettime(clockid_t clock, timespec* time) noexcept {
  clock_was_read();
  if (const auto real = next(real_clock, "clock_gettime")) return real(clock, time);
  return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
}

TUNECHECK_STANDS_IN int gettimeofday(timeval* time, void* zone) noexcept {
  clock_was_read();
  return static_cast<int>(::syscall(SYS_gettimeofday, time, zone));
}
TUNECHECK_STANDS_IN clock_t times(tms* used) noexcept {
  clock_was_read();
  return next(real_times, "times")(used);
}
TUNECHECK_STANDS_IN clock_t clock() noexcept {
  clock_was_read();
  return next(real_cpu_clock, "clock")();
}
TUNECHECK_STANDS_IN int getrusage(__rusage_who_t who, rusage* used) noexcept {
  clock_was_read();
  return static_cast<int>(::syscall(SYS_getrusage, who, used));
}

// By the system's own calls: an allocator may ask for memory before anything can be looked up. What
// the dynamic loader maps does not come this way.
TUNECHECK_STANDS_IN int mprotect(void* address, size_t size, int protection) noexcept {
  const auto done = static_cast<int>(::syscall(SYS_mprotect, address, size, protection));
  if (done == 0 && (protection & PROT_EXEC) != 0) code_was_made(__builtin_return_address(0));
  return done;
}
TUNECHECK_STANDS_IN void* mmap(void* address, size_t size, int protection, int flags, int file,
                               off_t offset) noexcept {
  const long mapped = ::syscall(SYS_mmap, address, size, protection, flags, file, offset);
  if (mapped != -1 && (protection & PROT_EXEC) != 0) code_was_made(__builtin_return_address(0));
  return reinterpret_cast<void*>(mapped);
}
TUNECHECK_STANDS_IN void* mmap64(void* address, size_t size, int protection, int flags, int file,
                                 off64_t offset) noexcept {
  const long mapped = ::syscall(SYS_mmap, address, size, protection, flags, file, offset);
  if (mapped != -1 && (protection & PROT_EXEC) != 0) code_was_made(__builtin_return_address(0));
  return reinterpret_cast<void*>(mapped);
}

TUNECHECK_STANDS_IN int dlclose(void* library) noexcept {
  note_unload(library);
  const int result = next(real_dlclose, "dlclose")(library);
  libraries_were_unloaded();
  forget_torch();
  return result;
}

// A destructor is registered: each object does so for those that it has, first of all while it is
// initialized.
TUNECHECK_STANDS_IN int __cxa_atexit(void (*function)(void*), void* argument,
                                     void* object) noexcept {
  if (is_asked_about_compiles()) object_is_initialized(object);
  return next(real_register, "__cxa_atexit")(function, argument, object);
}

// No destructor runs then.
TUNECHECK_STANDS_IN void _exit(int status) {
  end_of_process();
  if (const auto real = next(real_exit, "_exit")) real(status);
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}
TUNECHECK_STANDS_IN void _Exit(int status) noexcept {
  _exit(status);
}
