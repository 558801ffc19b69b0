#pragma once
// Last words of a run that somebody ends with Ctrl-C.
#include <functional>
#include <signal.h>
#include <thread>

#include "core/files.hpp"

namespace tunecheck::cli {

/// While it lives, SIGINT and SIGTERM (where they are not ignored) call `last_words` in a thread of
/// this object's own, once; after that the signal does what it did before, which ends the process.
/// A second signal does not wait. Objects are nested: the inner one speaks first.
///
/// The handler itself only writes to a pipe, because a handler may do next to nothing.
class Interruption {
 public:
  explicit Interruption(std::function<void()> last_words);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  void listen();
  void restore() const noexcept;

  std::function<void()> m_last_words;
  FileDescriptor m_read, m_write;
  int m_outer_pipe = -1;
  struct sigaction m_before_int {
  }, m_before_term{};
  std::jthread m_thread;  // last: it uses the others
};

}  // namespace tunecheck::cli
