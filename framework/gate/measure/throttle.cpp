#include "gate/measure/throttle.hpp"

#include <chrono>
#include <signal.h>
#include <unistd.h>

#include <sys/mman.h>

namespace tunecheck::gate {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds period{0.001};

}  // namespace

Result<std::unique_ptr<Throttle>> Throttle::create(double slowdown) {
  std::unique_ptr<Throttle> throttle(new Throttle(slowdown));
  void* const memory =
      ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return failure(ErrorKind::machine, "cannot share memory: {}", last_system_error());
  throttle->m_process = static_cast<int*>(memory);
  throttle->m_thread = std::thread([raw = throttle.get()] { raw->work(); });
  return throttle;
}

Throttle::~Throttle() {
  m_ended = true;
  if (m_thread.joinable()) m_thread.join();
  if (m_process != nullptr) ::munmap(m_process, sizeof(int));
}

std::function<void()> Throttle::in_child() const {
  return
      [process = m_process] { std::atomic_ref<int>(*process).store(static_cast<int>(::getpid())); };
}

// What is owed is computed from the time that has gone by, not from the number of stops: a late
// awakening of this thread makes a stop longer and the next one shorter.
void Throttle::work() const {
  const auto begun = Clock::now();
  Seconds stopped{0};
  while (!m_ended) {
    std::this_thread::sleep_for(period);
    const int process = std::atomic_ref<int>(*m_process).load();
    if (process == 0) continue;
    const Seconds ran = Clock::now() - begun - stopped;
    const Seconds owed = m_slowdown * (ran + period) - stopped;
    if (owed < period * m_slowdown) continue;
    const auto paused = Clock::now();
    ::kill(process, SIGSTOP);
    std::this_thread::sleep_for(owed);
    ::kill(process, SIGCONT);
    stopped += Clock::now() - paused;
  }
}

}  // namespace tunecheck::gate
