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

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/files.hpp"
#include "core/processes/process_tree.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck::watch {
namespace {

std::atomic<pid_t> child_of_signals{0};
std::atomic<bool> interrupted{false};

void hand_on(int signal, siginfo_t* info, void*) {
  interrupted = true;
  // A terminal sends to the whole group.
  const bool is_of_terminal = signal != SIGTERM && info->si_code == SI_KERNEL;
  if (const pid_t child = child_of_signals; child > 0 && !is_of_terminal) ::kill(child, signal);
}

// As long as it lives.
class HandedOn {
 public:
  HandedOn() {
    interrupted = false;
    struct sigaction action {};
    action.sa_sigaction = hand_on;
    action.sa_flags = SA_SIGINFO;
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
                         const ProcessMark& mark, const std::function<void()>& in_child,
                         int error_pipe) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    ::signal(signal, SIG_DFL);
  mark.put_on_this_process();
  in_child();
  ::execve(program, arguments, environment);
  const int reason = errno;
  (void)!::write(error_pipe, &reason, sizeof reason);
  ::_exit(127);
}

// False at the time limit.
bool wait_for(pid_t child, std::optional<std::chrono::seconds> limit, int& status, rusage& use) {
  const auto deadline = std::chrono::steady_clock::now() + limit.value_or(std::chrono::seconds(0));
  for (;;) {
    const pid_t ended = ::wait4(child, &status, limit ? WNOHANG : 0, &use);
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

Result<ForegroundEnd> run_in_foreground(const std::vector<std::string>& command,
                                        const Environment& environment,
                                        std::optional<std::chrono::seconds> time_limit,
                                        const std::function<void()>& in_child) {
  const auto path = environment.find("PATH");
  const auto program =
      find_program(command.at(0), path == environment.end() ? "" : path->second).string();
  if (program.empty())
    return failure(ErrorKind::bad_input, "cannot start \"{}\": no such program", command.at(0));
  std::vector<std::string> arguments = command;
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment)
    variables.push_back(name + "=" + value);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure(ErrorKind::machine, "cannot make a pipe: {}", last_system_error());
  const FileDescriptor from_child(ends[0]);
  FileDescriptor to_parent(ends[1]);
  const ProcessMark mark = ProcessMark::create();
  const HandedOn signals;
  const std::int64_t started_ns = evidence_now_ns();
  pid_t child = 0;
  {
    const std::scoped_lock nobody_starts(starting_mutex());
    child = ::fork();
    if (child == 0)
      become(program.c_str(), argument_pointers.data(), variable_pointers.data(), mark, in_child,
             to_parent.get());
  }
  if (child < 0)
    return failure(ErrorKind::machine, "cannot start \"{}\": {}", command.at(0),
                   last_system_error());
  child_of_signals = child;
  to_parent.reset();
  int reason = 0;
  const bool failed = ::read(from_child.get(), &reason, sizeof reason) == sizeof reason;
  int status = 0;
  rusage use{};
  const bool ended = wait_for(child, time_limit, status, use);
  if (!ended) {
    ::kill(child, SIGKILL);
    (void)wait_for(child, std::nullopt, status, use);
  }
  ForegroundEnd result{end_of(status, use), interrupted, mark.end_all_since(child)};
  result.end.timed_out = !ended;
  result.end.wall_ns = evidence_now_ns() - started_ns;
  if (failed) {
    errno = reason;
    return failure(ErrorKind::bad_input, "cannot start \"{}\": {}", command.at(0),
                   last_system_error());
  }
  return result;
}

}  // namespace tunecheck::watch
