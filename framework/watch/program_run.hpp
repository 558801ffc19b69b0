#pragma once
// One run of somebody's program under observation.
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/command.hpp"
#include "core/result.hpp"
#include "observe/evidence.hpp"
#include "observe/watch/watch_events.hpp"
#include "watch/readiness.hpp"

namespace tunecheck::watch {

struct ProgramStart {
  std::vector<std::string> command;  ///< the program first
  Environment environment;           ///< all of it, without what observers need
  std::filesystem::path evidence;    ///< folder, made where it is missing
  std::filesystem::path caches;      ///< root of its cache folders; "" where they are the user's
  std::uint64_t at_most = 0;         ///< bytes of one launch's arguments that are looked at
  bool has_input = true;             ///< as ForegroundStart has it
  std::optional<std::chrono::seconds> time_limit;
  ReadyWhen ready;
};

/// What a run found when it began.
enum class Start {
  usual,   ///< empty cache folders the first time, then those of the runs before it
  edited,  ///< the folders of the usual runs, and what the program is made from was edited since
  fresh,   ///< empty folders, behind all others: what the program does as it is now
};

/// A compiler that the program started, or that compiled inside one of its processes.
struct ProgramCompile : CompileEvent {
  // Of one inside a process:
  std::string place = {};    ///< the line on whose behalf it compiled
  std::string kernels = {};  ///< "axpy, dot"
  std::string source = {};   ///< tells its source and options from others, "" where not known
};

/// What observers saw of it.
struct ProgramRun {
  std::string name;  ///< "cold", "warm 1"
  Start start = Start::usual;
  std::int64_t began_ns = 0;             ///< on the clock of its events
  std::optional<std::int64_t> ready_ns;  ///< when it became ready; nothing where it never did
  ProcessEnd end;
  bool was_interrupted = false;  ///< by the user
  int left_behind = 0;           ///< processes that outlived it and were ended
  Told told;
  std::vector<ProgramCompile> compiles;  ///< questions after a version left out
  bool compilers_are_seen = true;
  std::vector<UnseenCodeEvent> unseen_code;
  /// It was given input that the runs after it do not get.
  bool input_is_used_up = false;
  /// Folders that it wrote in and that are not known to be caches of kernels: later runs may go on
  /// from what it left there.
  std::set<std::string> may_keep_state;
  std::vector<std::string> troubles;  ///< what could not be seen, a sentence each
};

/// Runs it to its end in the foreground: its input and output are this program's own, and so is
/// the terminal. A signal that asks this program to end is handed on, and the run ends with the
/// program. Processes that it leaves behind are ended. An error where it cannot be started. One run
/// at a time.
[[nodiscard]] Result<ProgramRun> run_program(const ProgramStart& start);

}  // namespace tunecheck::watch
