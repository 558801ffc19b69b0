#include "observe/spy/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <span>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "core/files.hpp"

namespace tunecheck::spy {
namespace {

volatile std::sig_atomic_t running_child = 0;

void hand_to_child(int signal) {
  if (running_child > 0) ::kill(static_cast<pid_t>(running_child), signal);
}

// A tuner that gives up on its compiler must not leave it running.
void forward_signals() {
  struct sigaction action {};
  action.sa_handler = hand_to_child;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    struct sigaction current {};
    if (::sigaction(signal, nullptr, &current) == 0 && current.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

[[noreturn]] void become(char* const* arguments, ChildOutput output, pid_t parent, int error_pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  if (output.out >= 0) ::dup2(output.out, STDOUT_FILENO);
  if (output.err >= 0) ::dup2(output.err, STDERR_FILENO);
  ::execv(arguments[0], arguments);
  const int reason = errno;
  (void)!::write(error_pipe, &reason, sizeof reason);
  ::_exit(127);
}

}  // namespace

Result<ChildEnd> run_child(const std::vector<std::string>& arguments, ChildOutput output) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure("cannot start {}: {}", arguments[0], last_system_error());
  const FileDescriptor from_child(ends[0]);
  FileDescriptor to_parent(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return failure("cannot start {}: {}", arguments[0], last_system_error());
  if (child == 0) become(pointers.data(), output, parent, to_parent.get());
  running_child = child;
  forward_signals();
  to_parent.reset();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return failure("cannot wait for the compiler: {}", last_system_error());
  running_child = 0;
  int reason = 0;
  if (::read(from_child.get(), &reason, sizeof reason) == sizeof reason) {
    errno = reason;
    return failure("cannot start {}: {}", arguments[0], last_system_error());
  }
  if (WIFSIGNALED(status)) return ChildEnd{0, WTERMSIG(status)};
  return ChildEnd{WEXITSTATUS(status), 0};
}

}  // namespace tunecheck::spy
