#include "gpu_work.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/gpu/runtime_compiler.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "core/layout.hpp"
#include "core/resources.hpp"
#include "gpu_case.hpp"

// Headers rename functions to their newest versions by macros: the symbol is what the macro says.
#define SYMBOL_OF(function) #function
#define SYMBOL(function) SYMBOL_OF(function)
#define CALL(function, ...) \
  ::tunecheck::gpu_work::call<decltype(function)>(SYMBOL(function) __VA_OPT__(, ) __VA_ARGS__)

namespace tunecheck::gpu_work {
namespace {

namespace fs = std::filesystem;
using namespace gpu_case;

void* library() {
  static void* const opened = ::dlopen("libcuda.so.1", RTLD_NOW);
  return opened;
}

template <class Function>
CUresult status_of(const char* symbol, auto... arguments) {
  auto* const function = reinterpret_cast<Function*>(::dlsym(library(), symbol));
  return function != nullptr ? function(arguments...) : CUDA_ERROR_NOT_FOUND;
}

template <class Function>
void call(const char* symbol, auto... arguments) {
  const CUresult status = status_of<Function>(symbol, arguments...);
  if (status != CUDA_SUCCESS)
    throw std::runtime_error(fmt::format("{} answers {}", symbol, static_cast<int>(status)));
}

// As gpu_kernel.h declares it.
struct TensorParameter {
  CUdeviceptr first = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};
  std::int32_t dimensions = 0;
  std::int32_t dtype = 0;
};

TensorParameter parameter(CUdeviceptr memory, const Tensor& tensor) {
  TensorParameter made;
  made.first = memory + tensor.first;
  std::copy(tensor.shape.begin(), tensor.shape.end(), made.shape.begin());
  std::copy(tensor.strides.begin(), tensor.strides.end(), made.strides.begin());
  made.dimensions = static_cast<std::int32_t>(tensor.shape.size());
  made.dtype = static_cast<std::int32_t>(tensor.dtype);
  return made;
}

// "look" changes nothing, "step" and "plain" add 1 to the first element.
std::string source() {
  std::string text =
      "#include <tunecheck/gpu_kernel.h>\n"
      "using T = tunecheck::Tensor<float>;\n"
      "extern \"C\" __global__ void step(T y, float by) { y.first[0] += by; }\n"
      "extern \"C\" __global__ void plain(int n, float* y, float* z) { y[0] += n; }\n"
      "extern \"C\" __global__ void look(";
  for (std::size_t i = 0; i < tensors().size(); ++i)
    text += fmt::format("{}T t{}", i > 0 ? ", " : "", i);
  return text + ") {}\n";
}

std::string compile() {
  int major = 0;
  int minor = 0;
  CALL(cuDeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
  CALL(cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
  const auto compiler = open_runtime_compiler(DeviceKind::cuda);
  if (!compiler) throw std::runtime_error(compiler.error().text());
  const auto artifact =
      (*compiler)->compile(source(), "step.cu", fmt::format("sm_{}{}", major, minor),
                           {"-std=c++17", "-I" + find_resources().gpu_include.string(),
                            fmt::format("-DTUNECHECK_CONFIG=\"{}\"", config)});
  if (!artifact) throw std::runtime_error(artifact.error().text());
  return {reinterpret_cast<const char*>(artifact->bytes.data()), artifact->bytes.size()};
}

class Work {
 public:
  explicit Work(fs::path folder) : m_folder(std::move(folder)) {
    CALL(cuInit, 0U);
    CUcontext context = nullptr;
    CALL(cuDevicePrimaryCtxRetain, &context, 0);
    CALL(cuCtxSetCurrent, context);
    m_cubin = compile();
    std::ofstream(m_folder / "step.cubin", std::ios::binary) << m_cubin;
    CUmodule module = nullptr;
    CALL(cuModuleLoadData, &module, static_cast<const void*>(m_cubin.data()));
    CALL(cuModuleGetFunction, &m_step, module, "step");
    CALL(cuModuleGetFunction, &m_plain, module, "plain");
    CALL(cuModuleGetFunction, &m_look, module, "look");
    CALL(cuStreamCreate, &m_first, static_cast<unsigned>(CU_STREAM_NON_BLOCKING));
    CALL(cuStreamCreate, &m_second, static_cast<unsigned>(CU_STREAM_NON_BLOCKING));
    const std::vector<float> values = step_values(0);
    m_y = upload(values.data(), values.size() * sizeof(float));
    m_pristine = upload(values.data(), values.size() * sizeof(float));
  }

  void streams() {
    for (const CUstream stream : {m_first, m_second, m_first, CUstream{}}) {
      step(stream);
      CALL(cuStreamSynchronize, stream);
    }
  }

  void all_tensors() {
    const std::vector<std::byte> bytes = memory();
    const CUdeviceptr buffer = upload(bytes.data(), bytes.size());
    std::vector<TensorParameter> values;
    for (const Tensor& tensor : tensors())
      values.push_back(parameter(buffer, tensor));
    std::vector<void*> pointers;
    for (TensorParameter& value : values)
      pointers.push_back(&value);
    launch(m_look, m_first, pointers.data(), nullptr);
    // Once more as one buffer; the structures lie in it as in the vector.
    std::size_t size = values.size() * sizeof(TensorParameter);
    std::array<void*, 5> extra = {CU_LAUNCH_PARAM_BUFFER_POINTER, values.data(),
                                  CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    launch(m_look, m_first, nullptr, extra.data());
    CALL(cuStreamSynchronize, m_first);
  }

  void library_kernel() {
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    CALL(cuLibraryLoadData, &library, static_cast<const void*>(m_cubin.data()),
         static_cast<CUjit_option*>(nullptr), static_cast<void**>(nullptr), 0U,
         static_cast<CUlibraryOption*>(nullptr), static_cast<void**>(nullptr), 0U);
    CALL(cuLibraryGetKernel, &kernel, library, "step");
    const CUfunction step_before = m_step;
    m_step = reinterpret_cast<CUfunction>(kernel);
    step(m_first);
    m_step = step_before;
    CALL(cuKernelGetFunction, &m_step, kernel);
    TensorParameter y = step_tensor();
    float by = 1;
    std::array<void*, 2> arguments = {&y, &by};
    CUlaunchConfig launch{};
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    launch.hStream = m_second;
    CALL(cuStreamSynchronize, m_first);
    CALL(cuLaunchKernelEx, static_cast<const CUlaunchConfig*>(&launch), m_step, arguments.data(),
         static_cast<void**>(nullptr));
    CALL(cuStreamSynchronize, m_second);
  }

  void graph() {
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
    CALL(cuStreamBeginCapture, m_first, CU_STREAM_CAPTURE_MODE_GLOBAL);
    step(m_first);
    CALL(cuStreamEndCapture, m_first, &graph);
    CALL(cuGraphInstantiateWithFlags, &executable, graph, 0ULL);
    CALL(cuGraphDestroy, graph);
    for (int i = 0; i < 2; ++i)
      CALL(cuGraphLaunch, executable, m_first);
    CALL(cuStreamSynchronize, m_first);
  }

  void in_place(bool restore) {
    for (int i = 0; i < 4; ++i) {
      if (restore) CALL(cuMemcpyDtoDAsync, m_y, m_pristine, step_elements * sizeof(float), m_first);
      step(m_first);
    }
    CALL(cuStreamSynchronize, m_first);
  }

  // Writes the measured times in nanoseconds, one a line. With `disturbed` something is enqueued
  // between the event and the launch, which so cannot be foreseen.
  void timed(bool disturbed) {
    constexpr std::size_t bytes = std::size_t{512} << 20;
    CUdeviceptr large = 0;
    CALL(cuMemAlloc, &large, bytes);
    CALL(cuMemsetD8Async, large, static_cast<unsigned char>(0), bytes, m_first);
    TensorParameter y = parameter(large, {DType::f32, {std::int64_t{bytes / 4}}, {1}, 0});
    float by = 0;
    std::array<void*, 2> arguments = {&y, &by};
    CUevent start = nullptr;
    CUevent end = nullptr;
    CALL(cuEventCreate, &start, 0U);
    CALL(cuEventCreate, &end, 0U);
    std::ofstream times(m_folder / "times");
    for (int i = 0; i < 11; ++i) {
      CALL(cuEventRecord, start, m_first);
      if (disturbed)
        CALL(cuMemsetD8Async, m_y, static_cast<unsigned char>(0), std::size_t{4}, m_first);
      launch(m_step, m_first, arguments.data(), nullptr);
      CALL(cuEventRecord, end, m_first);
      CALL(cuEventSynchronize, end);
      float elapsed_ms = 0;
      CALL(cuEventElapsedTime, &elapsed_ms, start, end);
      times << static_cast<std::int64_t>(elapsed_ms * 1e6F) << '\n';
    }
  }

  void plain_pointers() {
    int n = 1;
    CUdeviceptr nowhere = 0x10;
    std::array<void*, 3> arguments = {&n, &m_y, &nowhere};
    launch(m_plain, m_first, arguments.data(), nullptr);
    CALL(cuStreamSynchronize, m_first);
  }

  void damaged_image() {
    const std::string damaged = ".version 9.0\n.target sm_75\nnonsense\n";
    CUmodule module = nullptr;
    const CUresult status = status_of<decltype(cuModuleLoadData)>(
        SYMBOL(cuModuleLoadData), &module, static_cast<const void*>(damaged.data()));
    if (status == CUDA_SUCCESS) throw std::runtime_error("a damaged image was loaded");
  }

 private:
  static CUdeviceptr upload(const void* bytes, std::size_t size) {
    CUdeviceptr memory = 0;
    CALL(cuMemAlloc, &memory, size);
    CALL(cuMemcpyHtoD, memory, bytes, size);
    return memory;
  }

  static void launch(CUfunction function, CUstream stream, void** arguments, void** extra) {
    CALL(cuLaunchKernel, function, 1U, 1U, 1U, 1U, 1U, 1U, 0U, stream, arguments, extra);
  }

  TensorParameter step_tensor() const {
    return parameter(m_y, {DType::f32, {step_elements}, {1}, 0});
  }

  void step(CUstream stream) {
    TensorParameter y = step_tensor();
    float by = 1;
    std::array<void*, 2> arguments = {&y, &by};
    launch(m_step, stream, arguments.data(), nullptr);
  }

  fs::path m_folder;
  std::string m_cubin;
  CUfunction m_step = nullptr;
  CUfunction m_plain = nullptr;
  CUfunction m_look = nullptr;
  CUstream m_first = nullptr;
  CUstream m_second = nullptr;
  CUdeviceptr m_y = 0;
  CUdeviceptr m_pristine = 0;
};

}  // namespace

std::string missing() {
  if (library() == nullptr) return "there is no CUDA driver";
  int devices = 0;
  if (status_of<decltype(cuInit)>(SYMBOL(cuInit), 0U) != CUDA_SUCCESS ||
      status_of<decltype(cuDeviceGetCount)>(SYMBOL(cuDeviceGetCount), &devices) != CUDA_SUCCESS ||
      devices == 0)
    return "there is no GPU";
  const auto compiler = open_runtime_compiler(DeviceKind::cuda);
  return compiler ? "" : compiler.error().text();
}

void run(const std::string& name, const std::string& folder) {
  Work work(folder);
  if (name == "streams") return work.streams();
  if (name == "all tensors") return work.all_tensors();
  if (name == "library") return work.library_kernel();
  if (name == "graph") return work.graph();
  if (name == "restored") return work.in_place(true);
  if (name == "not restored") return work.in_place(false);
  if (name == "timed") return work.timed(false);
  if (name == "timed and disturbed") return work.timed(true);
  if (name == "plain pointers") return work.plain_pointers();
  if (name == "damaged image") return work.damaged_image();
  throw std::runtime_error("there is no work \"" + name + "\"");
}

}  // namespace tunecheck::gpu_work
