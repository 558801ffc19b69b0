#pragma once
// What compilers inside the process are given, and what is told of a compile.
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "observe/watch/watch_events.hpp"

namespace tunecheck::watch {

/// What a program of NVRTC or HIPRTC is made from. Views are only read during the call.
struct RuntimeSource {
  const char* source = nullptr;
  const char* name = nullptr;
  std::span<const char* const> headers;  ///< their texts
  std::span<const char* const> names;    ///< by which the source includes them
};

/// Knows the programs that were created and not destroyed, by their handles. Two compiles have the
/// same digest if the library and all that it is given are the same: source, headers, name
/// expressions, options.
/// Files that the source includes from a folder are not in it. Any thread may call.
class RuntimeCompiles {
 public:
  void created(const void* program, const RuntimeSource& source);
  void add_expression(const void* program, const char* expression);
  void destroyed(const void* program);
  /// Fills in what is known of the source, for a compile by `event.library`. Nothing of a program
  /// that was created unseen.
  void describe(const void* program, std::span<const char* const> options, JitEvent& event);

  /// The parent may have held the lock.
  void after_fork_in_child();

 private:
  struct Program {
    std::string digest;  // of the source and the headers
    std::string file;
    std::string kernels;
    std::vector<std::string> expressions;
  };
  std::mutex m_mutex;
  std::map<const void*, Program> m_programs;
};

/// The names behind `__global__` in a source of CUDA or HIP, each once, at most four: "axpy, dot".
/// Told to a person and believed by no rule: macros may hide a name, and a comment may look like
/// one.
[[nodiscard]] std::string kernels_in(std::string_view source);

}  // namespace tunecheck::watch
