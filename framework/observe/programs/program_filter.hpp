#pragma once
// The filter by which the kernel asks the judge before a process starts a program or maps code.
#include <string>
#include <vector>

#include <linux/filter.h>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// What the kernel does with a process and all that comes of it, for ever:
///
///   execve, execveat        asks about every program that is started
///   mmap                    asks about every file that is mapped with PROT_EXEC
///   kill, ptrace, ...       refuses (EPERM) what is aimed at the process that made this object,
///                           at its group, or at all processes
///
/// All other system calls go on unasked. Needs no privilege: it sets PR_SET_NO_NEW_PRIVS, so that
/// programs with the set-user-ID bit run without it.
class ProgramFilter {
 public:
  /// Without `protects_maker` nothing is refused: for programs that are not expected to be hostile,
  /// and may well ask whether their parent lives.
  explicit ProgramFilter(bool protects_maker = true);

  /// Installs it in the process that calls it and sends the listener through `socket`, or errno
  /// where the kernel refuses. Async-signal-safe: for a child between fork and exec.
  void install_here(int socket) const noexcept;

 private:
  std::vector<sock_filter> m_program;
};

/// The listener that install_here() has sent; an error says why there is none. Waits at
/// most until something is written to `stop`.
[[nodiscard]] Result<FileDescriptor> receive_listener(int socket, int stop);

/// "" where this system lets a process be watched so, else why not. Tries it in a child.
[[nodiscard]] std::string why_programs_are_not_seen();

}  // namespace tunecheck
