#include "watch/readiness.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <termios.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "core/files.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck::watch {
// Named, since a class of the interface has members of these types.
namespace readiness {

namespace fs = std::filesystem;

constexpr int file_every_ms = 2;
constexpr std::int64_t rest_within_ns = 2'000'000'000;  // of the output, when the program has ended

// Which content a file has: another one where it was written since.
struct Version {
  bool exists = false;
  ino_t inode = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const Version&) const = default;
};

Version version_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {true, status.st_ino,
          std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

// Writes all of it; false where nobody reads any more.
bool hand_on(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EAGAIN) {
      pollfd room{to, POLLOUT, 0};
      ::poll(&room, 1, -1);
      continue;
    }
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Is the text in what came so far? Keeps no more than a part of it.
class Search {
 public:
  explicit Search(std::string text) : m_text(std::move(text)) {}
  bool finds(std::string_view bytes) {
    m_end.append(bytes);
    if (m_end.find(m_text) != m_end.npos) return true;
    if (m_end.size() >= m_text.size()) m_end.erase(0, m_end.size() - m_text.size() + 1);
    return false;
  }

 private:
  std::string m_text, m_end;
};

// A terminal that changes nothing of what is written to it: `ours` reads what `theirs` is given.
struct OwnTerminal {
  FileDescriptor ours, theirs;
  int to = -1;  // where it is handed on
  Search search;

  static Result<OwnTerminal> make(int to, const std::string& text) {
    OwnTerminal made{FileDescriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)),
                     FileDescriptor(), to, Search(text)};
    std::array<char, 128> name{};
    if (!made.ours.valid() || ::grantpt(made.ours.get()) != 0 || ::unlockpt(made.ours.get()) != 0 ||
        ::ptsname_r(made.ours.get(), name.data(), name.size()) != 0)
      return failure(ErrorKind::machine, "cannot make a terminal: {}", last_system_error());
    made.theirs = FileDescriptor(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    termios mode{};
    if (!made.theirs.valid() || ::tcgetattr(made.theirs.get(), &mode) != 0)
      return failure(ErrorKind::machine, "cannot open a terminal: {}", last_system_error());
    ::cfmakeraw(&mode);
    ::tcsetattr(made.theirs.get(), TCSANOW, &mode);
    if (winsize size{}; ::ioctl(to, TIOCGWINSZ, &size) == 0)
      ::ioctl(made.theirs.get(), TIOCSWINSZ, &size);
    return made;
  }
};

bool are_one_file(int one, int other) {
  struct stat a {};
  struct stat b {};
  return ::fstat(one, &a) == 0 && ::fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

}  // namespace readiness

using readiness::OwnTerminal;
using readiness::Version;

struct Readiness::State {
  std::vector<OwnTerminal> terminals;  // one where output and error output are one file, else two
  std::vector<std::pair<std::filesystem::path, Version>> files;
  FileDescriptor stop;
  std::atomic<std::int64_t> ready_ns{-1};
  std::jthread thread;  // declared last: ends first

  void is_ready() {
    std::int64_t not_yet = -1;
    ready_ns.compare_exchange_strong(not_yet, evidence_now_ns());
  }
  // False where the other end is closed, or nobody wants what it says.
  bool take(OwnTerminal& terminal) {
    std::array<char, 16384> bytes;
    const ssize_t got = ::read(terminal.ours.get(), bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (got <= 0) return false;
    const std::string_view said(bytes.data(), static_cast<std::size_t>(got));
    if (!readiness::hand_on(terminal.to, said)) return false;
    if (ready_ns < 0 && terminal.search.finds(said)) is_ready();
    return true;
  }
  void look_at_files() {
    for (const auto& [file, before] : files)
      if (ready_ns < 0 && readiness::version_of(file).exists &&
          !(readiness::version_of(file) == before))
        is_ready();
  }
  void watch();
};

// Until it is told to stop and all terminals are closed at the other end.
void Readiness::State::watch() {
  // A reader that is gone is an error of write(), and no end of this process.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  std::optional<std::int64_t> until_ns;
  for (;;) {
    std::vector<pollfd> all = {{until_ns ? -1 : stop.get(), POLLIN, 0}};
    for (const OwnTerminal& terminal : terminals)
      all.push_back({terminal.ours.valid() ? terminal.ours.get() : -1, POLLIN, 0});
    const bool is_waiting = !files.empty() && ready_ns < 0;
    ::poll(all.data(), all.size(), until_ns ? 10 : is_waiting ? readiness::file_every_ms : -1);
    if (is_waiting) look_at_files();
    bool some_open = false;
    for (std::size_t i = 0; i < terminals.size(); ++i) {
      if (all[i + 1].revents != 0 && !take(terminals[i])) terminals[i].ours.reset();
      some_open = some_open || terminals[i].ours.valid();
    }
    if (all[0].revents != 0) until_ns = evidence_now_ns() + readiness::rest_within_ns;
    if (until_ns && (!some_open || evidence_now_ns() > *until_ns)) return;
  }
}

Result<std::unique_ptr<Readiness>> Readiness::begin(const ReadyWhen& when) {
  auto state = std::make_unique<State>();
  if (when.after)
    state->ready_ns = evidence_now_ns() +
                      std::chrono::duration_cast<std::chrono::nanoseconds>(*when.after).count();
  if (!when.text.empty()) {
    TUNECHECK_TRY(OwnTerminal output, OwnTerminal::make(STDOUT_FILENO, when.text));
    state->terminals.push_back(std::move(output));
    if (!readiness::are_one_file(STDOUT_FILENO, STDERR_FILENO)) {
      TUNECHECK_TRY(OwnTerminal errors, OwnTerminal::make(STDERR_FILENO, when.text));
      state->terminals.push_back(std::move(errors));
    }
  }
  for (const std::filesystem::path& file : when.files)
    state->files.emplace_back(file, readiness::version_of(file));
  if (!state->terminals.empty() || !state->files.empty()) {
    state->stop = FileDescriptor(::eventfd(0, EFD_CLOEXEC));
    if (!state->stop.valid())
      return failure(ErrorKind::machine, "cannot make an event: {}", last_system_error());
    state->thread = std::jthread([state = state.get()] { state->watch(); });
  }
  return std::unique_ptr<Readiness>(new Readiness(std::move(state)));
}

Readiness::Readiness(std::unique_ptr<State> state) : m_state(std::move(state)) {}

Readiness::~Readiness() {
  (void)end();
}

int Readiness::output() const {
  return m_state->terminals.empty() ? -1 : m_state->terminals.front().theirs.get();
}

int Readiness::error_output() const {
  return m_state->terminals.empty() ? -1 : m_state->terminals.back().theirs.get();
}

std::optional<std::int64_t> Readiness::end() {
  if (m_state->thread.joinable()) {
    for (OwnTerminal& terminal : m_state->terminals)
      terminal.theirs.reset();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_state->stop.get(), &one, sizeof one);
    m_state->thread.join();
  }
  // The last moment may have come right before the end.
  m_state->look_at_files();
  const std::int64_t ready_ns = m_state->ready_ns;
  return ready_ns < 0 || ready_ns > evidence_now_ns() ? std::nullopt : std::optional(ready_ns);
}

}  // namespace tunecheck::watch
