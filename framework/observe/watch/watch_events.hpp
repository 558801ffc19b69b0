#pragma once
// What the observers of `tunecheck watch` tell of a program: plain data, and the lines in which it
// travels. docs/evidence.md has every field.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck::watch {

/// A process whose launches are seen.
struct ProcessEvent {
  int pid = 0;
  int parent = 0;
  std::string program;  ///< its file
  std::string device;   ///< the kind of device whose launches are seen
  std::string rank;     ///< RANK or what stands for it, "" without
  std::int64_t time_ns = 0;
};

/// One code of those that were launched on the same arguments.
struct CodeLaunches {
  std::string code;    ///< what tells it from the others: its config where known, else its digest
  std::string module;  ///< digest of what was loaded, "" where it is not known
  std::int64_t launches = 0;
  std::int64_t runs = 0;      ///< of launches one behind the other, without another code between
  std::int64_t measured = 0;  ///< launches before which the program had read a clock
  std::int64_t captured = 0;  ///< launches that were recorded into a graph
  std::int64_t first_ns = 0;  ///< CLOCK_MONOTONIC of its first launch
  std::int64_t last_ns = 0;   ///< and of its last one
  /// The ways on which the program came to its launches (call_path()), each once.
  std::vector<std::uint64_t> paths;
  bool has_all_paths = true;      ///< false: there are more, or some launches were only counted
  std::int64_t first_run_ns = 0;  ///< the last launch of the first of its runs
  std::int64_t last_run_ns = 0;   ///< the first launch of the last one
  /// In a burst: launches that found the burst's first content although the launch before had left
  /// another.
  std::int64_t restored = 0;
  std::string built = {};  ///< digest of what of the module is run, "" where it is not known
};

/// How the winner, launched once more on copies of what the first launch found, compares with what
/// the program was left with.
enum class Replay {
  none,        ///< not asked: one code alone, or `why_not` says what is in the way
  same,        ///< some launch of the winner left the same
  differs,     ///< none did
  not_steady,  ///< two replays differ from each other
};

/// One argument of a burst, as far as something is to be said of it.
struct ArgumentSeen {
  int index = 0;
  std::uint64_t bytes = 0;
  std::string found;            ///< digest of what the first launch found, "" if not taken
  std::uint64_t differing = 0;  ///< bytes in which the replay differs from what was left
  std::uint64_t written = 0;    ///< of these, those that the replay changed: no workspace's rest
  std::int64_t spoilt = 0;      ///< trial launches that did not find what the first one found
  bool is_read = false;         ///< the winner's result depends on its content
  bool is_written = false;      ///< some launch that was looked at has changed it
};

/// Launches of one kernel on the same arguments, with nothing in between that gave these a new
/// content.
struct BurstEvent {
  int pid = 0;
  std::uint64_t number = 0;  ///< of the bursts of its process, in the order of their first launches
  std::string kernel;
  std::string shapes;       ///< of the arguments that are tensors
  std::string scalars;      ///< the other arguments
  std::string place;        ///< "train.py:9 (step)", "" where it is not known
  std::string definition;   ///< of what is launched, as ProgramPlace has it
  std::int64_t stream = 0;  ///< of its first launch; streams (threads on a CPU) are counted from 0
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
  std::vector<CodeLaunches> codes;  ///< in the order of their first launches
  std::string winner;               ///< the code that was launched last
  std::int64_t after_trials = 0;    ///< launches of it since another code was launched
  std::int64_t measured = 0;        ///< launches before which the program had read a clock
  std::uint64_t last_path = 0;      ///< of the last launch, 0 where it is not known
  bool is_over = true;      ///< false: told in between, since the process may end at any time
  bool concurrent = false;  ///< threads launched on the same arguments at once
  std::string inputs;       ///< digest of what the first launch found, "" if not taken
  std::string result;       ///< digest of what the first launch of the winner's last run left
  Replay replay = Replay::none;
  std::string why_not;  ///< why there was no replay, "" where none was needed
  /// The next launch of the kernel with these shapes was on other arguments of the same content: a
  /// trial on copies leaves nothing that the program looks at.
  bool was_on_copies = false;
  std::vector<ArgumentSeen> arguments;

  [[nodiscard]] std::int64_t launches() const;
};

/// How often each code of a kernel was launched with the same shapes by one process so far.
struct TotalEvent {
  int pid = 0;
  std::string kernel;
  std::string shapes;
  std::vector<CodeLaunches> codes;  ///< in the order of their first launches
  std::string last_code;
  std::int64_t after_trials = 0;  ///< launches of it since another code was launched
  std::uint64_t last_path = 0;    ///< of the last launch of several codes whose way is known
  std::int64_t skipped = 0;       ///< launches that were counted and not looked at
  std::string rank;               ///< of the process, as ProcessEvent has it, when this was told
};

/// The program wrote a file in a folder, told once per folder and process.
struct WriteEvent {
  int pid = 0;
  std::string folder;
  std::string file;  ///< the first one
};

/// A compiler inside the process has compiled, told each time; or memory was made executable, by a
/// compiler or by what loads its results, told once per library and process.
struct JitEvent {
  int pid = 0;
  std::int64_t time_ns = 0;  ///< when it began
  std::string library;       ///< its file, or that of what made the memory executable
  std::string compiler;      ///< "numba", "nvrtc", "hiprtc", "nvJitLink"; "" where nobody knows
  std::string place;         ///< the line of the program on whose behalf it compiled
  // These are set where a compiler is given a source.
  std::string source = {};   ///< digest of it and all that it was given, "" where not known
  std::string file = {};     ///< the source's name
  std::string kernels = {};  ///< in it: "axpy, dot"
  int result = 0;            ///< 0: it compiled
  std::int64_t wall_ns = 0;
};

/// A part of the program's work that the program itself names, such as one test of a suite. Told by
/// the program and not by an observer: it says to what the evidence of this time belongs, and
/// nothing else.
struct SectionEvent {
  int pid = 0;
  std::string name;
  std::int64_t from_ns = 0, to_ns = 0;  ///< CLOCK_MONOTONIC
};

/// What could not be seen.
struct TroubleEvent {
  int pid = 0;
  std::string what;
};

[[nodiscard]] std::string to_line(const ProcessEvent& event);
[[nodiscard]] std::string to_line(const BurstEvent& event);
[[nodiscard]] std::string to_line(const TotalEvent& event);
[[nodiscard]] std::string to_line(const WriteEvent& event);
[[nodiscard]] std::string to_line(const JitEvent& event);
[[nodiscard]] std::string to_line(const SectionEvent& event);
[[nodiscard]] std::string to_line(const TroubleEvent& event);

/// Everything that was told, in the order of the lines. Of totals, and of one burst, the last that
/// a process told counts.
struct Told {
  std::vector<ProcessEvent> processes;
  std::vector<BurstEvent> bursts;
  std::vector<TotalEvent> totals;
  std::vector<WriteEvent> writes;
  std::vector<JitEvent> jits;
  std::vector<SectionEvent> sections;
  std::vector<TroubleEvent> troubles;
  std::int64_t damaged_lines = 0;
};

/// Takes one line, without its newline. False where it is none of these.
[[nodiscard]] bool is_watch_line(std::string_view line);
void read_line(std::string_view line, Told& told);

}  // namespace tunecheck::watch
