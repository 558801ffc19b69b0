#pragma once
// Code that compilers inside the process make in memory.
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "observe/watch/watch_events.hpp"

namespace tunecheck::watch {

/// The file of the library, or of the program, that lies at an address; "" where there is none.
[[nodiscard]] std::string file_at(const void* address);

/// Code that was compiled becomes executable in the same way as code that a cache has kept. So what
/// is told is that a library does it, once. Of Numba more is known: its own functions are on the
/// stack, and say which of the two it is. Any thread may call.
class MadeCode {
 public:
  using Tell = std::function<void(const JitEvent&)>;

  /// A library, which lies at `caller`, has made memory executable.
  void note(const void* caller, const Tell& tell);

  /// Forgets what was told. The parent may have held the lock.
  void after_fork_in_child();

 private:
  std::mutex m_mutex;
  std::set<std::string> m_told;  // libraries
  const void* m_last_call = nullptr;
};

}  // namespace tunecheck::watch
