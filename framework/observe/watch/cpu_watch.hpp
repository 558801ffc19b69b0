#pragma once
// What the functions that stand in for those of the C library tell the observer.
#include <span>
#include <string>

#include "observe/watch/runtime_compiles.hpp"
#include "observe/watch/watch_events.hpp"

namespace tunecheck::watch {

/// True where what the calling thread does is the program's, and is to be looked at.
[[nodiscard]] bool is_looking() noexcept;

/// True where what is compiled inside the process is to be told of; known before is_looking() is.
[[nodiscard]] bool is_asked_about_compiles() noexcept;

void clock_was_read() noexcept;
/// The library that is loaded at this address is about to be unloaded.
void code_goes(const void* base) noexcept;
/// A library, which lies at `caller`, has made memory executable.
void code_was_made(const void* caller) noexcept;

/// `function` of a compiler inside the process compiles a program, of which the functions below
/// told. The second is to be called when it has ended.
struct RuntimeCompileBegun {
  bool is_told = false;
  JitEvent event;
};
[[nodiscard]] RuntimeCompileBegun runtime_compile_begins(
    const char* compiler, const void* function, const void* program,
    std::span<const char* const> options) noexcept;
void runtime_compile_ends(RuntimeCompileBegun begun, int result) noexcept;
void runtime_program_created(const void* program, const RuntimeSource& source) noexcept;
void runtime_program_instantiates(const void* program, const char* expression) noexcept;
void runtime_program_destroyed(const void* program) noexcept;

void tell_write(const std::string& folder, const std::string& file) noexcept;
/// Tells what has not been told: the process is about to end. May be called more than once.
void end_of_process() noexcept;

/// A forked child tells of each folder anew.
void forget_told_folders() noexcept;

}  // namespace tunecheck::watch
