// Stands for a library that makes code in memory, as LLVM does for Numba.
#include <cstring>

#include <sys/mman.h>

extern "C" __attribute__((visibility("default"))) int make_code() {
  constexpr std::size_t size = 4096;
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  std::memset(memory, 0, size);
  // Something after the call, or its return address would not lie here.
  const int done = mprotect(memory, size, PROT_READ | PROT_EXEC);
  return munmap(memory, size) == 0 ? done : 1;
}
