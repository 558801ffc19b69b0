#pragma once
// Permissions do not bind root: tests about them run in a child that gives its rights up.
#include <unistd.h>

#include <sys/wait.h>

namespace tunecheck::test {

/// Whether `holds` returned true in a child process that is not root.
template <class Holds>
[[nodiscard]] bool as_ordinary_user(Holds&& holds) {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(2);
    ::_exit(holds() ? 0 : 1);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace tunecheck::test
