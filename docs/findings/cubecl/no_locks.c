// A folder on a file system without its lock server: whoever wants a lock on a part of a file is told ENOLCK.
//   cc -shared -fPIC -o no_locks.so no_locks.c
//   LD_PRELOAD=$PWD/no_locks.so PROGRAM
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static int answer(const char* name, int file, int command, void* argument) {
  int (*next)(int, int, void*) = (int (*)(int, int, void*))dlsym(RTLD_NEXT, name);
  if (command != F_SETLK && command != F_SETLKW && command != F_OFD_SETLK && command != F_OFD_SETLKW)
    return next(file, command, argument);
  errno = ENOLCK;
  return -1;
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return answer("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return answer("fcntl64", file, command, argument);
}
