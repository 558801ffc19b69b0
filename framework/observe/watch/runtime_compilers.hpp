#pragma once
// Libraries that compile inside a process: NVRTC, HIPRTC, nvJitLink.
#include <array>
#include <string_view>

namespace tunecheck::watch {

enum class RuntimeCompiler { nvrtc, hiprtc, nvjitlink };
inline constexpr std::array<const char*, 3> runtime_compiler_names = {"nvrtc", "hiprtc",
                                                                      "nvJitLink"};
/// Those of their functions that are of importance.
enum class CompilerFunction { create, destroy, add_expression, compile, link };
inline constexpr std::size_t compiler_function_count = 5;

/// What stands in for the functions of one library, and where these are. A function that stands in
/// is told which library it stands in for by nothing but its own address, so there are as many of
/// each as slots; compiler_entries.cpp has them. nvJitLink needs a slot for each version of its
/// functions.
inline constexpr std::size_t compiler_slot_count = 32;
[[nodiscard]] const void* compiler_entry(std::size_t slot, CompilerFunction function);
[[nodiscard]] const void* real_function(std::size_t slot, CompilerFunction function) noexcept;
[[nodiscard]] RuntimeCompiler compiler_of(std::size_t slot) noexcept;

/// To be called while the object that `address` lies in is initialized: the loader has bound all
/// that came with it, and nothing of the program has run. If the object is such a library, its
/// functions are found by their names no more, but what stands in for them is, and what has been
/// bound to them is bound to that. Any thread; waits for no other.
void object_is_initialized(const void* address) noexcept;

/// To be called when libraries may have been unloaded: frees their slots.
void libraries_were_unloaded() noexcept;

/// A thread that is not there may have been at it.
void forget_other_threads_at_compilers() noexcept;

/// True if a library is loaded whose compiles are not told of: it was initialized in a way that
/// was not seen, there are too many, or the system allows no change in it. Not of name spaces of
/// dlmopen().
[[nodiscard]] bool has_unseen_compiler() noexcept;

}  // namespace tunecheck::watch
