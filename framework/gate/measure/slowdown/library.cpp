// Makes the process that loads it with LD_PRELOAD slower by work: again and again, its first thread
// works a little more than the program asks it to. CPU time grows by that share, and so does wall
// time. A program that the process becomes (a script that ends with exec) is slowed down as well,
// programs that it starts are not.
//
// TUNECHECK_SLOWDOWN is the share, TUNECHECK_SLOWDOWN_ADDED a file that takes the ns that were
// added, a double, and TUNECHECK_SLOWDOWN_OF, which this library sets, the process.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/syscall.h>

namespace {

constexpr long period_ns = 2'000'000;  // of CPU time

double slowdown = 0;
double* added_ns = nullptr;  // in the file

// The CPU time of this thread.
double cpu_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// What is owed is computed from all that the program has worked, not from the number of signals: if
// one comes late, this takes longer.
void add_work(int) {
  const int error = errno;
  const double begun = cpu_ns();
  const double owed = slowdown * (begun - *added_ns) - *added_ns;
  double now = begun;
  while (now - begun < owed)
    now = cpu_ns();
  *added_ns += now - begun;
  errno = error;
}

double* shared_number(const char* name) {
  const int file = ::open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (::ftruncate(file, sizeof(double)) == 0)
    memory = ::mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<double*>(memory);
}

void begin() {
  struct sigaction action {};
  action.sa_handler = add_work;
  action.sa_flags = SA_RESTART;
  const int number = SIGRTMAX - 3;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = number;
  // What glibc calls sigev_notify_thread_id from 2.35 on.
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  timer_t timer{};
  const itimerspec interval{{0, period_ns}, {0, period_ns}};
  if (::sigaction(number, &action, nullptr) == 0 &&
      ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
    ::timer_settime(timer, 0, &interval, nullptr);
}

__attribute__((constructor)) void load() {
  const char* const share = std::getenv("TUNECHECK_SLOWDOWN");
  const char* const file = std::getenv("TUNECHECK_SLOWDOWN_ADDED");
  if (share == nullptr || file == nullptr) return;
  const std::string self = std::to_string(::getpid());
  const char* const of = std::getenv("TUNECHECK_SLOWDOWN_OF");
  if (of != nullptr && of != self) return;
  ::setenv("TUNECHECK_SLOWDOWN_OF", self.c_str(), 1);
  slowdown = std::strtod(share, nullptr);
  added_ns = shared_number(file);
  if (slowdown > 0 && added_ns != nullptr) begin();
}

}  // namespace
