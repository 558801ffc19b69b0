#include "gate/measure/cpu_lease.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <sched.h>
#include <sstream>
#include <thread>
#include <tuple>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "core/in_parallel.hpp"
#include "core/text.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

// Below this a core counts as idle: a kernel's own threads and an interrupt now and then.
constexpr double idle_share = 0.1;

// Ticks since the machine started, of one CPU.
struct Ticks {
  std::int64_t all = 0, idle = 0;
};

// "cpu3 user nice system idle iowait irq softirq steal guest guest_nice": time that was stolen is
// somebody's work, and guests' time is in user and nice already.
std::map<int, Ticks> ticks_in(const std::string& stat) {
  constexpr int counted = 8, idle_at = 3, waiting_at = 4;
  std::map<int, Ticks> all;
  std::istringstream lines(stat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    int number = 0;
    if (std::sscanf(name.c_str(), "cpu%d", &number) != 1) continue;  // not of a CPU, or of all
    Ticks ticks;
    std::int64_t value = 0;
    for (int at = 0; at < counted && words >> value; ++at) {
      ticks.all += value;
      if (at == idle_at || at == waiting_at) ticks.idle += value;
    }
    all[number] = ticks;
  }
  return all;
}

double busy_share(const Ticks& before, const Ticks& after) {
  const std::int64_t all = after.all - before.all;
  const std::int64_t idle = after.idle - before.idle;
  if (all <= 0) return 0;  // too short to say
  return std::clamp(1 - static_cast<double>(idle) / static_cast<double>(all), 0.0, 1.0);
}

// "0-2,5": the kernel's way to write a list.
std::vector<int> numbers_in(const std::string& list) {
  std::vector<int> numbers;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    const int first = std::atoi(part.c_str());
    const int last = dash == part.npos ? first : std::atoi(part.c_str() + dash + 1);
    for (int number = first; number <= last && number < CPU_SETSIZE; ++number)
      numbers.push_back(number);
  }
  return numbers;
}

Result<std::string> proc_stat() {
  return read_text_file("/proc/stat");
}

// Why a CPU cannot be locked, or its lock.
struct Locking {
  FileDescriptor lock;
  bool is_taken = false;
  std::string trouble;
};

// The file can be locked by any user, under any umask of the one that made it. It is opened before
// it is made, because in a folder like /tmp Linux refuses to create what another user already has
// (fs.protected_regular).
Locking lock_cpu(int cpu, const fs::path& folder) {
  const fs::path file = folder / fmt::format("cpu{}", cpu);
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  constexpr mode_t for_all = 0666;
  Locking locking{FileDescriptor(::open(file.c_str(), flags)), false, ""};
  if (!locking.lock.valid() && errno == ENOENT) {
    locking.lock = FileDescriptor(::open(file.c_str(), flags | O_CREAT, for_all));
    if (locking.lock.valid()) (void)::fchmod(locking.lock.get(), for_all);
  }
  if (!locking.lock.valid()) {
    locking.trouble = fmt::format("cannot open {}: {}", file.string(), last_system_error());
  } else if (::flock(locking.lock.get(), LOCK_EX | LOCK_NB) != 0) {
    locking.is_taken = errno == EWOULDBLOCK;
    if (!locking.is_taken)
      locking.trouble = fmt::format("cannot lock {}: {}", file.string(), last_system_error());
    locking.lock = FileDescriptor();
  }
  return locking;
}

// The locks of all these CPUs, or of none of them.
Result<std::vector<FileDescriptor>> lock_all(const std::vector<int>& cpus, const fs::path& folder) {
  std::vector<FileDescriptor> locks;
  for (const int cpu : cpus) {
    Locking locking = lock_cpu(cpu, folder);
    if (!locking.trouble.empty()) return failure(ErrorKind::machine, "{}", locking.trouble);
    if (locking.is_taken) return std::vector<FileDescriptor>();
    locks.push_back(std::move(locking.lock));
  }
  return locks;
}

// For everybody, as /tmp is. Who made it and how does not matter: a lock in it that cannot be had
// is said.
void make_lock_folder(const fs::path& folder) {
  constexpr mode_t for_all = 01777;
  if (::mkdir(folder.c_str(), for_all) == 0) (void)::chmod(folder.c_str(), for_all);
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string how_busy(const CpuState& cpu) {
  if (cpu.core_busy < idle_share) return fmt::format("{} busy before", percent(cpu.busy));
  if (cpu.core.size() == 1)
    return fmt::format("the least busy, but at work {} of the time", percent(cpu.busy));
  return fmt::format("on the least busy core, of which a CPU was at work {} of the time",
                     percent(cpu.core_busy));
}

bool can_be_pinned(int cpu) {
  cpu_set_t before, one;
  if (::sched_getaffinity(0, sizeof before, &before) != 0) return false;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cpu), &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) return false;
  return ::sched_setaffinity(0, sizeof before, &before) == 0;
}

}  // namespace

std::vector<CpuState> cpu_states(const std::vector<int>& allowed, const std::string& before,
                                 const std::string& after, const std::vector<std::string>& cores) {
  const std::map<int, Ticks> then = ticks_in(before), now = ticks_in(after);
  const auto busy = [&](int cpu) {
    const auto first = then.find(cpu), last = now.find(cpu);
    return first == then.end() || last == now.end() ? 0 : busy_share(first->second, last->second);
  };
  std::vector<CpuState> states;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    CpuState state{allowed[i], busy(allowed[i]), {}, 0};
    if (i < cores.size()) state.core = numbers_in(cores[i]);
    if (std::find(state.core.begin(), state.core.end(), state.number) == state.core.end())
      state.core = {state.number};
    for (const int sibling : state.core)
      state.core_busy = std::max(state.core_busy, busy(sibling));
    states.push_back(std::move(state));
  }
  return states;
}

Result<std::vector<CpuState>> watch_cpus(std::chrono::milliseconds watched) {
  const std::vector<int> allowed = allowed_cpus();
  std::vector<std::string> cores;
  for (const int cpu : allowed)
    cores.push_back(
        read_text_file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/core_cpus_list", cpu))
            .value_or(""));
  TUNECHECK_TRY(const std::string before, proc_stat());
  std::this_thread::sleep_for(watched);
  TUNECHECK_TRY(const std::string after, proc_stat());
  return cpu_states(allowed, before, after, cores);
}

std::vector<CpuState> by_preference(std::vector<CpuState> cpus) {
  std::sort(cpus.begin(), cpus.end(), [](const CpuState& a, const CpuState& b) {
    const auto rank = [](const CpuState& cpu) {
      const bool is_idle = cpu.core_busy < idle_share;
      return std::tuple(!is_idle, is_idle ? 0 : cpu.core_busy, is_idle ? 0 : cpu.busy, -cpu.number);
    };
    return rank(a) < rank(b);
  });
  return cpus;
}

fs::path cpu_lock_folder() {
  const char* const given = std::getenv("TUNECHECK_CPU_LOCKS");
  return given != nullptr && *given != '\0' ? given : "/tmp/tunecheck-cpu-locks";
}

CpuLease CpuLease::take(const std::vector<CpuState>& cpus, const fs::path& locks) {
  CpuLease lease;
  const std::vector<CpuState> best_first = by_preference(cpus);
  if (best_first.empty() || !can_be_pinned(best_first.front().number)) {
    lease.m_text = fmt::format("processes were not pinned: {}", last_system_error());
    return lease;
  }
  make_lock_folder(locks);
  std::string trouble;
  const CpuState* chosen = nullptr;
  bool has_core = false;
  for (const bool whole_core : {true, false}) {
    for (const CpuState& cpu : best_first) {
      // One that works is no better than sharing an idle core.
      if (whole_core && cpu.core_busy >= idle_share && best_first.front().core_busy < idle_share)
        continue;
      auto locked = lock_all(whole_core ? cpu.core : std::vector<int>{cpu.number}, locks);
      if (!locked) trouble = locked.error().message;
      if (!locked || locked->empty()) continue;
      lease.m_locks = std::move(*locked);
      chosen = &cpu;
      has_core = whole_core || cpu.core.size() == 1;
      break;
    }
    if (chosen != nullptr) break;
  }
  const bool is_free = chosen != nullptr;
  if (!is_free) chosen = &best_first.front();
  lease.m_cpu = chosen->number;
  std::string who =
      has_core && chosen->core.size() > 1
          ? fmt::format("no other session uses its core (CPUs {})", fmt::join(chosen->core, ", "))
          : "no other session uses it";
  if (is_free && !has_core) who = "no other session uses it, but one may use its core";
  if (!is_free)
    who = trouble.empty() ? "other sessions have taken every CPU, so it is shared with one"
                          : "other sessions may use it, because it could not be locked: " + trouble;
  lease.m_text = fmt::format("processes were pinned to CPU {}, {}; {}", chosen->number,
                             how_busy(*chosen), who);
  return lease;
}

CpuLease CpuLease::take() {
  constexpr auto watched = std::chrono::milliseconds(250);
  const auto cpus = watch_cpus(watched);
  if (cpus) return take(*cpus, cpu_lock_folder());
  CpuLease lease;
  lease.m_text = "processes were not pinned: " + cpus.error().message;
  return lease;
}

}  // namespace tunecheck::gate
