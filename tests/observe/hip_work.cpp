// Uses HIP's runtime as a tuner does, in a process of its own: LIBRARY WORK FOLDER. The code object
// is FOLDER/step.hsaco. Ends with 1 and a message where a call fails, or a tuner would be
// disturbed.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu_case.hpp"

namespace {

using namespace tunecheck::gpu_case;
using Address = void*;
using Handle = void*;

void* library = nullptr;

template <class... Arguments>
int status_of(const char* name, Arguments... arguments) {
  auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("there is no ") + name);
  return function(arguments...);
}

template <class... Arguments>
void call(const char* name, Arguments... arguments) {
  if (const int status = status_of(name, arguments...); status != 0)
    throw std::runtime_error(std::string(name) + " answers " + std::to_string(status));
}

// As gpu_kernel.h declares it.
struct TensorParameter {
  char* first = nullptr;
  std::array<std::int64_t, 8> shape{};
  std::array<std::int64_t, 8> strides{};
  std::int32_t dimensions = 0;
  std::int32_t dtype = 0;
};

TensorParameter parameter(Address memory, const Tensor& tensor) {
  TensorParameter made;
  made.first = static_cast<char*>(memory) + tensor.first;
  std::copy(tensor.shape.begin(), tensor.shape.end(), made.shape.begin());
  std::copy(tensor.strides.begin(), tensor.strides.end(), made.strides.begin());
  made.dimensions = static_cast<std::int32_t>(tensor.shape.size());
  made.dtype = static_cast<std::int32_t>(tensor.dtype);
  return made;
}

struct NodeParameters {  // hipKernelNodeParams
  std::array<unsigned, 3> block = {1, 1, 1};
  void** extra = nullptr;
  Handle function = nullptr;
  std::array<unsigned, 3> grid = {1, 1, 1};
  void** parameters = nullptr;
  unsigned shared_bytes = 0;
};

Address upload(const void* bytes, std::size_t size) {
  Address made = nullptr;
  call("hipMalloc", &made, size);
  call("hipMemcpyHtoD", made, const_cast<void*>(bytes), size);
  return made;
}

class Work {
 public:
  explicit Work(const std::string& folder) {
    std::ifstream file(folder + "/step.hsaco", std::ios::binary);
    m_object.assign(std::istreambuf_iterator<char>(file), {});
    call("hipInit", 0U);
    Handle module = nullptr;
    call("hipModuleLoadData", &module, static_cast<const void*>(m_object.data()));
    call("hipModuleGetFunction", &m_step, module, "step");
    call("hipModuleGetFunction", &m_plain, module, "plain");
    call("hipModuleGetFunction", &m_look, module, "look");
    call("hipStreamCreateWithFlags", &m_first, 1U);
    call("hipStreamCreateWithFlags", &m_second, 1U);
    const std::vector<float> values = step_values(0);
    m_y = upload(values.data(), values.size() * sizeof(float));
    m_pristine = upload(values.data(), values.size() * sizeof(float));
  }

  void streams() {
    for (Handle stream : {m_first, m_second, m_first, Handle()}) {
      step(stream);
      call("hipStreamSynchronize", stream);
    }
  }

  void all_tensors() {
    const std::vector<std::byte> bytes = memory();
    const Address buffer = upload(bytes.data(), bytes.size());
    std::vector<TensorParameter> values;
    for (const Tensor& tensor : tensors())
      values.push_back(parameter(buffer, tensor));
    std::vector<void*> pointers;
    for (TensorParameter& value : values)
      pointers.push_back(&value);
    launch(m_look, m_first, pointers.data(), nullptr);
    // Once more as one buffer; the structures lie in it as in the vector.
    std::size_t size = values.size() * sizeof(TensorParameter);
    std::array<void*, 5> extra = {reinterpret_cast<void*>(1), values.data(),
                                  reinterpret_cast<void*>(2), &size, reinterpret_cast<void*>(3)};
    launch(m_look, m_first, nullptr, extra.data());
  }

  void other_launches() {
    TensorParameter y = step_tensor();
    float by = 1;
    std::array<void*, 2> arguments = {&y, &by};
    call("hipExtModuleLaunchKernel", m_step, 1U, 1U, 1U, 1U, 1U, 1U, std::size_t{0}, m_first,
         arguments.data(), static_cast<void**>(nullptr), Handle(), Handle(), 0U);
    // The function as the runtime names it itself.
    void* found = nullptr;
    call("hipGetProcAddress", "hipModuleLaunchKernel", &found, 60'200'000, std::uint64_t{0},
         Handle());
    using Launch = int(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       Handle, void**, void**);
    reinterpret_cast<Launch*>(found)(m_step, 1, 1, 1, 1, 1, 1, 0, m_second, arguments.data(),
                                     nullptr);
  }

  // Of one step.
  struct Captured {
    Handle graph = nullptr;
    Handle executable = nullptr;
  };

  Captured captured() {
    Captured made;
    call("hipStreamBeginCapture", m_first, 0);
    step(m_first);
    call("hipStreamEndCapture", m_first, &made.graph);
    call("hipGraphInstantiateWithFlags", &made.executable, made.graph, 0ULL);
    return made;
  }

  void graph() {
    const Handle executable = captured().executable;
    for (int i = 0; i < 2; ++i)
      call("hipGraphLaunch", executable, m_first);
  }

  // Its second launch adds to another tensor.
  void changed_graph() {
    const auto [graph, executable] = captured();
    call("hipGraphLaunch", executable, m_first);
    Handle node = nullptr;
    std::size_t count = 1;
    call("hipGraphGetNodes", graph, &node, &count);
    TensorParameter other = step_tensor();
    other.first = static_cast<char*>(m_pristine);
    float by = 1;
    std::array<void*, 2> arguments = {&other, &by};
    NodeParameters changed;
    changed.function = m_step;
    changed.parameters = arguments.data();
    call("hipGraphExecKernelNodeSetParams", executable, node,
         static_cast<const NodeParameters*>(&changed));
    call("hipGraphLaunch", executable, m_first);
  }

  void in_place(bool restore) {
    for (int i = 0; i < 4; ++i) {
      if (restore)
        call("hipMemcpyDtoDAsync", m_y, m_pristine, step_elements * sizeof(float), m_first);
      step(m_first);
    }
  }

  // A measurement each; with `disturbed` the launch cannot be foreseen.
  void timed(bool disturbed) {
    for (int i = 0; i < 5; ++i) {
      call("hipEventRecord", Handle(), m_first);
      if (disturbed)
        call("hipMemsetD8Async", m_y, static_cast<unsigned char>(0), std::size_t{4}, m_first);
      TensorParameter y = step_tensor();
      float by = 0;
      std::array<void*, 2> arguments = {&y, &by};
      launch(m_step, m_first, arguments.data(), nullptr);
      call("hipEventRecord", Handle(), m_first);
    }
  }

  // The probe has read the tensors, and must write over twice the L2 cache then.
  void cold() {
    timed(false);
    constexpr unsigned long l2_bytes = 1UL << 18;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      unsigned long first = 0;
      unsigned long end = 0;
      if (line.find("memfd:device") != line.npos &&
          std::sscanf(line.c_str(), "%lx-%lx", &first, &end) == 2 && end - first == 2 * l2_bytes)
        return;
    }
    throw std::runtime_error("the tensors are still in the cache");
  }

  // Nothing that runs at the end of a process does.
  void killed() {
    step(m_first);
    std::_Exit(0);
  }

  // The process finds its own errors as it would without the probe.
  void own_error() {
    int device = 0;
    const int refused = status_of("hipDeviceGet", &device, 1);
    step(m_first);
    if (const int found = status_of("hipGetLastError"); refused == 0 || found != refused)
      throw std::runtime_error("the error is now " + std::to_string(found));
  }

  // The process ends before the measurement does.
  void unfinished() {
    timed(false);
    call("hipEventRecord", Handle(), m_first);
    TensorParameter y = step_tensor();
    float by = 0;
    std::array<void*, 2> arguments = {&y, &by};
    launch(m_step, m_first, arguments.data(), nullptr);
  }

  // HIP 5.2 ends a process that asks for the name of no function.
  static void unknown_function() {
    void* none[4] = {};
    (void)status_of("hipModuleLaunchKernel", static_cast<Handle>(nullptr), 1U, 1U, 1U, 1U, 1U, 1U,
                    0U, Handle(), static_cast<void**>(none), static_cast<void**>(nullptr));
  }

  // The probe asks about memory that is none, and must leave no error of that.
  void plain_pointers() {
    int n = 1;
    void* nowhere = reinterpret_cast<void*>(0x10);
    std::array<void*, 3> arguments = {&n, &m_y, &nowhere};
    launch(m_plain, m_first, arguments.data(), nullptr);
    if (const int left = status_of("hipPeekAtLastError"); left != 0)
      throw std::runtime_error("an error is left: " + std::to_string(left));
  }

  // The kernel is given memory of the process.
  void registered_memory() {
    int n = 1;
    static std::array<float, 4> values{};
    void* registered = values.data();
    call("hipHostRegister", registered, sizeof values, 0U);
    std::array<void*, 3> arguments = {&n, &m_y, &registered};
    launch(m_plain, m_first, arguments.data(), nullptr);
  }

  static void damaged_image() {
    Handle module = nullptr;
    const std::string damaged = "\177ELF nonsense";
    if (status_of("hipModuleLoadData", &module, static_cast<const void*>(damaged.data())) == 0)
      throw std::runtime_error("a damaged image was loaded");
  }

 private:
  static void launch(Handle function, Handle stream, void** arguments, void** extra) {
    call("hipModuleLaunchKernel", function, 1U, 1U, 1U, 1U, 1U, 1U, 0U, stream, arguments, extra);
  }

  TensorParameter step_tensor() const {
    return parameter(m_y, {tunecheck::DType::f32, {step_elements}, {1}, 0});
  }

  void step(Handle stream) {
    TensorParameter y = step_tensor();
    float by = 1;
    std::array<void*, 2> arguments = {&y, &by};
    launch(m_step, stream, arguments.data(), nullptr);
  }

  std::vector<char> m_object;
  Handle m_step = nullptr;
  Handle m_plain = nullptr;
  Handle m_look = nullptr;
  Handle m_first = nullptr;
  Handle m_second = nullptr;
  Address m_y = nullptr;
  Address m_pristine = nullptr;
};

// One that is there, one that is none, and one that is not there.
void load_files(const std::string& folder) {
  Handle module = nullptr;
  call("hipModuleLoad", &module, (folder + "/step.hsaco").c_str());
  for (const char* const name : {"/damaged.hsaco", "/missing.hsaco"})
    if (status_of("hipModuleLoad", &module, (folder + name).c_str()) == 0)
      throw std::runtime_error(std::string(name) + " was loaded");
}

// What a runtime does that has no device.
void load(const std::string& folder) {
  std::ifstream file(folder + "/step.hsaco", std::ios::binary);
  const std::string object(std::istreambuf_iterator<char>(file), {});
  Handle module = nullptr;
  (void)status_of("hipModuleLoadData", &module, static_cast<const void*>(object.data()));
}

void run(const std::string& name, const std::string& folder) {
  if (name == "load") return load(folder);
  if (name == "load files") return load_files(folder);
  Work work(folder);
  if (name == "streams") return work.streams();
  if (name == "all tensors") return work.all_tensors();
  if (name == "other launches") return work.other_launches();
  if (name == "graph") return work.graph();
  if (name == "changed graph") return work.changed_graph();
  if (name == "restored") return work.in_place(true);
  if (name == "not restored") return work.in_place(false);
  if (name == "timed") return work.timed(false);
  if (name == "timed and disturbed") return work.timed(true);
  if (name == "unfinished") return work.unfinished();
  if (name == "cold") return work.cold();
  if (name == "killed") return work.killed();
  if (name == "own error") return work.own_error();
  if (name == "plain pointers") return work.plain_pointers();
  if (name == "registered memory") return work.registered_memory();
  if (name == "no function") return Work::unknown_function();
  if (name == "damaged image") return Work::damaged_image();
  throw std::runtime_error("there is no work \"" + name + "\"");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  library = ::dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    return 2;
  }
  try {
    run(arguments[2], arguments[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
