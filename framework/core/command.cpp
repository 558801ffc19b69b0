#include "core/command.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <poll.h>
#include <signal.h>
#include <span>
#include <unistd.h>

// Boost asks the oldest standards whether there is a vfork, and all but those have left it out.
#define BOOST_POSIX_HAS_VFORK 1
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/posix.hpp>
#include <boost/process/start_dir.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/processes/end_children.hpp"
#include "core/processes/process_tree.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace bp = boost::process;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::int64_t nanoseconds(const timeval& time) {
  return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1000;
}

// So often the log of a process that is waited for is looked at.
constexpr int log_look_ms = 100;

int remaining_ms(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left + 1, 0, 1'000'000'000));
}

struct Pipe {
  FileDescriptor read, write;
  static Result<Pipe> create() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      return failure(ErrorKind::machine, "cannot make a pipe: {}", last_system_error());
    return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  }
};

struct Streams {
  int input, output, error;
};

// Those that were started and have not been waited for; 0: free. Read by a signal handler.
std::array<std::atomic<pid_t>, 1024> running_children;

void add_running(pid_t pid) noexcept {
  for (auto& slot : running_children) {
    pid_t free = 0;
    if (slot.compare_exchange_strong(free, pid)) return;
  }
}

void remove_running(pid_t pid) noexcept {
  for (auto& slot : running_children) {
    pid_t own = pid;
    if (slot.compare_exchange_strong(own, 0)) return;
  }
}

void end_all_children() noexcept {
  for (const auto& slot : running_children)
    if (const pid_t pid = slot.load(); pid > 0) ::kill(-pid, SIGKILL);
}

extern "C" void end_children_and_self(int signal) {
  end_all_children();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Starts the child in a new process group, so that whatever it starts can be ended with it.
Result<pid_t> spawn(const CommandOptions& options, const Streams& streams) {
  std::optional<std::string> search_path;
  if (options.environment) {
    const auto path = options.environment->find("PATH");
    search_path = path == options.environment->end() ? "" : path->second;
  }
  const std::filesystem::path program = find_program(options.arguments.at(0), search_path);
  if (program.empty())
    return failure(ErrorKind::machine, "cannot start \"{}\": no such program",
                   options.arguments.at(0));
  bp::environment environment;
  for (const auto& [name, value] :
       options.environment ? *options.environment : current_environment())
    environment.set(name, value);  // operator[] of Boost 1.74 reads past the ends of names
  std::error_code error;
  const auto set_up_child = [&](auto&) {
    ::setpgid(0, 0);
    if (options.in_child) options.in_child();
  };
  // Boost puts the program in front itself.
  const std::vector<std::string> arguments(options.arguments.begin() + 1, options.arguments.end());
  const std::scoped_lock nobody_starts(starting_mutex());
  const auto start = [&](const auto&... how) {
    return bp::child(bp::args = arguments, bp::exe = program.string(), environment,
                     bp::start_dir(options.folder.empty() ? std::filesystem::current_path().string()
                                                          : options.folder.string()),
                     bp::posix::fd.bind(0, streams.input), bp::posix::fd.bind(1, streams.output),
                     bp::posix::fd.bind(2, streams.error), error,
                     bp::extend::on_exec_setup = set_up_child, how...);
  };
  // A copy of this process's memory, which the child would throw away, takes longer than the rest.
  bp::child child = options.child_has_own_memory ? start() : start(bp::posix::use_vfork);
  if (error)
    return failure(ErrorKind::machine, "cannot start \"{}\": {}", options.arguments.at(0),
                   error.message());
  const pid_t pid = child.id();
  child.detach();
  ::setpgid(pid, pid);  // the parent too: whichever comes first
  add_running(pid);
  return pid;
}

// Readable once the process has ended; not valid where the system has no such handles.
FileDescriptor process_handle(pid_t pid) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

void kill_group(pid_t pid) noexcept {
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
}

// ProcessEnd::ready_ns of a process that has ended and is not reaped. The file holds three numbers
// for the first thread: the ns on a core, the ns of waiting for one, and how often it got one.
std::int64_t ready_ns(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/schedstat");
  std::int64_t ran = 0, waited = 0;
  return file >> ran >> waited ? ran + waited : -1;
}

// Waits until the deadline, then kills. Reaps the child and reads its accounting.
ProcessEnd reap(pid_t pid, Clock::time_point started, Clock::time_point deadline) {
  ProcessEnd end;
  int status = 0;
  rusage usage{};
  const FileDescriptor handle = process_handle(pid);
  const auto has_ended = [pid] {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  };
  while (!has_ended()) {
    const int wait_ms = remaining_ms(deadline);
    if (wait_ms == 0 && !end.timed_out) {
      end.timed_out = true;
      kill_group(pid);
    }
    pollfd watched{handle.get(), POLLIN, 0};
    ::poll(&watched, handle.valid() ? 1 : 0,
           handle.valid() ? (end.timed_out ? -1 : wait_ms) : std::min(wait_ms, 2));
  }
  end.ready_ns = ready_ns(pid);
  while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ::kill(-pid, SIGKILL);  // whatever it left behind in its group
  remove_running(pid);
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.wall_ns = std::chrono::nanoseconds(Clock::now() - started).count();
  end.cpu_ns = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  end.peak_memory_kib = usage.ru_maxrss;
  end.waits = usage.ru_nvcsw;
  return end;
}

}  // namespace

std::mutex& starting_mutex() {
  static std::mutex mutex;
  return mutex;
}

void end_children() noexcept {
  end_all_children();
}

void end_children_with_this_process() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = end_children_and_self;
    sigfillset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

Environment current_environment() {
  Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != text.npos) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

std::filesystem::path find_program(const std::string& name, std::optional<std::string> path) {
  const auto executable = [](const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != name.npos) return executable(name) ? std::filesystem::path(name) : "";
  if (!path) {
    const char* const own = std::getenv("PATH");
    path = own != nullptr ? own : "";
  }
  for (std::size_t at = 0; at <= path->size();) {
    const std::size_t end = std::min(path->find(':', at), path->size());
    const std::filesystem::path file = std::filesystem::path(path->substr(at, end - at)) / name;
    if (end > at && executable(file)) return file;
    at = end + 1;
  }
  return {};
}

std::string ProcessEnd::text() const {
  if (timed_out) return "no end within the time limit";
  if (signal != 0) return fmt::format("signal {} ({})", signal, strsignal(signal));
  return fmt::format("exit status {}", exit_status);
}

Result<CommandResult> run_command(const CommandOptions& options) {
  const auto started = Clock::now();
  const auto deadline = started + options.time_limit;
  TUNECHECK_TRY(Pipe output, Pipe::create());
  const FileDescriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  TUNECHECK_TRY(const pid_t pid,
                spawn(options, {nothing.get(), output.write.get(), output.write.get()}));
  output.write.reset();
  ::fcntl(output.read.get(), F_SETFL, O_NONBLOCK);
  CommandResult result;
  std::array<char, 16384> buffer;
  // Its end counts too: something it left behind may keep the pipe open for ever.
  const FileDescriptor process = process_handle(pid);
  for (bool ended = false;;) {
    std::array<pollfd, 2> watched{
        {{output.read.get(), POLLIN, 0}, {process.get(), POLLIN, 0}}};  // -1 is passed over
    const int ready = ::poll(watched.data(), watched.size(), ended ? 0 : remaining_ms(deadline));
    if (ready == 0) break;
    if (ready < 0) continue;
    ended = ended || watched[1].revents != 0;
    const ssize_t got = ::read(output.read.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && !ended) continue;
    if (got <= 0) break;
    result.output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  result.end = reap(pid, started, deadline);
  return result;
}

struct LineProcess::State {
  pid_t pid = -1;
  ProcessMark mark;
  FileDescriptor input, output;
  FileDescriptor log;
  FileDescriptor process;  // see process_handle()
  std::string pending;
  Clock::time_point started;
};

LineProcess::LineProcess(std::unique_ptr<State> state) : m_state(std::move(state)) {}
LineProcess::LineProcess(LineProcess&&) noexcept = default;
LineProcess& LineProcess::operator=(LineProcess&& other) noexcept {
  std::swap(m_state, other.m_state);
  return *this;
}

LineProcess::~LineProcess() {
  if (m_state && m_state->pid > 0) {
    kill_group(m_state->pid);
    while (::waitpid(m_state->pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    remove_running(m_state->pid);
    m_state->mark.end_all_since(m_state->pid);
  }
}

Result<LineProcess> LineProcess::start(const CommandOptions& options,
                                       const std::filesystem::path& error_log) {
  TUNECHECK_TRY(Pipe to_child, Pipe::create());
  TUNECHECK_TRY(Pipe from_child, Pipe::create());
  FileDescriptor log(::open(error_log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.valid())
    return failure(ErrorKind::machine, "cannot write {}: {}", error_log.string(),
                   last_system_error());
  auto state = std::make_unique<State>();
  state->started = Clock::now();
  state->mark = ProcessMark::create();
  CommandOptions marked = options;
  marked.in_child = [&options, &mark = state->mark] {
    mark.put_on_this_process();
    if (options.in_child) options.in_child();
  };
  TUNECHECK_TRY(state->pid,
                spawn(marked, {to_child.read.get(), from_child.write.get(), log.get()}));
  state->process = process_handle(state->pid);
  state->input = std::move(to_child.write);
  state->output = std::move(from_child.read);
  state->log = std::move(log);
  ::fcntl(state->input.get(), F_SETFL, O_NONBLOCK);
  return LineProcess(std::move(state));
}

bool LineProcess::write_line(std::string_view line, milliseconds time_limit) {
  // A child that is gone must be an answer, not a SIGPIPE: block it for this thread while writing.
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const std::string text = std::string(line) + '\n';
  const auto deadline = Clock::now() + time_limit;
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t done = ::write(m_state->input.get(), rest.data(), rest.size());
    if (done >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno == EAGAIN) {
      pollfd watched{m_state->input.get(), POLLOUT, 0};
      if (::poll(&watched, 1, remaining_ms(deadline)) == 0) break;
    } else if (errno != EINTR) {
      break;
    }
  }
  if (!rest.empty()) {
    const timespec no_wait{};
    sigtimedwait(&pipe_signal, nullptr, &no_wait);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return rest.empty();
}

// The process appends to it, and so goes on behind what is left.
void LineProcess::cut_log() const noexcept {
  constexpr off_t kept = off_t{1} << 20;
  constexpr std::string_view note = "\n[cut here: the log had grown over 64 MiB]\n";
  struct stat status {};
  if (::fstat(m_state->log.get(), &status) != 0 || status.st_size <= longest_log) return;
  if (::ftruncate(m_state->log.get(), kept) == 0)
    (void)write_all(m_state->log.get(), std::as_bytes(std::span(note)));
}

LineProcess::Read LineProcess::read_line(milliseconds time_limit) {
  constexpr std::size_t longest = std::size_t{64} << 20;
  const auto deadline = Clock::now() + time_limit;
  std::string& pending = m_state->pending;
  std::array<char, 16384> buffer;
  // What it has started itself may keep the pipe open longer than it lives: its end counts too.
  bool ended = false;
  for (std::size_t searched = 0;;) {
    if (const std::size_t end = pending.find('\n', searched); end != pending.npos) {
      Read read{ReadState::line, pending.substr(0, end)};
      pending.erase(0, end + 1);
      return read;
    }
    searched = pending.size();
    if (searched > longest) return {ReadState::too_long, pending.substr(0, 200)};
    std::array<pollfd, 2> watched{{{m_state->output.get(), POLLIN, 0},
                                   {m_state->process.get(), POLLIN, 0}}};  // -1 is passed over
    const int left_ms = ended ? 0 : remaining_ms(deadline);
    const int ready = ::poll(watched.data(), watched.size(), std::min(left_ms, log_look_ms));
    if (ready == 0) cut_log();
    if (ready == 0 && left_ms > log_look_ms) continue;
    if (ready == 0) return {ended ? ReadState::closed : ReadState::timed_out, pending};
    if (ready < 0 && errno == EINTR) continue;
    ended = ended || watched[1].revents != 0;
    if (watched[0].revents == 0) {
      watched[1].fd = -1;
      if (ended && ::poll(watched.data(), 1, 0) == 0) return {ReadState::closed, pending};
      continue;
    }
    const ssize_t got = ::read(m_state->output.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {ReadState::closed, pending};
    pending.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string LineProcess::unread() {
  std::array<char, 4096> buffer;
  pollfd watched{m_state->output.get(), POLLIN, 0};
  if (::poll(&watched, 1, 0) > 0 && (watched.revents & POLLIN) != 0) {
    const ssize_t got = ::read(m_state->output.get(), buffer.data(), buffer.size());
    if (got > 0) m_state->pending.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return m_state->pending;
}

void LineProcess::close_input() {
  m_state->input.reset();
}

ProcessEnd LineProcess::wait(milliseconds time_limit) {
  const ProcessEnd end = reap(m_state->pid, m_state->started, Clock::now() + time_limit);
  m_state->mark.end_all_since(m_state->pid);
  cut_log();
  m_state->pid = -1;
  return end;
}

int LineProcess::id() const {
  return m_state->pid;
}

}  // namespace tunecheck
