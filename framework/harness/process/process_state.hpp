#pragma once
// What a process has besides its memory, and what a call should leave as it was.
#include <map>
#include <string>

#include "core/result.hpp"

namespace tunecheck {

/// By what it is called, in words: the working folder, the umask, signals that are blocked, ignored
/// and caught, the processors that it may use, its priority, its limits and how many ends of pipes
/// it has open. Variables, the locale and the modes of its processor lie in its memory, where
/// nobody sees them.
using ProcessState = std::map<std::string, std::string>;

/// The one of these that a process may also open once, for all that it does later.
inline constexpr const char* open_pipes = "open ends of pipes";

/// As the kernel tells it, of the process's first thread. An error where the process has ended.
[[nodiscard]] Result<ProcessState> process_state(int process);

}  // namespace tunecheck
