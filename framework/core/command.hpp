#pragma once
// Child processes (Boost.Process): one-shot commands with a time limit, and long-lived children
// that talk in lines.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.hpp"
#include "core/result.hpp"

namespace tunecheck {

using Environment = std::map<std::string, std::string>;

/// The environment of this process.
[[nodiscard]] Environment current_environment();

/// The program as the shell would find it: `name` itself if it has a '/', else searched in `path`
/// (in $PATH if not given). Empty if there is none that may be executed.
[[nodiscard]] std::filesystem::path find_program(const std::string& name,
                                                 std::optional<std::string> path = std::nullopt);

struct CommandOptions {
  std::vector<std::string> arguments;      ///< the program first, as find_program takes it
  std::optional<Environment> environment;  ///< all of it; this process's own if not given
  std::filesystem::path folder;            ///< working folder; this process's own if empty
  std::chrono::milliseconds time_limit = std::chrono::minutes(1);
  /// Runs in the child before exec; async-signal-safe calls only. It shares the parent's memory,
  /// whose thread waits meanwhile.
  std::function<void()> in_child;
  /// The child begins with a copy of the parent's memory: in_child may then enter a user namespace,
  /// which the kernel allows to no process that shares its memory.
  bool child_has_own_memory = false;
};

/// How a process ended and what it used.
struct ProcessEnd {
  int exit_status = 0;  ///< meaningful where signal is 0
  int signal = 0;       ///< the signal that ended it, 0 for none
  bool timed_out = false;
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;  ///< user and system, waited-for children included
  std::int64_t peak_memory_kib = 0;
  /// How long its first thread was on a core or waited for one; -1 where the system does not say
  /// (/proc/PID/schedstat, which kernels without CONFIG_SCHED_INFO do not have).
  std::int64_t ready_ns = -1;
  /// How often a thread of it gave up its core to wait for something.
  std::int64_t waits = 0;

  [[nodiscard]] bool success() const { return exit_status == 0 && signal == 0 && !timed_out; }
  /// "exit status 3", "signal 11 (Segmentation fault)", "no end within the time limit".
  [[nodiscard]] std::string text() const;
};

struct CommandResult {
  ProcessEnd end;
  std::string output;  ///< stdout and stderr as they came
};

/// Held while a process is made. Boost.Process 1.74 opens a pipe and only then marks it as closed
/// by exec: a child that another thread makes in between inherits it, and whoever started the first
/// child waits until the second one ends. Who calls fork() itself holds it too.
[[nodiscard]] std::mutex& starting_mutex();

/// From now on a signal that asks this process to end (SIGINT, SIGTERM, SIGHUP where it is not
/// ignored) first kills the groups of all processes that were started here and have not ended,
/// which no signal of a terminal reaches. For the main() of a program, once.
void end_children_with_this_process();

/// Runs to the end; at the time limit the process group is killed. An error only where the program
/// cannot be started. May be called by several threads at once.
[[nodiscard]] Result<CommandResult> run_command(const CommandOptions& options);

/// A child in a process group of its own, spoken to by lines on its stdin and stdout; its stderr
/// goes to a file, which is cut to its first MiB whenever it has grown over longest_log. One thread
/// at a time. When it has ended, whatever it started and left behind is
/// killed, also in other sessions and under other parents (ProcessMark); so does the destructor.
class LineProcess {
 public:
  static constexpr std::int64_t longest_log = std::int64_t{64} << 20;  ///< bytes
  [[nodiscard]] static Result<LineProcess> start(const CommandOptions& options,
                                                 const std::filesystem::path& error_log);
  LineProcess(LineProcess&&) noexcept;
  LineProcess& operator=(LineProcess&&) noexcept;
  ~LineProcess();

  /// Writes the line and a newline. False where the child no longer reads, or has not taken all of
  /// it within the time limit.
  [[nodiscard]] bool write_line(std::string_view line,
                                std::chrono::milliseconds time_limit = std::chrono::seconds(30));

  enum class ReadState { line, closed, timed_out, too_long };
  struct Read {
    ReadState state = ReadState::closed;
    std::string line;  ///< without the newline; what had come so far where state is not line
  };
  /// The next line of the child's stdout; lines over 64 MiB are refused.
  [[nodiscard]] Read read_line(std::chrono::milliseconds time_limit);

  /// What it has printed that no read_line() has returned, as far as it has come; does not wait.
  [[nodiscard]] std::string unread();

  void close_input();
  /// Waits for the end, and kills the process at the time limit; then kills what it left behind.
  /// Call it once.
  [[nodiscard]] ProcessEnd wait(std::chrono::milliseconds time_limit);
  [[nodiscard]] int id() const;

 private:
  struct State;
  void cut_log() const noexcept;
  explicit LineProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace tunecheck
