#pragma once
// What a signal does to what was started here (end_children_with_this_process() in
// core/command.hpp), for a program that ends otherwise.

namespace tunecheck {

/// Kills the groups of all processes that were started here and have not ended. Any thread may call
/// it; it does not wait.
void end_children() noexcept;

}  // namespace tunecheck
