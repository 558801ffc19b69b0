#pragma once
// What watching a program found.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tunecheck {

/// The stable names of what can be found; docs/watch.md has the rule of each.
enum class WatchWord {
  wrong,       ///< the tuning changed what the program computes
  stale,       ///< a cache gave out code of sources that have changed since
  again,       ///< a warm start tunes
  compiled,    ///< a warm start compiles
  changed,     ///< a warm start launches another code for the same arguments
  spoilt,      ///< the winner was chosen on spoilt input
  late,        ///< tuned inside the capture of a graph, or when the program was ready
  every_step,  ///< tuned for each value of a number whose winner is always the same
  ranks,       ///< processes of one start settle on different codes
};
/// "WRONG", "EVERY_STEP".
[[nodiscard]] const char* name_of(WatchWord word);
/// What it means, one sentence.
[[nodiscard]] const char* summary_of(WatchWord word);
/// The gravest first.
[[nodiscard]] const std::vector<WatchWord>& all_watch_words();

/// Plain data: filled in by watch_program(), by the command line (what is allowed and what is new),
/// and then only read.
struct WatchResult {
  struct Run {
    std::string name;        ///< "cold", "warm 1"
    std::string end;         ///< "exit status 0", "signal 11 (Segmentation fault)"
    bool succeeded = false;  ///< it ended with status 0
    std::int64_t wall_ns = 0;
    std::int64_t processes = 0;  ///< that launched kernels
    std::int64_t compiles = 0;   ///< starts of compilers, and compiles inside a process
    std::int64_t launches = 0;   ///< of kernels
    std::int64_t trials = 0;     ///< of these: in a tuning, and not of its winner alone
    /// From its start; nothing where it never became ready, or nobody said how to tell.
    std::optional<std::int64_t> ready_after_ns = {};
    bool compilers_are_seen = true;
  };
  /// Where the program launches a kernel. `line` is 0 where only the file is known.
  struct Place {
    std::string file;
    int line = 0;
    std::string function;
    auto operator<=>(const Place&) const = default;
  };
  struct Finding {
    WatchWord word = WatchWord::wrong;
    bool is_certain = true;  ///< false: the evidence does not decide, and `text` says why
    std::string kernel;      ///< "" where it is of the whole program
    std::string shapes;      ///< of its tensors, those of the first burst
    Place place;
    Place definition;  ///< of the kernel; its file is empty where that is not known
    std::string run;   ///< in which it was seen first
    std::string text;  ///< one sentence
    std::vector<std::string> details;
    bool is_allowed = false;  ///< by its word; it does not fail the command
    bool is_new = true;       ///< false: it is in the baseline

    [[nodiscard]] bool fails() const { return is_certain && !is_allowed && is_new; }
  };
  /// What a kernel's launches with these shapes ended with.
  struct Settled {
    std::string shapes;
    /// By run: the code that was launched last, several with ", " between where processes differ,
    /// "" where there was no launch.
    std::vector<std::string> codes;
  };
  struct Kernel {
    std::string name;
    std::int64_t codes = 0;               ///< in the cold run
    std::vector<std::int64_t> launches;   ///< by run
    std::vector<std::int64_t> trials;     ///< by run
    std::vector<std::int64_t> tuning_ns;  ///< by run: from the first to the last launch of tunings
    std::vector<Settled> settled;         ///< by shapes, no more than most_settled
    std::int64_t settled_left_out = 0;
  };
  static constexpr std::size_t most_settled = 64;

  enum class LaunchKind {
    trial,    ///< in a tuning
    winner,   ///< of a tuning, after its trials
    launch,   ///< in no tuning that is known as one
    counted,  ///< not looked at, only counted
  };
  /// Launches of one code. Others may lie between them.
  struct Span {
    LaunchKind kind = LaunchKind::launch;
    std::int64_t code = 0;  ///< a place in Timeline::codes
    std::int64_t from_ns = 0, to_ns = 0;
    std::int64_t launches = 0;
  };
  /// How one clean launch of the winner compares with what a call left.
  enum class Replayed { not_asked, same, differs, not_steady, on_copies };
  /// Launches of a kernel on the same arguments, or several such one behind the other that are of
  /// one code. Times count from the begin of the run.
  struct Call {
    std::int64_t run = 0;      ///< a place in `runs`
    std::int64_t process = 0;  ///< its number
    std::string rank;
    std::int64_t stream = 0;  ///< of the process: streams of a GPU, threads on a CPU, from 0
    std::int64_t repeated = 1;
    std::string numbers;  ///< the arguments that are no tensors
    Replayed replayed = Replayed::not_asked;
    std::int64_t measured = 0;  ///< launches before which the program had read a clock
    /// Launches before the winner's that found another content than the call's first, in one of its
    /// arguments, and launches that found the first one although the launch before had left
    /// another.
    std::int64_t spoilt = 0, restored = 0;
    std::vector<Span> spans;  ///< by time
  };
  /// When a kernel that is tuned was launched, in all runs. Large ones are cut: calls of several
  /// codes stay longest, and of those the winner.
  struct Timeline {
    std::string kernel;
    std::string shapes;
    Place place, definition;
    std::vector<std::string> codes;  ///< by their first launches
    std::vector<Call> calls;         ///< by run, process, stream and time
    std::int64_t spans_left_out = 0;
  };
  /// Several codes that were tried on the same arguments.
  struct SectionTuning {
    std::string kernel;
    std::string shapes;
    Place place;
    bool is_certain = true;  ///< false: a program may launch these codes on purpose
    std::vector<std::string> codes;
    std::int64_t launches = 0;
  };
  /// A part of a run that the program named. What happened in it belongs to it: a compiler is of
  /// the section whose process started it, also through other processes.
  struct Section {
    std::int64_t run = 0;  ///< a place in `runs`
    std::string name;
    std::int64_t process = 0;  ///< its number
    std::int64_t from_ns = 0, to_ns = 0;
    std::int64_t compiles = 0;
    /// Compilers that nobody knows the starter of, while several sections were under way.
    std::int64_t unclear_compiles = 0;
    std::vector<std::string> commands;  ///< of its compilers, no more than most_commands
    /// Names of those that were launched in it, as far as that was looked at.
    std::vector<std::string> kernels;
    std::vector<SectionTuning> tunings;  ///< by kernel and shapes
  };
  static constexpr std::size_t most_commands = 8;
  std::string tunecheck;  ///< version
  std::string started;    ///< "2026-11-26T06:42:16Z", "" where it is not known
  std::vector<std::string> command;
  std::vector<std::string> options;  ///< of the watch, as its user gave them, without --out
  std::string folder;                ///< of the evidence
  std::vector<Run> runs;
  std::vector<Finding> findings;  ///< the gravest first
  std::vector<Kernel> kernels;    ///< by name
  /// Of kernels that are tuned: first those of which something was found, then by trials.
  std::vector<Timeline> timelines;
  std::int64_t timelines_left_out = 0;
  std::vector<Section> sections;   ///< by run and time
  std::vector<std::string> notes;  ///< what could not be seen, and what else is worth knowing
  bool is_interrupted = false;
  /// The user said how to tell when the program is ready, and no run became so.
  bool was_never_ready = false;

  [[nodiscard]] bool saw_anything() const;
  /// Something was seen, the program ended with status 0 at least once and became ready, and nobody
  /// interrupted the watch. What was found is true without it; that nothing was found is not.
  [[nodiscard]] bool is_trusted() const;
  /// Failed where a finding fails; untrusted where none does and is_trusted() is false.
  [[nodiscard]] int exit_status() const;
};

}  // namespace tunecheck
