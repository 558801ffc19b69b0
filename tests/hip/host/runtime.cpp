#include "runtime.hpp"

#include <cstdio>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>
#include <utility>

#include <sys/mman.h>

namespace tunecheck::host_hip {
namespace {

thread_local Status kept_error = 0;
constexpr unsigned most_threads = 1024;  // of a block

}  // namespace

Status answer(Status status) {
  if (status != 0) kept_error = status;
  return status;
}

Status last_error() {
  return kept_error;
}

void forget_error() {
  kept_error = 0;
}

void* load_library(std::string_view code) {
  // Kept open: the loader takes a file of the same number for the one that it knows.
  const int file = ::memfd_create("kernel", MFD_CLOEXEC);
  while (!code.empty()) {
    const ssize_t written = ::write(file, code.data(), code.size());
    if (written <= 0) return nullptr;
    code.remove_prefix(static_cast<std::size_t>(written));
  }
  void* const library =
      ::dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::fprintf(stderr, "%s\n", ::dlerror());
  return library;
}

std::unique_ptr<Module> load_module(const void* image) {
  const auto code = shim::code_in_object(image);
  if (!code) return nullptr;
  auto module = std::make_unique<Module>();
  module->library = load_library(*code);
  if (module->library == nullptr) return nullptr;
  for (const shim::Kernel& kernel : shim::kernels_in_object(image)) {
    const std::string symbol = "tunecheck_run_" + kernel.name;
    auto function = std::make_unique<HostFunction>();
    function->kernel = kernel;
    function->run =
        reinterpret_cast<decltype(function->run)>(::dlsym(module->library, symbol.c_str()));
    if (function->run == nullptr) return nullptr;
    module->functions[kernel.name] = std::move(function);
  }
  return module;
}

void Work::run() const {
  if (function == nullptr) return other();
  // Kernels keep their threads in variables of their own.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  function->run(grid.data(), block.data(), const_cast<void**>(parameters.data()));
}

bool is_capturing(const Stream* stream) {
  constexpr std::uintptr_t last_default = 2;  // hipStreamPerThread
  return reinterpret_cast<std::uintptr_t>(stream) > last_default && stream->captured != nullptr;
}

Status enqueue(Stream* stream, std::shared_ptr<Work> work) {
  if (is_capturing(stream))
    stream->captured->nodes.push_back(std::move(work));
  else
    work->run();
  return answer(0);
}

Status enqueue(Stream* stream, std::function<void()> work) {
  auto made = std::make_shared<Work>();
  made->other = std::move(work);
  return enqueue(stream, std::move(made));
}

std::shared_ptr<Work> work_of(HostFunction* function, std::array<unsigned, 3> grid,
                              std::array<unsigned, 3> block, void** parameters, void** extra) {
  const auto count = [](const std::array<unsigned, 3>& sizes) {
    return std::uint64_t{sizes[0]} * sizes[1] * sizes[2];
  };
  if (count(grid) == 0 || count(block) == 0 || count(block) > most_threads) return nullptr;
  // HIP_LAUNCH_PARAM_BUFFER_POINTER and HIP_LAUNCH_PARAM_END.
  constexpr std::uintptr_t pointer = 1;
  constexpr std::uintptr_t end = 3;
  char* buffer = nullptr;
  for (; extra != nullptr && reinterpret_cast<std::uintptr_t>(*extra) != end; extra += 2)
    if (reinterpret_cast<std::uintptr_t>(*extra) == pointer) buffer = static_cast<char*>(extra[1]);
  auto work = std::make_shared<Work>();
  work->function = function;
  work->grid = grid;
  work->block = block;
  for (std::size_t i = 0; i < function->kernel.parameters.size(); ++i) {
    const gpu::Parameter& parameter = function->kernel.parameters[i];
    const auto* const from = static_cast<const std::byte*>(
        buffer != nullptr ? buffer + parameter.offset : parameters[i]);
    work->values.emplace_back(from, from + parameter.size);
  }
  for (std::vector<std::byte>& value : work->values)
    work->parameters.push_back(value.data());
  return work;
}

Status launch(HostFunction* function, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
              Stream* stream, void** parameters, void** extra) {
  if (function == nullptr) return answer(invalid_handle);
  auto work = work_of(function, grid, block, parameters, extra);
  return work != nullptr ? enqueue(stream, std::move(work)) : answer(invalid_value);
}

}  // namespace tunecheck::host_hip
