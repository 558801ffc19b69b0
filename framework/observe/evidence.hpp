#pragma once
// What observers recorded about one process: JSON Lines, appended by compiler spies and
// launch probes while the process runs, read by the judge. docs/evidence.md has the format.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/config.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// One run of a compiler.
struct CompileEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC at its start
  int pid = 0;
  std::string tool;
  std::vector<std::string> arguments;
  bool query = false;  ///< asked for version or paths; nothing was to be compiled
  bool links = false;  ///< its inputs were compiled before: the second step of a compile
  /// What the spy was told to do, a mode of SpySettings. Of a compiler that was started
  /// past the spies: outside, or refused where it was not let go on; only its start is seen.
  std::string mode;
  int exit_status = 0;
  std::string output_digest;  ///< SHA-256 of the file it wrote, "" if none
  bool from_store = false;    ///< answered with the bytes of an identical earlier run
  std::int64_t wall_ns = 0;
  /// Variables that are not as in the environment with which the tuner was started: NAME=VALUE, or
  /// NAME of one that is gone. Empty where that is not known either: see SpySettings::environment.
  std::vector<std::string> environment = {};
  int sender = 0;  ///< the process that sent the line, as the kernel knows it; 0: not known
};

/// Where a tensor lies as a kernel is given it. Shape and strides are in elements, a number a
/// dimension.
struct TensorPlace {
  int address_mod_64 = 0;  ///< of element [0, ..., 0], in bytes
  std::vector<std::int64_t> shape, strides;
  bool operator==(const TensorPlace&) const = default;
};

/// One launch of a kernel: of a CPU kernel, seen by the launch probe in its entry, or of a CUDA
/// kernel, seen by the GPU probe in the driver.
struct LaunchEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC at its start
  int pid = 0;
  std::uint64_t launch = 0;  ///< number of the launch in its process, from 1
  std::string kernel;
  std::string config;  ///< "block=64,vec=4"; "" where the source was compiled without it
  std::string module;  ///< SHA-256 of the loaded artifact, "" where it could not be read
  std::vector<std::string> digests;  ///< digest_elements of each tensor before the launch; empty
                                     ///< where the probe was told not to watch
  /// Where the same tensors lie; empty where the probe was told not to watch. On a GPU the layouts
  /// of kernels that get plain pointers are those of the watch file.
  std::vector<TensorPlace> places;
  /// The digests when the kernel has returned; empty where it did not, and on a GPU, where a launch
  /// only enqueues.
  std::vector<std::string> left;
  std::string
      stored;  ///< listing digest of the watched folder at this moment, "" if none is watched
  std::int64_t cost_ns = 0;     ///< what the probe itself spent before the kernel ran
  bool ended = false;           ///< false: the process died, or was killed, inside the kernel
  int status = 0;               ///< meaningful where it ended
  std::int64_t elapsed_ns = 0;  ///< from the probe's first hook's return to its second's call; 0 on
                                ///< a GPU, where a launch only enqueues: not known

  // Of a launch on a GPU alone. It is `ended` when it is enqueued, with the driver's status.
  std::string device;     ///< the name of a DeviceKind; "" for a CPU kernel
  std::string code;       ///< SHA-256 of what of the artifact is run, "" where that is not known
  int stream = 0;         ///< in the order of their first use in the process; 0: the default stream
  int context = 0;        ///< in the order of their first use, from 1
  bool captured = false;  ///< recorded into a graph and not run; without digests
  bool graph = false;     ///< run by a launch of a graph
  std::string digested;   ///< "at_launch", "before_event" or "" without digests; docs/evidence.md
};

/// A module or library that a driver was given to load.
struct ModuleEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC at its start
  int pid = 0;
  std::string module;      ///< SHA-256 of the image, "" where it was not read
  std::string kind;        ///< cubin, fatbin, ptx, file, or "" for an image of no known kind
  std::uint64_t size = 0;  ///< bytes of the image; 0 where its end is not known
  std::string config;      ///< as its kernels' source was compiled, "" without
  int status = 0;          ///< what the driver answered
  std::string code;        ///< as above
};

/// A graph was launched; its kernels of interest follow as launches.
struct GraphLaunchEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC at its start
  int pid = 0;
  int stream = 0;   ///< as above
  int context = 0;  ///< as above
  int kernels = 0;  ///< nodes of the graph that are kernels of interest
  int status = 0;   ///< what the driver answered
};

/// An observer could not do a part of its work: what it would have recorded is missing.
struct TroubleEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC
  int pid = 0;
  std::string what;
};

/// What the fault library did to a process in its cache folder.
struct FaultEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC
  int pid = 0;
  std::string point;  ///< "before_write_1"; see observe/faults/operations.hpp
  int error = 0;      ///< the errno with which operations fail from here on; 0: it was killed
  std::string path;   ///< of the file or folder that the operation was about
};

/// One operation on a file or folder of the cache folder, by the process itself.
struct FileEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC when it had been done
  int pid = 0;
  std::string operation;  ///< a name of observe/faults/operations.hpp
  std::string path;       ///< below the cache folder, "" for the folder itself
  std::string from;       ///< of a rename: what had another name before, below the cache folder, or
                          ///< absolute
  int error = 0;          ///< errno, 0 where it was done
};

/// A program that is neither a compiler nor an observer was about to be started.
struct ProgramEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC
  int pid = 0;               ///< the process that becomes it
  std::string program;       ///< its file
  std::vector<std::string> arguments;
};

/// Code that was made for the tuner was loaded by a process in which no launch is seen.
struct UnseenCodeEvent {
  std::int64_t time_ns = 0;  ///< CLOCK_MONOTONIC
  int pid = 0;
  std::string program;  ///< the process's file
  std::string file;     ///< what was mapped as code
};

struct Evidence {
  std::vector<CompileEvent> compiles;  ///< in the order of their ends
  std::vector<LaunchEvent> launches;   ///< in the order of their starts
  std::vector<FaultEvent> faults;
  std::vector<FileEvent> files;                  ///< in the order of their ends
  std::vector<ModuleEvent> modules;              ///< in the order of their ends
  std::vector<GraphLaunchEvent> graph_launches;  ///< in the order of their ends
  std::vector<TroubleEvent> troubles;
  std::vector<ProgramEvent> programs;
  std::vector<UnseenCodeEvent> unseen_code;
};

/// Lines as a process sent them, each with its newline.
struct SentLines {
  int sender = 0;
  std::string text;
};
/// Reads the events of all these lines. A line that is no event is an error; so is a text that does
/// not end with a line. A launch is joined with its end where both are among them.
[[nodiscard]] Result<Evidence> parse_evidence(const std::vector<SentLines>& all);

/// Reads the events that were appended after byte `from` and sets `from` to the end of the last
/// whole line. A missing file is no evidence: an error; so is a line that is no event. On an error
/// `from` stays. A launch is joined with its end where both were appended after `from`.
[[nodiscard]] Result<Evidence> read_evidence(const std::filesystem::path& file,
                                             std::uint64_t& from);

/// One file of a folder.
struct FileRecord {
  std::string path;  ///< relative to the folder
  std::uint64_t size = 0;
  unsigned mode = 0;   ///< permission bits
  std::string digest;  ///< SHA-256 of the content, "" where it could not be read
  /// Of what begins with the first ELF header behind the file's start: an artifact that stands
  /// behind something of the tuner's own. "" where there is none.
  std::string embedded = {};

  /// True where the file holds an artifact with this digest, alone or behind something.
  [[nodiscard]] bool holds(const std::string& artifact) const {
    return !artifact.empty() && (digest == artifact || embedded == artifact);
  }
};

/// Every regular file below a folder, sorted by path; symbolic links are listed, not followed: size
/// and digest are those of the path they hold. Files that vanish meanwhile are left out; a folder
/// that cannot be read is an error.
struct FolderSnapshot {
  std::vector<FileRecord> files;
};
[[nodiscard]] Result<FolderSnapshot> take_snapshot(const std::filesystem::path& folder);

/// The bytes of the artifact with this digest, from whichever file of the folder holds it.
[[nodiscard]] Result<std::vector<std::byte>> read_artifact(const std::filesystem::path& folder,
                                                           const std::string& artifact);

/// Digest of names and sizes of the files below the folder whose paths match one of `globs`, which
/// are separated by colons ("": all files); cheap enough to take at every launch. The probe and the
/// judge use this one function. "" where the folder cannot be read.
[[nodiscard]] std::string listing_digest(const std::filesystem::path& folder,
                                         const std::string& globs = {});

}  // namespace tunecheck
