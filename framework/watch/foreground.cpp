#include "watch/foreground.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/files.hpp"
#include "core/processes/process_tree.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck::watch {
namespace {

std::atomic<pid_t> child_of_signals{0};
std::atomic<int> interrupts{0};

void hand_on(int signal) {
  const pid_t child = child_of_signals;
  if (child <= 0) return;
  if (interrupts.fetch_add(1) == 0)
    ::kill(child, signal);
  else
    ::kill(-child, SIGKILL);
}

// The terminal belongs to the child while it runs, where it was this process's.
class Terminal {
 public:
  Terminal() : m_is_ours(::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp()) {}
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { give_to(::getpgrp()); }
  // Async-signal-safe.
  void give_to(pid_t group) const noexcept {
    if (!m_is_ours) return;
    const auto before = ::signal(SIGTTOU, SIG_IGN);
    ::tcsetpgrp(STDIN_FILENO, group);
    ::signal(SIGTTOU, before);
  }

 private:
  bool m_is_ours;
};

// As long as it lives.
class HandedOn {
 public:
  HandedOn() {
    interrupts = 0;
    struct sigaction action {};
    action.sa_handler = hand_on;
    for (std::size_t i = 0; i < signals.size(); ++i)
      ::sigaction(signals[i], &action, &m_before[i]);
  }
  HandedOn(const HandedOn&) = delete;
  HandedOn& operator=(const HandedOn&) = delete;
  ~HandedOn() {
    child_of_signals = 0;
    for (std::size_t i = 0; i < signals.size(); ++i)
      ::sigaction(signals[i], &m_before[i], nullptr);
  }

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> m_before{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment,
                         const ForegroundStart& start, const ProcessMark& mark,
                         const Terminal& terminal, pid_t parent, int error_pipe) {
  ::setpgid(0, 0);
  terminal.give_to(::getpid());
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    ::signal(signal, SIG_DFL);
  if (!start.has_input) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    if (nothing != STDIN_FILENO) ::close(nothing);
  }
  if (start.output >= 0) ::dup2(start.output, STDOUT_FILENO);
  if (start.error_output >= 0) ::dup2(start.error_output, STDERR_FILENO);
  mark.put_on_this_process();
  start.in_child();
  ::execve(program, arguments, environment);
  const int reason = errno;
  (void)!::write(error_pipe, &reason, sizeof reason);
  ::_exit(127);
}

// False at the time limit. If the child is stopped at the terminal, so is this process.
bool wait_for(pid_t child, std::optional<std::chrono::seconds> limit, const Terminal& terminal,
              int& status, rusage& use) {
  const auto deadline = std::chrono::steady_clock::now() + limit.value_or(std::chrono::seconds(0));
  for (;;) {
    const pid_t ended = ::wait4(child, &status, WUNTRACED | (limit ? WNOHANG : 0), &use);
    if (ended == child && WIFSTOPPED(status)) {
      terminal.give_to(::getpgrp());
      ::raise(SIGSTOP);
      terminal.give_to(child);
      ::kill(-child, SIGCONT);
      continue;
    }
    if (ended == child || (ended < 0 && errno != EINTR)) return true;
    if (!limit || ended < 0) continue;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

std::int64_t nanoseconds(const timeval& time) {
  return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1000;
}

ProcessEnd end_of(int status, const rusage& use) {
  ProcessEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exit_status = WEXITSTATUS(status);
  end.cpu_ns = nanoseconds(use.ru_utime) + nanoseconds(use.ru_stime);
  end.peak_memory_kib = use.ru_maxrss;
  return end;
}

}  // namespace

Result<ForegroundEnd> run_in_foreground(const ForegroundStart& start) {
  const std::string& name = start.command.at(0);
  const auto path = start.environment.find("PATH");
  const auto program =
      find_program(name, path == start.environment.end() ? "" : path->second).string();
  if (program.empty())
    return failure(ErrorKind::bad_input, "cannot start \"{}\": {}", name,
                   name.find('/') == name.npos || ::access(name.c_str(), F_OK) != 0
                       ? "no such program"
                       : "it is not a program that may be executed");
  std::vector<std::string> arguments = start.command;
  std::vector<std::string> variables;
  for (const auto& [variable, value] : start.environment)
    variables.push_back(variable + "=" + value);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure(ErrorKind::machine, "cannot make a pipe: {}", last_system_error());
  const FileDescriptor from_child(ends[0]);
  FileDescriptor to_parent(ends[1]);
  const ProcessMark mark = ProcessMark::create();
  const Terminal terminal;
  const HandedOn signals;
  const std::int64_t started_ns = evidence_now_ns();
  const pid_t parent = ::getpid();
  pid_t child = 0;
  {
    const std::scoped_lock nobody_starts(starting_mutex());
    child = ::fork();
    if (child == 0)
      become(program.c_str(), argument_pointers.data(), variable_pointers.data(), start, mark,
             terminal, parent, to_parent.get());
  }
  if (child < 0)
    return failure(ErrorKind::machine, "cannot start \"{}\": {}", name, last_system_error());
  ::setpgid(child, child);
  terminal.give_to(child);
  child_of_signals = child;
  to_parent.reset();
  int reason = 0;
  const bool failed = ::read(from_child.get(), &reason, sizeof reason) == sizeof reason;
  int status = 0;
  rusage use{};
  const bool ended = wait_for(child, start.time_limit, terminal, status, use);
  if (!ended) {
    ::kill(-child, SIGKILL);
    (void)wait_for(child, std::nullopt, terminal, status, use);
  }
  ForegroundEnd result{end_of(status, use), false, mark.end_all_since(child)};
  result.was_interrupted = interrupts > 0 || (ended && result.end.signal == SIGINT);
  result.end.timed_out = !ended;
  result.end.wall_ns = evidence_now_ns() - started_ns;
  if (failed) {
    errno = reason;
    return failure(ErrorKind::bad_input, "cannot start \"{}\": {}", name, last_system_error());
  }
  return result;
}

}  // namespace tunecheck::watch
