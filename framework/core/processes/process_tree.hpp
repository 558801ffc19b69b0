#pragma once
// All processes that came of one, wherever they have gone: into another session, to another parent.
#include <cstdint>

#include <sys/types.h>

namespace tunecheck {

/// A mark that a process hands down to whatever it starts and cannot take off: the hard limit of
/// RLIMIT_RTTIME, which is inherited over fork and exec, survives setsid() and a change of user,
/// and which only CAP_SYS_RESOURCE may raise. The values used are limits of millions of years.
class ProcessMark {
 public:
  /// A mark that no other process of this machine has. Not valid where a limit is set already that
  /// leaves no room for marks, or marks are nested more than 14 deep.
  [[nodiscard]] static ProcessMark create();

  [[nodiscard]] bool valid() const { return m_value != 0; }
  /// Marks the process that calls it. Async-signal-safe: for a child between fork and exec.
  void put_on_this_process() const noexcept;
  /// Kills (SIGKILL) all processes with this mark among those that began after `leader` did, and
  /// again until there is none left that lives. Says how many there were. Looks through /proc: a
  /// millisecond. Processes of another user are left where this one may not kill them.
  int end_all_since(pid_t leader) const noexcept;

 private:
  struct Look {
    int found = 0;
    bool is_whole = false;  ///< it came to the newest process of the machine
  };
  [[nodiscard]] Look kill_all(pid_t leader) const noexcept;
  [[nodiscard]] int kill_if_marked(pid_t pid) const noexcept;

  std::uint64_t m_value = 0;
};

}  // namespace tunecheck
