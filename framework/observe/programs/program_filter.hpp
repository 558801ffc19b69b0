#pragma once
// The filter by which the kernel asks the judge before a process starts a program or maps code.
#include <string>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// What the filter asks about. All other system calls go on unasked.
///
///   execve, execveat        every program that is started
///   mmap                    of a file, with PROT_EXEC: every library and artifact that is loaded
///
/// It holds for all that comes of the process, for ever, and needs no privilege: it sets
/// PR_SET_NO_NEW_PRIVS, so that programs with the set-user-ID bit run without it.
///
/// Installs it in the process that calls it and sends the listener through `socket`, or errno where
/// the kernel refuses. Async-signal-safe: for a child between fork and exec.
void install_program_filter(int socket) noexcept;

/// The listener that install_program_filter() has sent; an error says why there is none. Waits at
/// most until something is written to `stop`.
[[nodiscard]] Result<FileDescriptor> receive_listener(int socket, int stop);

/// "" where this system lets a process be watched so, else why not. Tries it in a child.
[[nodiscard]] std::string why_programs_are_not_seen();

}  // namespace tunecheck
