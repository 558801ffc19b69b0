// A folder on a file system that answers slowly, as one of a network at times does: what is read, written or synced in
// files whose path has "/cubecl/" in it may first wait, up to 60 ms. What it is told is the same.
//   cc -shared -fPIC -o slow_folder.so slow_folder.c
//   LD_PRELOAD=$PWD/slow_folder.so PROGRAM
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// Half of the times it does not wait, and else as long as chance has it.
static void wait_for(int file) {
  static __thread unsigned seed;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = '\0';
  if (strstr(path, "/cubecl/") == NULL) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (seed == 0) seed = (unsigned)now.tv_nsec ^ (unsigned)getpid() * 2654435761U;
  if (rand_r(&seed) % 2 == 0) usleep((unsigned)rand_r(&seed) % 60000);
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t offset) {
  wait_for(file);
  ssize_t (*next)(int, void*, size_t, off64_t) = (ssize_t (*)(int, void*, size_t, off64_t))dlsym(RTLD_NEXT, "pread64");
  return next(file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  wait_for(file);
  ssize_t (*next)(int, const void*, size_t, off64_t) =
      (ssize_t (*)(int, const void*, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  return next(file, bytes, size, offset);
}

int ftruncate64(int file, off64_t size) {
  wait_for(file);
  return ((int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64"))(file, size);
}

int fsync(int file) {
  wait_for(file);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
