#include "core/processes/process_tree.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/syscall.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

// The highest bits hold how deep marks are nested, since a limit can only be lowered: the mark of a
// judge that is itself run by a judge is smaller than that of the outer one.
constexpr int level_shift = 56;
constexpr std::uint64_t first_level = 15;

std::uint64_t hard_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_RTTIME, &limit) != 0) return 0;
  return limit.rlim_max;
}

std::uint64_t level_below(std::uint64_t limit) noexcept {
  if (limit == RLIM_INFINITY || limit >> level_shift > first_level) return first_level;
  const std::uint64_t level = limit >> level_shift;
  return level == 0 ? 0 : level - 1;
}

// What a file of /proc holds, as much as fits; "" where it cannot be read.
template <std::size_t Size>
std::string_view read_small(const char* path, std::array<char, Size>& buffer) noexcept {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t got = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  return got <= 0 ? std::string_view()
                  : std::string_view(buffer.data(), static_cast<std::size_t>(got));
}

// The number in `text` that comes after `blanks`; 0 where there is none.
std::uint64_t number_at(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return 0;
  std::uint64_t number = 0;
  std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return number;
}

// True for one that has ended and whose status nobody has asked for yet: it keeps its limits.
bool is_zombie(pid_t pid) noexcept {
  std::array<char, 40> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid);
  std::array<char, 512> buffer;
  const std::string_view stat = read_small(path.data(), buffer);
  const std::size_t name_end = stat.rfind(')');
  return name_end != stat.npos && stat.substr(name_end).starts_with(") Z");
}

// The mark of a process that lives; 0 where it has none.
std::uint64_t mark_of(pid_t pid) noexcept {
  std::array<char, 40> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/limits", pid);
  std::array<char, 4096> buffer;
  const std::string_view limits = read_small(path.data(), buffer);
  // "Max realtime timeout      SOFT                 HARD                 us"
  constexpr std::string_view name = "Max realtime timeout";
  std::size_t at = limits.find(name);
  if (at == limits.npos) return 0;
  at = limits.find_first_not_of(' ', at + name.size());
  at = limits.find(' ', at);
  return at == limits.npos ? 0 : number_at(limits.substr(at));
}

// The number that was last given to a process or thread.
pid_t newest_pid() noexcept {
  std::array<char, 128> buffer;
  std::string_view text = read_small("/proc/loadavg", buffer);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.remove_suffix(1);
  const std::size_t blank = text.rfind(' ');
  return blank == text.npos ? 0 : static_cast<pid_t>(number_at(text.substr(blank)));
}

// True where the process with the number `pid` can have begun after `leader`. Numbers are given in
// turn, and begin again from the lowest ones at the end.
bool began_later(pid_t pid, pid_t leader, pid_t newest) noexcept {
  if (newest <= 0) return true;
  return newest >= leader ? pid > leader && pid <= newest : pid > leader || pid <= newest;
}

}  // namespace

ProcessMark ProcessMark::create() {
  static std::atomic<std::uint32_t> count{0};
  ProcessMark mark;
  const std::uint64_t level = level_below(hard_limit());
  if (level == 0) return mark;
  // A process number has at most 22 bits.
  mark.m_value = level << level_shift | static_cast<std::uint64_t>(::getpid()) << 32 | ++count;
  return mark;
}

void ProcessMark::put_on_this_process() const noexcept {
  if (!valid()) return;
  const rlimit limit{m_value, m_value};
  ::setrlimit(RLIMIT_RTTIME, &limit);
}

int ProcessMark::end_all_since(pid_t leader) const noexcept {
  if (!valid()) return 0;
  // Where numbers begin again from the lowest ones, or processes begin faster than they can be
  // looked at, a few looks have to do.
  constexpr int looks_in_part = 30;
  constexpr int looks = 1000;
  int ended = 0;
  int empty_looks = 0;
  for (int look = 0; look < looks && empty_looks < looks_in_part; ++look) {
    const auto [found, is_whole] = kill_all(leader);
    if (look == 0) ended = found;  // the same ones are seen again while they die
    if (found == 0 && is_whole) break;
    if (found == 0) ++empty_looks;
    ::usleep(look < 10 ? 200 : 2000);
  }
  return ended;
}

// One that forks and ends all the time has a higher number each time. A look goes upwards, too, and
// on to what began meanwhile, so that it does not come to the newest number without meeting it.
ProcessMark::Look ProcessMark::kill_all(pid_t leader) const noexcept {
  constexpr pid_t most_ahead = 1 << 16;
  constexpr int most_rounds = 10'000;
  DIR* const processes = ::opendir("/proc");
  if (processes == nullptr) return {};
  pid_t newest = newest_pid();
  Look look;
  while (const dirent* const entry = ::readdir(processes)) {
    const auto pid = static_cast<pid_t>(number_at(entry->d_name));
    if (pid > 0 && began_later(pid, leader, newest)) look.found += kill_if_marked(pid);
  }
  ::closedir(processes);
  for (int round = 0; round < most_rounds && newest > 0 && !look.is_whole; ++round) {
    const pid_t now = newest_pid();
    if (now < newest || now - newest > most_ahead) break;
    look.is_whole = now == newest;
    while (newest < now)
      look.found += kill_if_marked(++newest);
  }
  return look;
}

int ProcessMark::kill_if_marked(pid_t pid) const noexcept {
  if (pid == ::getpid()) return 0;
  // The handle first: what is killed then is what had the mark.
  const FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (mark_of(pid) != m_value || is_zombie(pid)) return 0;
  const long killed = handle.valid()
                          ? ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0)
                          : ::kill(pid, SIGKILL);
  return killed == 0 ? 1 : 0;
}

}  // namespace tunecheck
