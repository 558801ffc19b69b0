// The observer of `tunecheck watch` that every process of the program loads with LD_PRELOAD. It
// sees launches of kernels that are built with tunecheck/cpu_kernel.h, and in which folders files
// are written; without its variables it does nothing.
#include "observe/watch/cpu_watch.hpp"

#include <tunecheck/cpu_kernel.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <pthread.h>
#include <unistd.h>
#include <utility>

#include "core/device_kinds.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/watch/bursts.hpp"
#include "observe/watch/cpu_launch.hpp"
#include "observe/watch/cpu_memory.hpp"
#include "observe/watch/made_code.hpp"
#include "observe/watch/program_place.hpp"
#include "observe/watch/runtime_compilers.hpp"
#include "observe/watch/runtime_compiles.hpp"
#include "observe/watch/settings.hpp"

namespace tunecheck::watch {
namespace {

struct Watch {
  explicit Watch(Settings from_environment)
      : settings(std::move(from_environment)),
        bursts(
            memory, {.bytes = settings.at_most},
            [this](const std::string& line) { tell(settings, line); },
            [](const LaunchSeen& launch, bool wants_place) {
              return program_caller(launch.kernel, launch.owner, wants_place);
            }) {}
  const Settings settings;
  CpuMemory memory;
  Bursts bursts;
  MadeCode made_code;
  RuntimeCompiles runtime_compiles;
};

// Null where the observer is to be inert. Never freed: kernels may run while the process ends.
Watch* watch = nullptr;

std::atomic<AtExit> other_observer{nullptr};

thread_local std::uint64_t clock_reads = 0;

// What the calling thread does is the observer's own.
thread_local int inside = 0;
class Inside {
 public:
  Inside() : m_errno(errno) { ++inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    --inside;
    errno = m_errno;
  }

 private:
  int m_errno;
};

void tell_process() {
  ProcessEvent event;
  event.pid = ::getpid();
  event.parent = ::getppid();
  event.program = program_of_process();
  event.device = name_of(DeviceKind::cpu);
  event.rank = rank_of_process();
  event.time_ns = evidence_now_ns();
  tell(watch->settings, to_line(event));
}

void in_forked_child() {
  watch->bursts.after_fork_in_child();
  watch->made_code.after_fork_in_child();
  watch->runtime_compiles.after_fork_in_child();
  forget_other_threads_at_compilers();
  forget_told_folders();
  const Inside own;
  tell_process();
}

__attribute__((constructor)) void begin() {
  const Inside own;
  try {
    const auto settings = read_settings();
    if (!settings) return;
    watch = new Watch(*settings);
    tell_process();
    ::pthread_atfork([] { watch->bursts.before_fork(); },
                     [] { watch->bursts.after_fork_in_parent(); }, in_forked_child);
  } catch (...) {
    watch = nullptr;
  }
}

}  // namespace

void end_of_process() noexcept {
  if (const AtExit other = other_observer.load()) other();
  if (watch == nullptr || inside > 0) return;
  const Inside own;
  try {
    watch->bursts.finish();
    if (has_unseen_compiler())
      tell(watch->settings,
           to_line(TroubleEvent{::getpid(),
                                "what a library compiles inside the process is not seen: it was "
                                "loaded in an unusual way, too many are loaded, or the system "
                                "allows no change in it"}));
  } catch (...) {
  }
}

namespace {
__attribute__((destructor)) void end() {
  end_of_process();
}
}  // namespace

bool is_looking() noexcept {
  return watch != nullptr && inside == 0;
}

// Libraries of the program are initialized before this one, and some before there is an
// environment.
bool is_asked_about_compiles() noexcept {
  static std::atomic<bool> is_asked = false;
  if (!is_asked && std::getenv(evidence_variable) != nullptr) is_asked = true;
  return is_asked;
}

void clock_was_read() noexcept {
  if (!is_looking()) return;
  ++clock_reads;
  watch->bursts.clock_was_read();
}

void code_goes(const void* base) noexcept {
  if (!is_looking()) return;
  const Inside own;
  try {
    watch->bursts.code_goes(base);
  } catch (...) {
  }
}

void code_was_made(const void* caller) noexcept {
  if (!is_looking()) return;
  const Inside own;
  try {
    watch->made_code.note(caller,
                          [](const JitEvent& event) { tell(watch->settings, to_line(event)); });
  } catch (...) {
  }
}

RuntimeCompileBegun runtime_compile_begins(const char* compiler, const void* function,
                                           const void* program,
                                           std::span<const char* const> options) noexcept {
  RuntimeCompileBegun begun;
  const Inside own;
  try {
    JitEvent& event = begun.event;
    event.pid = ::getpid();
    event.compiler = compiler;
    event.library = file_at(function);
    event.place = python_place("").launch;
    if (event.place.empty()) event.place = native_place();
    watch->runtime_compiles.describe(program, options, event);
    event.time_ns = evidence_now_ns();
    begun.is_told = true;
  } catch (...) {
  }
  return begun;
}

void runtime_compile_ends(RuntimeCompileBegun begun, int result) noexcept {
  if (!begun.is_told) return;
  const Inside own;
  try {
    begun.event.wall_ns = evidence_now_ns() - begun.event.time_ns;
    begun.event.result = result;
    tell(watch->settings, to_line(begun.event));
  } catch (...) {
  }
}

namespace {

// Notes something of a program that is to be compiled.
template <class Note>
void note_program(const Note& note) noexcept {
  if (!is_looking()) return;
  const Inside own;
  try {
    note(watch->runtime_compiles);
  } catch (...) {
  }
}

}  // namespace

void runtime_program_created(const void* program, const RuntimeSource& source) noexcept {
  note_program([&](RuntimeCompiles& compiles) { compiles.created(program, source); });
}

void runtime_program_instantiates(const void* program, const char* expression) noexcept {
  note_program([&](RuntimeCompiles& compiles) { compiles.add_expression(program, expression); });
}

void runtime_program_destroyed(const void* program) noexcept {
  note_program([&](RuntimeCompiles& compiles) { compiles.destroyed(program); });
}

void tell_write(const std::string& folder, const std::string& file) noexcept {
  const Inside own;
  try {
    tell(watch->settings, to_line(WriteEvent{::getpid(), folder, file}));
  } catch (...) {
  }
}

}  // namespace tunecheck::watch

extern "C" __attribute__((visibility("default"))) void tunecheck_watch_at_exit(
    tunecheck::watch::AtExit function) {
  tunecheck::watch::other_observer = function;
}

extern "C" __attribute__((visibility("default"))) std::uint64_t tunecheck_watch_clock_reads() {
  return tunecheck::watch::clock_reads;
}

// Neither lets an exception or a changed errno reach the kernel.
extern "C" __attribute__((visibility("default"))) void tunecheck_probe_begin(
    const char* kernel, const char* config, const void* entry, const tunecheck_launch* launch) {
  using namespace tunecheck::watch;
  if (!is_looking() || launch == nullptr || Bursts::is_replaying()) return;
  const Inside own;
  try {
    watch->bursts.begins(see_cpu_launch(kernel, config, entry, *launch));
  } catch (...) {
  }
}

extern "C" __attribute__((visibility("default"))) void tunecheck_probe_end(const tunecheck_launch*,
                                                                           int status) {
  using namespace tunecheck::watch;
  if (!is_looking() || Bursts::is_replaying()) return;
  const Inside own;
  try {
    watch->bursts.ends(status == 0);
  } catch (...) {
  }
}
