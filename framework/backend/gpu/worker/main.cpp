// tunecheck-gpu-worker BACKEND DEVICE: does to the device of that number what its parent asks for,
// a line each on its stdin. A process and a context of its own, because a trial may cost both.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

#include <sys/prctl.h>

#include "backend/gpu/gpu_memory.hpp"
#include "backend/gpu/gpu_module.hpp"
#include "backend/gpu/worker/lines.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"

namespace tunecheck::gpu {
namespace {

using Kind = WorkerRequest::Kind;

// The worker's end of lines.hpp: the parent's memory, mapped into this process, and the modules
// that it has loaded. The parent maps memory before it names a tensor in it, and loads a module
// before it launches it. Most requests are not answered; if one fails, the trouble is kept, no
// kernel is launched any more, and the next answer says why. The parent then drops this process, so
// nothing here has to recover: a launch that failed has taken the context along anyway.
class Worker {
 public:
  explicit Worker(const GpuDevice& device) : m_device(device), m_memory(device) {}

  // Nothing where the request is not answered.
  std::optional<WorkerAnswer> serve(WorkerRequest request) {
    for (TensorView& tensor : request.tensors)
      tensor.data = here(tensor.data);
    switch (request.kind) {
      case Kind::map:
        note(map(request));
        return std::nullopt;
      case Kind::load:
        return answer(load(request));
      case Kind::unload:
        m_modules.erase(request.number);
        return std::nullopt;
      case Kind::copy:
        m_memory.copy_elements(request.tensors.at(0), request.tensors.at(1), nullptr);
        return std::nullopt;
      case Kind::zero:
        m_memory.fill_zero(request.tensors.at(0), nullptr);
        return std::nullopt;
      case Kind::poison:
        m_memory.fill_poison(request.tensors.at(0), nullptr);
        return std::nullopt;
      case Kind::fill:
        m_memory.fill_bytes(here(reinterpret_cast<std::byte*>(request.address)), request.bytes,
                            static_cast<std::byte>(request.value));
        return std::nullopt;
      case Kind::launch:
        return launch(request);
      case Kind::wait:
        return answer(m_memory.wait());
    }
    return std::nullopt;
  }

 private:
  struct Mapped {
    std::uint64_t bytes = 0;
    Address here = 0;
  };

  // The same byte as this process sees it.
  std::byte* here(std::byte* theirs) const {
    const auto address = reinterpret_cast<Address>(theirs);
    const auto after = m_mapped.upper_bound(address);
    if (after == m_mapped.begin()) return theirs;
    const auto& [base, mapped] = *std::prev(after);
    return reinterpret_cast<std::byte*>(mapped.here + (address - base));
  }

  Result<void> map(const WorkerRequest& request) {
    Address address = 0;
    TUNECHECK_CHECK(m_device.driver().check(
        m_device.functions().ipc_open(&address, request.handle, m_device.driver().ipc_open_flags()),
        "a trial's memory cannot be shared"));
    m_mapped[request.address] = {request.bytes, address};
    return {};
  }

  Result<void> load(const WorkerRequest& request) {
    Artifact artifact;
    TUNECHECK_TRY(artifact.bytes, read_binary_file(request.file));
    TUNECHECK_TRY(m_modules[request.number], load_gpu_module(m_device, artifact));
    return {};
  }

  WorkerAnswer launch(const WorkerRequest& request) {
    const auto module = m_modules.find(request.number);
    if (module == m_modules.end()) return {"the module is not loaded", {}};
    if (!m_trouble.empty()) return {m_trouble, {}};
    const LaunchArguments arguments{request.tensors, request.scalars, nullptr, &m_memory};
    WorkerAnswer answer;
    if (request.timed)
      answer.launch = request.cold ? module->second->timed_launch(arguments)
                                   : module->second->timed_hot_launch(arguments);
    else
      answer.launch.status = module->second->launch(arguments);
    // A launch that was refused leaves the context as it was; one that failed took it along.
    const Status context = m_device.functions().synchronize();
    if (context == 0) return answer;
    if (answer.launch.status == 0) answer.launch.status = context;
    answer.trouble = m_device.driver().describe(answer.launch.status);
    return answer;
  }

  // What went wrong in a request that is not answered is said in the next answer.
  void note(const Result<void>& result) {
    if (!result && m_trouble.empty()) m_trouble = result.error().text();
  }

  WorkerAnswer answer(const Result<void>& result) {
    note(result);
    return {std::exchange(m_trouble, {}), {}};
  }

  const GpuDevice& m_device;
  const GpuMemory m_memory;
  std::map<Address, Mapped> m_mapped;  // by the parent's first address
  std::map<std::uint64_t, std::unique_ptr<Module>> m_modules;
  std::string m_trouble;
};

int run(std::string_view backend, int number) {
  // A kernel that prints must not answer in this program's place.
  const FileDescriptor output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!output.valid() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  const auto say = [&](const WorkerAnswer& answer) {
    const std::string line = to_line(answer) + '\n';
    return write_all(output.get(), std::as_bytes(std::span(line)));
  };
  const auto device = parse_device_kind(backend, gpu_kinds).and_then([&](DeviceKind kind) {
    return GpuDevice::open(kind, number);
  });
  if (!device) {
    (void)say({device.error().text(), {}});
    return 1;
  }
  if (!say({})) return 1;
  Worker worker(**device);
  for (std::string line; std::getline(std::cin, line);) {
    auto request = parse_worker_request(line);
    const auto answer =
        request ? worker.serve(std::move(*request)) : WorkerAnswer{request.error().text(), {}};
    if (answer && !say(*answer)) return 1;
  }
  // Without the destructors: a context in which a kernel has failed takes nothing back.
  ::_exit(0);
}

}  // namespace
}  // namespace tunecheck::gpu

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: tunecheck-gpu-worker cuda|hip DEVICE\n", stderr);
    return 3;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return tunecheck::gpu::run(arguments[1], std::atoi(arguments[2]));
}
