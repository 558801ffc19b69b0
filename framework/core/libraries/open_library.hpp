#pragma once
// Shared libraries at run time, by a path that a user may have named.
#include <filesystem>

#include "core/result.hpp"

namespace tunecheck {

/// True unless something other than a regular file is there, links followed: the loader opens what
/// it is given before it looks at it, and a FIFO keeps it waiting for a writer for ever. True for a
/// bare name, for which the loader searches, and for a path at which nothing is.
[[nodiscard]] bool may_be_library(const std::filesystem::path& path);

/// dlopen() with these flags, of what may be a library. The error is one line and names the path.
[[nodiscard]] Result<void*> open_library(const std::filesystem::path& path, int flags);

}  // namespace tunecheck
