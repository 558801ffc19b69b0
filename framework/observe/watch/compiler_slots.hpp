#pragma once
// What the library that the dynamic loader asks (compiler_audit.cpp) and the one that each process
// of a watched program loads (compiler_entries.cpp) agree on. They share no code: the loader keeps
// the first one in a space of its own.
#include <array>
#include <atomic>
#include <cstdint>

namespace tunecheck::watch {

/// The functions of a runtime compiler that another one stands in for.
enum class CompilerFunction { create, destroy, add_expression, compile, link };
inline constexpr std::array<const char*, 5> compiler_function_names = {
    "create", "destroy", "add_expression", "compile", "link"};

enum class RuntimeCompiler { nvrtc, hiprtc, nvjitlink };
inline constexpr std::array<const char*, 3> runtime_compiler_names = {"nvrtc", "hiprtc",
                                                                      "nvJitLink"};

/// One library that has been loaded. nvJitLink has one for each version of its functions.
struct CompilerSlot {
  std::atomic<std::uintptr_t> owner;  ///< tells the library from others; 0: the slot is free
  std::atomic<RuntimeCompiler> compiler;
  /// The library's own functions, in the order of CompilerFunction. They stay when it is unloaded:
  /// a thread may be in one of them.
  std::array<std::atomic<const void*>, compiler_function_names.size()> real;
};

/// So many at a time. The entries of each are functions of their own, since nothing but its address
/// tells a function what it stands in for.
inline constexpr int compiler_slots = 32;

/// Zeroes, before any constructor: the loader opens libraries before it has initialized one.
struct CompilerSlots {
  std::array<CompilerSlot, compiler_slots> slots;
  std::atomic<int> unseen;  ///< libraries in which nothing could stand in
};

/// By this name the slots are found, and by "tunecheck_stand_in_compile_7" the entry of slot 7.
inline constexpr const char* compiler_slots_name = "tunecheck_watch_compilers";
inline constexpr const char* compiler_entry_prefix = "tunecheck_stand_in_";
inline constexpr const char* watch_library_name = "libtunecheck-watch-cpu.so";

}  // namespace tunecheck::watch
