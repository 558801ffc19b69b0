// Starts the program that it is given, and is linked statically: no library is loaded into it.
#include <unistd.h>

#include <sys/wait.h>

int main(int count, char** arguments) {
  const pid_t child = vfork();
  if (child == 0) {
    if (count > 1) execv(arguments[1], arguments + 1);
    _exit(127);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
