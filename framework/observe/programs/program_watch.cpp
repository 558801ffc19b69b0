#include "observe/programs/program_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>

#include <linux/seccomp.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "core/files.hpp"
#include "core/text.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/programs/program_filter.hpp"
#include "observe/programs/spy_starts.hpp"
#include "observe/spy/command_line.hpp"
#include "observe/spy/movable_paths.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// As file systems stamp their files.
std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Which file it is, under whatever name.
struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const Identity&) const = default;
};

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

Identity identity_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

// The name by which the kernel knows a file, which need not be one that can be opened.
std::string link_text(const fs::path& link) {
  std::array<char, PATH_MAX> text;
  const ssize_t length = ::readlink(link.c_str(), text.data(), text.size());
  return length < 0 ? "" : std::string(text.data(), static_cast<std::size_t>(length));
}

// Memory of another process, page by page, since the next one may be missing.
class Memory {
 public:
  explicit Memory(pid_t process) : m_process(process) {}

  // The text at `address`, cut at `most` bytes; nothing where it cannot be read.
  [[nodiscard]] std::optional<std::string> text(std::uint64_t address, std::size_t most) const {
    std::string text;
    std::array<char, 1024> piece;
    while (text.size() < most) {
      const std::uint64_t at = address + text.size();
      const std::size_t size =
          std::min({piece.size(), most - text.size(), static_cast<std::size_t>(page - at % page)});
      if (!read(at, piece.data(), size)) return std::nullopt;
      const void* const end = std::memchr(piece.data(), 0, size);
      if (end != nullptr) {
        text.append(piece.data(),
                    static_cast<std::size_t>(static_cast<const char*>(end) - piece.data()));
        return text;
      }
      text.append(piece.data(), size);
    }
    return text;
  }

  // The texts of an array that a null pointer ends, as many as there are up to `most`.
  [[nodiscard]] std::vector<std::string> texts(std::uint64_t address, std::size_t most,
                                               std::size_t longest) const {
    std::vector<std::string> texts;
    while (texts.size() < most) {
      std::uint64_t pointer = 0;
      if (!read(address + texts.size() * sizeof pointer, &pointer, sizeof pointer)) break;
      if (pointer == 0) break;
      texts.push_back(text(pointer, longest).value_or(""));
    }
    return texts;
  }

 private:
  static constexpr std::uint64_t page = 4096;

  bool read(std::uint64_t address, void* to, std::size_t size) const {
    const iovec local{to, size};
    const iovec remote{reinterpret_cast<void*>(address), size};
    return ::process_vm_readv(m_process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
  }

  pid_t m_process;
};

fs::path of_process(pid_t process, std::string_view name) {
  return fmt::format("/proc/{}/{}", process, name);
}

// A file of /proc, which has no size of its own; "" where the process is gone.
std::string text_of(pid_t process, std::string_view name) {
  const FileDescriptor file(::open(of_process(process, name).c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 16384> piece;
  for (ssize_t got = 0; file.valid() && (got = ::read(file.get(), piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(got));
  return text;
}

// A number of /proc/PID/status; 0 where the process is gone.
pid_t number_of(pid_t process, std::string_view name) {
  const std::string status = text_of(process, "status");
  const std::size_t at = status.find(fmt::format("\n{}:\t", name));
  pid_t number = 0;
  if (at == status.npos) return 0;
  const char* const begin = status.data() + at + name.size() + 3;
  std::from_chars(begin, status.data() + status.size(), number);
  return number;
}

// Answers the kernel's questions about one process and all that comes of it, in a thread of its
// own: answer() for each. Everything that cannot be found out lets the process go on, since it then
// makes a mistake of its own (a program that is not there) or is being killed.
class Examiner {
 public:
  Examiner(WatchedPrograms watched, FileDescriptor evidence, SpyStarts& spies)
      : m_watched(std::move(watched)),
        m_evidence(std::move(evidence)),
        m_spies(spies),
        m_began_ns(now_ns()) {
    for (const fs::path& program : m_watched.spy_programs)
      if (const auto spy = status_of(program)) m_spy_programs.push_back(identity_of(*spy));
    for (const fs::path& compiler : m_watched.compilers)
      if (const auto status = status_of(compiler)) m_compilers.push_back(identity_of(*status));
    std::error_code error;
    if (!m_watched.probe_library.empty())
      m_probe = fs::canonical(m_watched.probe_library, error).string();
  }

  // 0 to let it go on, else the errno that it gets.
  int answer(const seccomp_notif& asked) {
    const auto process = static_cast<pid_t>(asked.pid);
    const auto& arguments = asked.data.args;
    switch (asked.data.nr) {
      case SYS_execve:
        return starts(process, AT_FDCWD, arguments[0], arguments[1]);
      case SYS_execveat:
        return starts(process, static_cast<int>(arguments[0]), arguments[1], arguments[2]);
      case SYS_mmap:
        maps(process, static_cast<int>(arguments[4]));
        return 0;
      default:
        return 0;
    }
  }

 private:
  int starts(pid_t thread, int folder, std::uint64_t path, std::uint64_t argument_list) {
    const Memory memory(thread);
    const auto named = memory.text(path, PATH_MAX);
    if (!named) return 0;
    const FileDescriptor file = open_program(thread, folder, *named);
    struct stat status {};
    if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    const std::string program = link_text(fmt::format("/proc/self/fd/{}", file.get()));
    const bool is_spy = is_spy_program(status);
    const pid_t process = number_of(thread, "Tgid");
    if (is_spy) m_spies.add(process);
    if (is_below_compiler(thread)) return 0;
    if (is_spy) return m_spies.examine(program), 0;
    std::vector<std::string> command = memory.texts(argument_list, 4096, PATH_MAX);
    ProgramEvent event;
    event.time_ns = evidence_now_ns();
    event.pid = process;
    event.program = program;
    if (!command.empty()) command.erase(command.begin());
    event.arguments = std::move(command);
    if (is_compiler(program, status)) return compiles(event);
    record(to_line(event));
    return 0;
  }

  // What the process means by `path`, seen from here.
  static FileDescriptor open_program(pid_t thread, int folder, const std::string& path) {
    std::string seen;
    if (path.starts_with('/'))
      seen = fmt::format("/proc/{}/root{}", thread, path);
    else if (folder == AT_FDCWD)
      seen = fmt::format("/proc/{}/cwd/{}", thread, path);
    else
      seen = fmt::format("/proc/{}/fd/{}{}{}", thread, folder, path.empty() ? "" : "/", path);
    return FileDescriptor(::open(seen.c_str(), O_PATH | O_CLOEXEC));
  }

  int compiles(const ProgramEvent& program) {
    CompileEvent event;
    event.time_ns = program.time_ns;
    event.pid = program.pid;
    event.tool = program.program;
    event.arguments = program.arguments;
    const spy::CommandLine command = spy::parse_command_line(program.arguments, false);
    event.query = command.query;
    event.links = command.only_links();
    const bool refused = m_watched.refuses_compilers && !event.query;
    event.mode = refused ? "refused" : "outside";
    event.exit_status = refused ? 126 : 0;
    record(to_line(event));
    return refused ? EACCES : 0;
  }

  [[nodiscard]] bool is_compiler(const std::string& program, const struct stat& status) const {
    return std::find(m_compilers.begin(), m_compilers.end(), identity_of(status)) !=
               m_compilers.end() ||
           is_compiler_name(fs::path(program).filename().string());
  }

  // A compiler's own programs belong to the compile that was recorded when it began.
  [[nodiscard]] bool is_below_compiler(pid_t process) const {
    while (process > 1 && process != ::getpid()) {
      const fs::path link = of_process(process, "exe");
      const auto program = status_of(link);
      if (program && (is_spy_program(*program) || is_compiler(link_text(link), *program)))
        return true;
      process = number_of(process, "PPid");
    }
    return false;
  }

  void maps(pid_t thread, int descriptor) {
    if (m_probe.empty()) return;
    const fs::path link = of_process(thread, fmt::format("fd/{}", descriptor));
    const auto status = status_of(link);
    if (!status) return;
    const std::string file = link_text(link);
    const bool needs_probe =
        was_made_for_tuner(file, *status) ||
        (m_watched.probe_sees_compiles && is_runtime_compiler_name(fs::path(file).filename()));
    if (!needs_probe || has_probe(thread)) return;
    UnseenCodeEvent event;
    event.time_ns = evidence_now_ns();
    event.pid = number_of(thread, "Tgid");
    event.program = link_text(of_process(thread, "exe"));
    event.file = file;
    record(to_line(event));
  }

  [[nodiscard]] bool was_made_for_tuner(const std::string& file, const struct stat& status) const {
    const std::int64_t changed_ns =
        std::int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec;
    return status.st_nlink == 0 || changed_ns >= m_began_ns ||
           spy::is_below(file, m_watched.workspace);
  }

  [[nodiscard]] bool has_probe(pid_t thread) const {
    const std::string maps = text_of(thread, "maps");
    return maps.empty() || maps.find(m_probe) != maps.npos;
  }

  // What cannot be recorded is missing from the evidence, which the judge then finds to have ended.
  bool is_spy_program(const struct stat& status) const {
    return std::find(m_spy_programs.begin(), m_spy_programs.end(), identity_of(status)) !=
           m_spy_programs.end();
  }
  void record(const std::string& line) { (void)append_line(m_evidence, line); }

  WatchedPrograms m_watched;
  FileDescriptor m_evidence;
  SpyStarts& m_spies;
  std::int64_t m_began_ns;
  std::vector<Identity> m_spy_programs;
  std::vector<Identity> m_compilers;
  std::string m_probe;
};

// One question after the other, until all that are watched have ended or `stop` is written to.
void answer_all(const FileDescriptor& listener, int stop, Examiner& examiner) {
  seccomp_notif_sizes sizes{};
  if (::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) return;
  std::vector<std::byte> question(
      std::max<std::size_t>(sizes.seccomp_notif, sizeof(seccomp_notif)));
  std::vector<std::byte> reply(
      std::max<std::size_t>(sizes.seccomp_notif_resp, sizeof(seccomp_notif_resp)));
  for (;;) {
    std::array<pollfd, 2> watched{{{listener.get(), POLLIN, 0}, {stop, POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if ((watched[0].revents & POLLIN) == 0) {
      if (watched[0].revents != 0 || watched[1].revents != 0) return;
      continue;
    }
    std::fill(question.begin(), question.end(), std::byte{0});
    if (::ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_RECV, question.data()) != 0)
      continue;  // the process that asked has been killed
    seccomp_notif asked{};
    std::memcpy(&asked, question.data(), sizeof asked);
    const int error = examiner.answer(asked);
    seccomp_notif_resp answer{};
    answer.id = asked.id;
    answer.error = -error;
    answer.flags = error == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    std::fill(reply.begin(), reply.end(), std::byte{0});
    std::memcpy(reply.data(), &answer, sizeof answer);
    ::ioctl(listener.get(), SECCOMP_IOCTL_NOTIF_SEND, reply.data());
  }
}

}  // namespace

bool is_compiler_name(const std::string& name) {
  // "x86_64-linux-gnu-g++-12" is a "g++".
  constexpr std::array programs = {
      "cc",   "c++",  "gcc",   "g++",   "clang",    "clang++",    "clang-cl", "cc1",  "cc1plus",
      "nvcc", "cicc", "ptxas", "hipcc", "amdclang", "amdclang++", "icx",      "icpx", "dpcpp",
      "tcc",  "nvc",  "nvc++", "rustc", "gfortran", "f951",       "lto1",     "ispc"};
  std::string_view base = name;
  const std::size_t last = base.rfind('-');
  if (last != base.npos && last + 1 < base.size() &&
      base.substr(last + 1).find_first_not_of("0123456789.") == base.npos)
    base = base.substr(0, last);
  return std::any_of(programs.begin(), programs.end(), [&](std::string_view program) {
    return base == program || (base.size() > program.size() && base.ends_with(program) &&
                               base[base.size() - program.size() - 1] == '-');
  });
}

bool is_runtime_compiler_name(const std::string& name) {
  constexpr std::array<std::string_view, 3> libraries = {"libnvrtc", "libnvJitLink", "libhiprtc"};
  return name.find("-builtins") == name.npos &&
         std::any_of(libraries.begin(), libraries.end(),
                     [&](std::string_view library) { return name.starts_with(library); });
}

struct ProgramWatch::State {
  ProgramFilter filter;
  FileDescriptor judge_end, child_end, stop;
  std::optional<SpyStarts> spies;
  mutable std::mutex mutex;
  std::string trouble;  // guarded by mutex
  std::jthread thread;  // declared last: ends first
};

Result<std::unique_ptr<ProgramWatch>> ProgramWatch::begin(WatchedPrograms watched) {
  auto state = std::make_unique<State>();
  state->filter = ProgramFilter(!watched.may_signal_us);
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return failure(ErrorKind::machine, "cannot make a pair of sockets: {}", last_system_error());
  state->judge_end = FileDescriptor(ends[0]);
  state->child_end = FileDescriptor(ends[1]);
  state->stop = FileDescriptor(::eventfd(0, EFD_CLOEXEC));
  if (!state->stop.valid())
    return failure(ErrorKind::machine, "cannot make an event: {}", last_system_error());
  TUNECHECK_TRY(FileDescriptor evidence, open_evidence(watched.evidence));
  state->spies.emplace(watched.spy_programs, watched.spy_settings);
  state->thread = std::jthread([state = state.get(), watched = std::move(watched),
                                evidence = std::move(evidence)]() mutable {
    const auto listener = receive_listener(state->judge_end.get(), state->stop.get());
    if (!listener) {
      const std::scoped_lock lock(state->mutex);
      state->trouble = listener.error().message;
      return;
    }
    Examiner examiner(std::move(watched), std::move(evidence), *state->spies);
    answer_all(*listener, state->stop.get(), examiner);
  });
  return std::unique_ptr<ProgramWatch>(new ProgramWatch(std::move(state)));
}

ProgramWatch::ProgramWatch(std::unique_ptr<State> state) : m_state(std::move(state)) {}

ProgramWatch::~ProgramWatch() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(m_state->stop.get(), &one, sizeof one);
}

void ProgramWatch::in_child() const noexcept {
  m_state->filter.install_here(m_state->child_end.get());
}

std::string ProgramWatch::trouble() const {
  const std::scoped_lock lock(m_state->mutex);
  return m_state->trouble;
}

std::string ProgramWatch::misled_spy() const {
  return m_state->spies->misled();
}

Result<void> ProgramWatch::change_spies(const std::function<Result<void>()>& change) {
  return m_state->spies->change(change);
}

std::set<int> ProgramWatch::spies() const {
  return m_state->spies->processes();
}

}  // namespace tunecheck
