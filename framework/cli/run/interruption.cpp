#include "cli/run/interruption.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace tunecheck::cli {
namespace {

// The pipe that the innermost object reads.
std::atomic<int> current_pipe{-1};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads it");

extern "C" void tell_interruption(int signal) {
  const int before = errno;
  const auto number = static_cast<unsigned char>(signal);
  if (::write(current_pipe.load(), &number, 1) != 1) {
    // A pipe that is full has been told already.
  }
  errno = before;
}

void take_over(int signal, struct sigaction& before) {
  if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = tell_interruption;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption(std::function<void()> last_words) : m_last_words(std::move(last_words)) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // then a signal ends the process as ever
  m_read = FileDescriptor(ends[0]);
  m_write = FileDescriptor(ends[1]);
  m_outer_pipe = current_pipe.exchange(m_write.get());
  take_over(SIGINT, m_before_int);
  take_over(SIGTERM, m_before_term);
  m_thread = std::jthread([this] { listen(); });
}

void Interruption::restore() const noexcept {
  current_pipe = m_outer_pipe;
  if (m_before_int.sa_handler != SIG_IGN) ::sigaction(SIGINT, &m_before_int, nullptr);
  if (m_before_term.sa_handler != SIG_IGN) ::sigaction(SIGTERM, &m_before_term, nullptr);
}

void Interruption::listen() {
  unsigned char signal = 0;
  ssize_t got = 0;
  do
    got = ::read(m_read.get(), &signal, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1 || signal == 0) return;
  restore();
  m_last_words();
  ::kill(::getpid(), signal);
}

Interruption::~Interruption() {
  if (!m_write.valid()) return;
  restore();
  const unsigned char no_signal = 0;
  if (::write(m_write.get(), &no_signal, 1) != 1) m_write.reset();
  // After a signal it waits here for the end of the process.
  m_thread.join();
}

}  // namespace tunecheck::cli
