#pragma once
// What the functions that stand in for those of the C library tell the observer.
#include <string>

namespace tunecheck::watch {

/// True where what the calling thread does is the program's, and is to be looked at.
[[nodiscard]] bool is_looking() noexcept;

void clock_was_read() noexcept;
/// The library that is loaded at this address is about to be unloaded.
void code_goes(const void* base) noexcept;
/// A library, which lies at `caller`, has made memory executable.
void code_was_made(const void* caller) noexcept;
void tell_write(const std::string& folder, const std::string& file) noexcept;
/// Tells what has not been told: the process is about to end. May be called more than once.
void end_of_process() noexcept;

/// A forked child tells of each folder anew.
void forget_told_folders() noexcept;

}  // namespace tunecheck::watch
