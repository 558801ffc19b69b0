#pragma once
// The gate's rule on this machine: sessions of a build with itself, or with itself slowed down,
// whose right answer is known. Each is the very session that `tunecheck gate` runs: both sides are
// set up by themselves, anew each time, because what their tunings found is a part of what differs
// by chance.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/measure/build.hpp"
#include "gate/rule/real_session.hpp"

namespace tunecheck::gate {

struct RealCalibrationOptions {
  Build build;
  std::vector<std::string> kernels = {"rmsnorm"};
  std::vector<std::string> sizes = {"smoke"};
  std::vector<std::string> metrics = {"winner_time"};
  bool is_whole = false;            ///< see CompareOptions
  double head = 0;                  ///< by how much the head is slowed down
  bool is_loaded = false;           ///< as sessions note it; the caller provides the load
  std::size_t at_once = 1;          ///< likewise
  std::size_t sessions = 200;       ///< that the file is to have in the end
  std::optional<SessionPart> part;  ///< where `sessions` are divided: only its own are played
  std::uint64_t seed = 1;           ///< of session 0
  std::string machine;              ///< "AMD EPYC, 2 cores"
  GateResult begun;           ///< what is known of each session before it begins, settings too
  std::filesystem::path out;  ///< takes sessions.jsonl and work folders
  /// Called with each session whose answer is wrong: of equal builds one that found a difference,
  /// of a head slowed down by at least the tolerance one that passed. The environment of its sides
  /// says which config each tuning chose. `name` is that of a file.
  std::function<Result<void>(const GateResult&, const std::string& name)> wrong;
  /// Called with a line after each session, and about what was found in the file.
  std::function<void(const std::string&)> progress;
};

/// "sessions.jsonl" in the folder.
[[nodiscard]] std::filesystem::path sessions_file(const std::filesystem::path& out);

/// How many sessions the file in `out` is to have in the end: all, or the part's.
[[nodiscard]] std::size_t sessions_asked(const RealCalibrationOptions& options);

/// What the file's sessions are to be.
[[nodiscard]] Result<SessionKind> kind_of(const RealCalibrationOptions& options);

/// Whether sessions can be appended to the file in `out`, of which a last line that was cut is
/// removed: that is said to `progress`.
[[nodiscard]] Result<void> check_sessions(const RealCalibrationOptions& options);

/// How many sessions of the kind the file in `out` has, once no process plays for this command any
/// more; what such a process left besides is removed.
[[nodiscard]] Result<std::size_t> kept_sessions(const RealCalibrationOptions& options);

/// Plays sessions until the file in `out` has as many of this kind as are asked for, or the others
/// are being played by other processes. The error is the judge's own trouble, a build that cannot
/// tune, or a file of other sessions.
[[nodiscard]] Result<void> play_sessions(const RealCalibrationOptions& options);

}  // namespace tunecheck::gate
