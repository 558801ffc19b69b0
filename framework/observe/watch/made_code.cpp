#include "observe/watch/made_code.hpp"

#include <array>
#include <dlfcn.h>
#include <filesystem>
#include <new>
#include <string_view>
#include <unistd.h>

#include "observe/evidence_clock.hpp"
#include "observe/watch/program_place.hpp"
#include "observe/watch/settings.hpp"

namespace tunecheck::watch {
namespace {

// What they make is no kernel: bridges from C to a function of another language, and what is loaded
// from files.
constexpr std::array<std::string_view, 4> no_compilers = {"libffi", "libc.so", "ld-linux",
                                                          "libtunecheck-"};

}  // namespace

std::string file_at(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  // The program itself is named as it was started.
  const std::string file = info.dli_fname;
  return file.find('/') != file.npos ? file : program_of_process();
}

void MadeCode::note(const void* caller, const Tell& tell) {
  JitEvent event;
  event.pid = ::getpid();
  event.time_ns = evidence_now_ns();
  event.library = file_at(caller);
  const std::string name = std::filesystem::path(event.library).filename().string();
  for (const std::string_view other : no_compilers)
    if (name.starts_with(other)) return;
  // Of this library it is known that it holds no lock that a thread with the interpreter's waits
  // for: llvmlite gives that back before each call.
  if (name.starts_with("libllvmlite")) {
    const NumbaWork work = numba_work();
    // Numba also tries at its start whether code can be made at all.
    if (work.is_there && !work.compiles) return;
    if (work.compiles) {
      const std::lock_guard lock(m_mutex);
      if (work.call == m_last_call) return;
      m_last_call = work.call;
      event.compiler = "numba";
      event.place = work.place;
      return tell(event);
    }
  }
  const std::lock_guard lock(m_mutex);
  if (m_told.insert(event.library).second) tell(event);
}

void MadeCode::after_fork_in_child() {
  new (&m_mutex) std::mutex;
  m_told.clear();
  m_last_call = nullptr;
}

}  // namespace tunecheck::watch
