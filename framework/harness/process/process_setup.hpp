#pragma once
// How one process of a tuner is set up before it is watched: its compiler, what happens to it while
// it works, and what observers look at. Workspace makes it so; WatchedProcess starts it.
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "observe/faults/operations.hpp"

namespace tunecheck {

/// What stands where the tuner looks for its compiler.
enum class CompilerMode {
  spy,        ///< passes on and records
  poisoned,   ///< refuses to compile
  slow,       ///< passes on after a while
  crashing,   ///< dies half-way
  other,      ///< passes on, and says that it is another version
  rebuilt,    ///< says the same version, consists of other programs, and makes other bytes
  lingering,  ///< passes on, and leaves a process behind that keeps its output open
  absent,     ///< there is none
};

/// When a process is killed (SIGKILL).
struct KillPoint {
  enum class When {
    file_operation,  ///< at `point`, by the fault library
    compiles,        ///< once observers saw `count` compiles
    launches,        ///< once they saw `count` launches
    configs,         ///< once they saw launches of `count` configs
  };
  When when = When::file_operation;
  FaultPoint point;
  std::int64_t count = 0;
  std::string text;  ///< in words, for messages
  /// How long it stands still (SIGSTOP) before it is killed, at least; not at a file operation.
  std::chrono::milliseconds frozen{0};
  /// And how long at most, if the setup's still_needed goes on saying that it must.
  std::chrono::milliseconds longest_frozen{0};
};

/// From its operation number `from` on, everything of that kind fails in the cache folder.
struct Refusal {
  FileOperation operation = FileOperation::write;
  std::int64_t from = 1;
  int error = 0;     ///< errno
  std::string text;  ///< in words, for messages
};

/// A change to the workspace's own copy of the kernel folder, or of its name.
struct Touch {
  enum class Target { source, header, inner_header, comment, blanks, signature, word, folder };
  Target target = Target::source;
  std::string word{};  ///< becomes another one
  std::string file{};  ///< in which it stands, below the kernel's folder; "" for the source
};

/// Something that is done to the cache folder between calls or processes.
struct CacheAction {
  enum class Kind {
    move,
    absent,  ///< processes get another folder, which does not exist, nor the one above it
    read_only,
    writable,
    full,
    room,
    other_owner,
    world_writable,
    clear,
    unreadable,
    links,
    age,  ///< all files are a day older
    save,
    restore,
    truncate,
    flip,
    remove,   ///< files, or folders with all that is in them
    replace,  ///< a file by an empty folder, a folder by an empty file
    protect,  ///< nobody may write it; what is in a folder stays as it was
    hide,     ///< nobody may read it; files alone
  };
  Kind kind = Kind::move;
  /// Files that the last six concern: their paths below the cache folder, or one of
  /// cache_file_roles, for which the adapter has the glob.
  std::string glob;
  std::int64_t at_percent = 50;  ///< where in the file they act, 0 to 100
  std::int64_t room_kib = 0;     ///< what room leaves
  /// Not the files themselves but what holds them: 1 is the folder of each, 2 the one above, and so
  /// on up to the cache folder itself, above which nothing is touched.
  int up = 0;
  /// Paths below the cache folder: the only files that the last six concern. None: all that match.
  std::optional<std::set<std::string>> among = std::nullopt;
};

/// One process. Plain data; it refers to nothing else.
struct ProcessSetup {
  std::string name;  ///< of its folder in the workspace
  CompilerMode compiler = CompilerMode::spy;
  std::string cache_folder;  ///< the name of one of its own; "" for that of the workspace
  /// It runs at the same time as others, so that its compiler needs a folder of its own.
  bool in_group = false;
  std::map<std::string, std::string> environment;  ///< overrides everything else
  std::optional<KillPoint> kill;
  /// True while a process that stands still must go on doing so. Asked by another thread, until the
  /// process has ended. Empty: never.
  std::function<bool()> still_needed;
  std::optional<Refusal> refusal;  ///< not together with a kill at a file operation
  bool watches_arguments = false;  ///< digest the arguments at each launch
  bool watches_cache = false;      ///< list the cache folder at each launch
  bool watches_files = false;      ///< write down what it does in the cache folder
  bool counts_launches = false;    ///< it will be asked for bursts
  /// Launches of the processes that it starts are counted, not recorded: recording one takes longer
  /// than many a kernel, in the time that the tuner measures. Not together with bursts.
  bool counts_trials = false;
  std::chrono::milliseconds time_limit = std::chrono::minutes(1);  ///< for one answer
};

}  // namespace tunecheck
