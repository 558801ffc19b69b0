#pragma once
// Sees, from outside, every program that a process and all that comes of it start, and every file
// that they map as code: whatever their environment, in whatever session, static or not.
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck {

/// What a watch knows of the process that it watches.
struct WatchedPrograms {
  std::filesystem::path evidence;  ///< file or socket that events are appended to
  /// What they and the programs below them do, they record themselves.
  std::vector<std::filesystem::path> spy_programs;
  /// Library that a process must have loaded for its launches to be seen; "" if none is expected.
  std::filesystem::path probe_library;
  bool probe_sees_compiles = false;  ///< so do what NVRTC and its like compile in the process
  std::filesystem::path workspace;   ///< code from below it was made for the tuner
  std::vector<std::filesystem::path> compilers;  ///< real ones, beside those that it knows by name
  bool refuses_compilers = false;                ///< EACCES for those that are not spies
  /// Settings of the spies that the process is to find, as they are when the watch begins; none:
  /// any will do.
  std::vector<std::filesystem::path> spy_settings;
  bool may_signal_us = false;  ///< as ProgramFilter has it
};

/// Records by lines in the evidence (docs/evidence.md):
///
///   compile   a compiler that was started and is no spy and not below one, mode "outside", or
///             "refused" where that is what is to be done
///   program   any other program, spies and what is below them left out
///   unseen_code   a file was mapped as code that was made for the tuner (it lies below the
///             workspace, has no name, or was changed since the watch began), in a process that has
///             not loaded the probe: its launches are not seen; or a library that compiles was,
///             where the probe sees that
///
/// Seccomp notification: the process waits while the watch looks, 20 us for a program or a library,
/// and nothing else that it does is slowed down. What decides is read from the memory of the
/// process that asks; one that changes it at the right moment in another thread is not seen.
///
/// begin(), then in_child() in the child; the destructor ends it, after the processes. Owns a
/// thread.
class ProgramWatch {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ProgramWatch>> begin(WatchedPrograms watched);
  ~ProgramWatch();
  ProgramWatch(const ProgramWatch&) = delete;
  ProgramWatch& operator=(const ProgramWatch&) = delete;

  /// To be called in the child between fork and exec; async-signal-safe.
  void in_child() const noexcept;

  /// Why it sees nothing, "" while it sees. Known once the process has been started.
  [[nodiscard]] std::string trouble() const;

  /// How a spy came to be started with other settings than those of WatchedPrograms, so that what
  /// it did may not be recorded; "" if none was. Known when the processes have ended.
  [[nodiscard]] std::string misled_spy() const;
  /// Does `change`, after which other settings are those that spies are to be started with. No spy
  /// is examined meanwhile.
  [[nodiscard]] Result<void> change_spies(const std::function<Result<void>()>& change);
  /// The processes that were started as compiler spies so far.
  [[nodiscard]] std::set<int> spies() const;

 private:
  struct State;
  explicit ProgramWatch(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

/// True for programs that compile: their names, with versions and targets before and after them.
[[nodiscard]] bool is_compiler_name(const std::string& name);
/// True for libraries that compile inside a process: "libnvrtc.so.12".
[[nodiscard]] bool is_runtime_compiler_name(const std::string& name);

}  // namespace tunecheck
