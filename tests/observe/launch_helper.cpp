// observe-launch-helper CASE ARTIFACT...: loads kernels and launches them as an adapter would. Ends
// with 0, with the kernel's status, or with 90 and more where the helper itself fails.
#include <tunecheck/cpu_kernel.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

#include "probe_case.hpp"

namespace {

using Entry = int (*)(const tunecheck_launch*);

struct Loaded {
  void* handle;
  Entry entry;
};

Loaded load(const std::string& path) {
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    std::exit(90);
  }
  return {handle, reinterpret_cast<Entry>(::dlsym(handle, "tunecheck_entry"))};
}

// A descriptor of an anonymous file with the artifact's content.
int in_memory(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const int descriptor = ::memfd_create("kernel", 0);
  if (::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    std::exit(91);
  return descriptor;
}

// Launches `times` times on the same tensors.
int launch(Entry entry, int times = 1) {
  namespace cases = tunecheck::probe_case;
  std::array<std::vector<float>, cases::tensors.size()> memory;
  std::array<tunecheck_tensor, cases::tensors.size()> tensors{};
  for (std::size_t index = 0; index < tensors.size(); ++index) {
    const cases::Tensor& tensor = cases::tensors.at(index);
    memory.at(index) = cases::values();
    tensors.at(index) = {memory.at(index).data() + tensor.first, tensor.shape.data(),
                         tensor.strides.data(), tensor.rank, 1};
  }
  const tunecheck_scalar step{cases::step, 0};
  const tunecheck_launch arguments{tensors.data(), &step, static_cast<int32_t>(tensors.size()), 1};
  int status = 0;
  for (int time = 0; time < times; ++time) {
    errno = 42;
    status = entry(&arguments);
    if (errno != 42) std::exit(92);
  }
  return status;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int run(std::string_view name, const std::string& artifact, const std::string& other) {
  if (name == "memory" || name == "closed memory") {
    const int descriptor = in_memory(artifact);
    const Loaded loaded = load("/proc/self/fd/" + std::to_string(descriptor));
    if (name == "closed memory") ::close(descriptor);
    return launch(loaded.entry);
  }
  const Loaded loaded = load(artifact);
  if (name == "once") return launch(loaded.entry);
  if (name == "twice") return launch(loaded.entry, 2);
  if (name == "cleared environment") {
    ::clearenv();
    return launch(loaded.entry);
  }
  if (name == "closed descriptors") {
    launch(loaded.entry);
    for (int descriptor = 3; descriptor < 64; ++descriptor)
      ::close(descriptor);
    return launch(loaded.entry);
  }
  if (name == "fork") {
    launch(loaded.entry, 2);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(launch(loaded.entry));
    return wait_for(child);
  }
  if (name == "threads") {
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; ++index)
      threads.emplace_back([&] { launch(loaded.entry, 50); });
    for (std::thread& thread : threads)
      thread.join();
    return 0;
  }
  if (name == "replaced") {
    if (std::rename(other.c_str(), artifact.c_str()) != 0) return 93;
    return launch(loaded.entry);
  }
  if (name == "reloaded") {  // most likely at the same address
    launch(loaded.entry);
    ::dlclose(loaded.handle);
    return launch(load(other).entry);
  }
  return 94;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 95;
  return run(arguments[1], arguments[2], count > 3 ? arguments[3] : "");
}
