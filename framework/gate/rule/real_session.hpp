#pragma once
// One session of the gate on a real machine whose right answer is known: both sides are one build,
// and the head is slowed down by a known share, which may be none. A file of such sessions has one
// JSON object per line, so that several processes can append to it and a line that was cut by a
// kill costs one session:
//
//   {"number":1,"head":0.05,"load":"idle","at_once":1,"machine":"AMD EPYC, 2 cores",...}
//
// All that a table needs is in each line: files of several machines are simply read together.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "gate/rule/gate_result.hpp"

namespace tunecheck::gate {

/// A part of sessions that are divided among machines: the sessions `number`, `number` + `count`,
/// `number` + 2 * `count`, and so on.
struct SessionPart {
  std::size_t number = 1;    ///< from 1
  std::size_t count = 1;     ///< of parts
  std::size_t sessions = 1;  ///< of all parts

  [[nodiscard]] bool has(std::size_t session) const { return (session - 1) % count == number - 1; }
  /// How many sessions it has.
  [[nodiscard]] std::size_t size() const { return (sessions + count - number) / count; }
  bool operator==(const SessionPart&) const = default;
};

/// What a session is one of. Sessions of one kind are counted together.
struct SessionKind {
  std::string machine;    ///< "AMD EPYC, 2 cores"
  std::string build;      ///< digest of the programs that were run
  std::string kernels;    ///< names with ", " between them
  std::string size;       ///< names with ", " between them, each of every kernel
  std::string metrics;    ///< names with ", " between them
  std::string backend;    ///< "cpu", ...
  bool is_whole = false;  ///< with canaries, and winner_choice where tunings chose differently
  double delta = 0, tolerance = 0;    ///< of Settings
  double head = 0;                    ///< by how much the head is slower: 0.05 is 5 %
  bool is_loaded = false;             ///< something was started that keeps every core busy
  std::size_t at_once = 1;            ///< sessions that were played at the same time
  std::optional<SessionPart> part{};  ///< none where they are not divided

  bool operator==(const SessionKind&) const = default;
};

struct RealSession {
  SessionKind kind;
  std::size_t number = 0;  ///< from 1, among those of its kind
  std::uint64_t seed = 0;
  std::string started;  ///< UTC, ISO 8601
  /// How many of the CPUs that it could use did something else on average while it ran, and how
  /// many of those that it could not use did anything.
  double other_work = 0, elsewhere = 0;
  Answer answer = Answer::invalid;
  std::string reason;                                 ///< why it is invalid; else ""
  std::size_t benchmarks = 0;                         ///< that were measured, canaries not counted
  std::size_t slower = 0, faster = 0, undecided = 0;  ///< of these benchmarks
  std::size_t pairs = 0;                              ///< of all benchmarks, canaries included
  double seconds = 0;
  /// The smallest slowdown that the session says it would find; infinite where it says none.
  double would_find = 0;
  double change = 0;  ///< of the first benchmark, as estimated; NaN where there is none

  [[nodiscard]] bool is_false_alarm() const {
    return kind.head == 0 && (answer == Answer::regression || answer == Answer::improved);
  }
};

/// "part 2 of 4, of 200 sessions".
[[nodiscard]] std::string text_of(const std::optional<SessionPart>& part);

/// What a session that is over says of itself, into `session`.
void take_findings(const GateResult& result, RealSession& session);

/// One line, with its newline.
[[nodiscard]] std::string to_line(const RealSession& session);

/// What a file of sessions holds.
struct SessionFile {
  std::vector<RealSession> sessions;
  std::vector<int> lines;     ///< of each session, from 1
  std::size_t complete = 0;   ///< bytes up to the end of the last whole line
  std::size_t cut_bytes = 0;  ///< of a last line without an end, where a whole file was read
};

/// Two sessions with the same one are the same session, played or copied twice, whatever part each
/// is of.
[[nodiscard]] std::string identity(const RealSession& session);

/// The sessions of a text; errors name `file`. What follows the last newline is a line that was
/// cut, and is left out. Any other line that is not a session is an error that names it, and so is
/// a session that is there twice.
[[nodiscard]] Result<SessionFile> parse_sessions(std::string_view text,
                                                 const std::filesystem::path& file);
[[nodiscard]] Result<SessionFile> read_sessions(const std::filesystem::path& file);

/// An error, naming file and line, where a session in it is of another machine, build or question
/// than `kind`, or of another part: only the head's slowdown, the load and the number at once may
/// differ within a file that is appended to.
[[nodiscard]] Result<void> check_appendable(const SessionFile& sessions, const SessionKind& kind,
                                            const std::filesystem::path& file);

}  // namespace tunecheck::gate
