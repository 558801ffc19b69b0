// A program with PyTorch's allocator in it, as a Python program has it: the libraries are loaded so
// that no other one sees their names. Without a GPU it is the observer of one itself.
//
//   tunecheck-watched-torch LIBRARY [unobserved]
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>

#include <sys/wait.h>

namespace {

// As observe/watch/settings.hpp has it.
struct DeviceBlock {
  std::uint64_t address;
  std::uint64_t bytes;
  int device;
  bool is_exact;
  bool is_freed;
};

void see(const DeviceBlock& block) {
  std::printf("observer: %zx %zu %d %s\n", static_cast<std::size_t>(block.address),
              static_cast<std::size_t>(block.bytes), block.device,
              block.is_freed   ? "freed"
              : block.is_exact ? "handed out"
                               : "handed out, at most");
}

std::size_t (*divisions_for)(std::size_t);
void (*report)(std::size_t, long long, int, int);

template <class Function>
void find(void* library, Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  if (function == nullptr) std::exit(3);
}

void at_end() {
  std::printf("at the end\n");
  report(0x6000, -512, 1, 0);
}

void in_child() {
  std::printf("in the child\n");
  report(0x5000, -1024, 1, 0);
  std::fflush(stdout);
  ::_exit(0);
}

}  // namespace

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  void* const library = count > 1 ? ::dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) return 2;
  find(library, divisions_for, "divisions_for");
  find(library, report, "report");
  if (const auto observe = reinterpret_cast<void (*)(void (*)(const DeviceBlock&))>(
          ::dlsym(RTLD_DEFAULT, "tunecheck_watch_device_blocks"));
      observe != nullptr && count == 2)
    observe(see);
  std::atexit(at_end);
  std::printf("divisions: %zu\n", divisions_for(1'500'000));
  report(0x1000, 2'000'384, 1, 1);  // with what was asked for
  report(0x2000, 512, 1, 0);        // a small one, for which nothing is asked
  (void)divisions_for(900);
  report(0x2000, -512, 1, 0);  // frees what is no longer used, to make room
  report(0x5000, 1024, 1, 0);
  report(0x5400, 1024, 1, 0);       // restored, without a question
  (void)divisions_for(50'000'000);  // fails
  report(0x6000, 512, 1, 0);
  (void)divisions_for(100);  // somebody else's
  report(0x6000, -512, 1, 0);
  report(0x6000, 512, 1, 0);
  report(0x7000, 4096, 0, -1);  // a CPU's
  (void)divisions_for(2000);
  std::thread([] {
    std::printf("divisions: %zu\n", divisions_for(3000));
    report(0x8000, 3072, 1, 0);
  }).join();
  report(0x9000, 2048, 1, 0);
  std::fflush(stdout);
  if (::fork() == 0) in_child();
  ::wait(nullptr);
}
