#include "tuner/trial/trial_runner.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <poll.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "tuner/trial/loading.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TUNECHECK_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TUNECHECK_SANITIZED 1
#endif
#endif

namespace tunecheck {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A record that a child shares with this process.
class SharedRecord {
 public:
  SharedRecord()
      : m_memory(::mmap(nullptr, sizeof(TrialRecord), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (valid()) ::new (m_memory) TrialRecord();
  }
  SharedRecord(const SharedRecord&) = delete;
  SharedRecord& operator=(const SharedRecord&) = delete;
  ~SharedRecord() {
    if (valid()) ::munmap(m_memory, sizeof(TrialRecord));
  }
  [[nodiscard]] bool valid() const { return m_memory != MAP_FAILED; }
  [[nodiscard]] TrialRecord& get() const { return *static_cast<TrialRecord*>(m_memory); }

 private:
  void* m_memory;
};

std::uint64_t address_space_in_use() {
  std::array<char, 128> buffer{};
  const FileDescriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  const ssize_t got = file.valid() ? ::read(file.get(), buffer.data(), buffer.size() - 1) : -1;
  if (got <= 0) return 0;
  return std::strtoull(buffer.data(), nullptr, 10) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit_child(const TrialLimits& limits, std::uint64_t in_use) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGINT, SIGPIPE})
    ::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#ifndef TUNECHECK_SANITIZED
  if (limits.memory_bytes > 0 && in_use > 0) {
    const rlimit memory{in_use + limits.memory_bytes, in_use + limits.memory_bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
#else
  (void)limits, (void)in_use;  // a sanitizer's shadow alone is terabytes of address space
#endif
  // A kernel that prints must not answer in the adapter's place.
  ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
}

[[noreturn]] void run_child(const std::function<void(TrialRecord&)>& body, TrialRecord& record,
                            const TrialLimits& limits, std::uint64_t in_use, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  limit_child(limits, in_use);
  try {
    body(record);
    record.finished = true;
  } catch (const std::bad_alloc&) {
    record.set_message("ran out of memory");
  } catch (const std::exception& error) {
    record.set_message(error.what());
  } catch (...) {
    record.set_message("threw something that is not a std::exception");
  }
  ::_exit(record.finished ? 0 : 1);
}

class Child {
 public:
  explicit Child(pid_t id) : m_id(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (m_id > 0) kill_and_reap();
  }

  // True once the child has ended by itself.
  bool has_ended() {
    if (::waitpid(m_id, &m_status, WNOHANG) != m_id) return false;
    ::kill(-m_id, SIGKILL);  // what it started itself
    m_id = -1;
    return true;
  }

  void kill_and_reap() {
    ::kill(-m_id, SIGKILL);
    ::kill(m_id, SIGKILL);
    while (::waitpid(m_id, &m_status, 0) < 0 && errno == EINTR) {
    }
    m_id = -1;
  }

  std::string text() const {
    if (WIFSIGNALED(m_status))
      return fmt::format("signal {} ({})", WTERMSIG(m_status), ::strsignal(WTERMSIG(m_status)));
    return fmt::format("exit status {}", WEXITSTATUS(m_status));
  }

 private:
  pid_t m_id;
  int m_status = 0;
};

// Waits for the end. False where there was no progress for too long, and the child was killed.
bool wait_for_end(Child& child, TrialRecord& record, int ended, milliseconds time_limit) {
  constexpr milliseconds slice{100};
  const std::atomic_ref progress(record.progress);
  std::int32_t seen = progress.load(std::memory_order_relaxed);
  auto deadline = Clock::now() + time_limit;
  pollfd watched{ended, POLLIN, 0};
  while (!child.has_ended()) {
    if (const std::int32_t now = progress.load(std::memory_order_relaxed); now != seen) {
      seen = now;
      deadline = Clock::now() + time_limit;
    }
    if (Clock::now() > deadline) {
      child.kill_and_reap();
      return false;
    }
    // The pipe closes with the child; a kernel that closes it itself only costs some waiting.
    if (watched.fd >= 0) {
      if (::poll(&watched, 1, static_cast<int>(std::min(slice, time_limit).count())) > 0)
        watched.fd = -1;
    } else {
      ::usleep(50);
    }
  }
  return true;
}

}  // namespace

Result<TrialRunner::Outcome> IsolatedTrialRunner::run(const std::function<void(TrialRecord&)>& body,
                                                      const TrialLimits& limits) const {
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  const SharedRecord record;
  if (!record.valid()) return failure("cannot share memory with a trial: {}", last_system_error());
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure("cannot make a pipe: {}", last_system_error());
  const FileDescriptor ended(ends[0]);
  FileDescriptor held(ends[1]);
  const std::uint64_t in_use = address_space_in_use();
  const pid_t parent = ::getpid();
  const pid_t id = [] {
    const std::scoped_lock nobody_loads_or_starts(loading_mutex(), starting_mutex());
    return ::fork();
  }();
  if (id < 0) return failure("cannot start a trial: {}", last_system_error());
  if (id == 0) run_child(body, record.get(), limits, in_use, parent);
  ::setpgid(id, id);
  Child child(id);
  held.reset();
  Outcome outcome;
  const bool in_time = wait_for_end(child, record.get(), ended.get(), limits.time_limit);
  outcome.record = record.get();
  outcome.record.message.back() = '\0';
  if (!in_time)
    outcome.failure = fmt::format("did not end within {} ms", limits.time_limit.count());
  else if (!outcome.record.finished)
    outcome.failure =
        outcome.record.message[0] != '\0' ? outcome.record.message.data() : child.text();
  return outcome;
}

Result<TrialRunner::Outcome> InProcessTrialRunner::run(
    const std::function<void(TrialRecord&)>& body, const TrialLimits& /*limits*/) const {
  Outcome outcome;
  body(outcome.record);
  return outcome;
}

}  // namespace tunecheck
