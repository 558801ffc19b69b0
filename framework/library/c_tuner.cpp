// The C API's tuners and kernels, over those of C++.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "core/device_kinds.hpp"
#include "core/plain_text.hpp"
#include "library/c_call.hpp"
#include "tuner/tuner.hpp"

namespace {

using namespace tunecheck;
using c_api::fail;
using c_api::guarded;

// The backend dies after the tuner.
struct OwnedTuner {
  OwnedTuner(std::unique_ptr<Backend> used_backend, TunerOptions options)
      : backend(std::move(used_backend)), tuner(*backend, std::move(options)) {}
  std::unique_ptr<Backend> backend;
  Tuner tuner;
};

}  // namespace

struct tunecheck_tuner {
  std::shared_ptr<OwnedTuner> owned;
};

struct tunecheck_kernel {
  std::shared_ptr<OwnedTuner> owned;  // dies after what is bound to it
  TunedKernel kernel;
};

namespace {

// What an older program does not know has the value of "not chosen".
template <class Struct>
Result<Struct> as_large_as_here(const Struct* given, std::size_t least) {
  Struct whole{};
  if (given == nullptr) return whole;
  if (given->struct_size < least)
    return failure(ErrorKind::bad_input, "struct_size is {}; expected at least {}",
                   given->struct_size, least);
  std::memcpy(&whole, given, std::min(given->struct_size, sizeof whole));
  return whole;
}

std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

Result<TunerOptions> options_of(const tunecheck_options& given) {
  TunerOptions options;
  options.cache_folder = text_or_empty(given.cache_folder);
  if (given.cache_limit_bytes > 0) options.cache_limit_bytes = given.cache_limit_bytes;
  if (const std::string word = text_or_empty(given.effort); !word.empty()) {
    options.search.effort = parse_effort(word);
    if (!options.search.effort)
      return failure(ErrorKind::bad_input, "effort: expected {}, found \"{}\"", effort_words(),
                     word);
  }
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>("trials", given.trials),
                                    {"time_ns", given.time_ns},
                                    {"compile_jobs", given.compile_jobs},
                                    {"device_number", given.device_number}})
    if (value < 0)
      return failure(ErrorKind::bad_input, "{}: expected a number of at least 0, found {}", name,
                     value);
  options.search.trials = given.trials;
  options.search.time = std::chrono::nanoseconds(given.time_ns);
  options.compile_jobs = given.compile_jobs;
  options.may_search = given.never_search == 0;
  options.may_wait = given.never_wait == 0;
  return options;
}

Result<std::unique_ptr<Backend>> backend_of(const tunecheck_options& given) {
  DeviceKind kind = DeviceKind::cpu;
  if (const std::string word = text_or_empty(given.device); !word.empty()) {
    TUNECHECK_TRY(kind, parse_device_kind(word, real_device_kinds));
  }
  if (!is_gpu(kind)) return std::make_unique<CpuBackend>();
  auto backend = std::make_unique<GpuBackend>(kind, given.device_number);
  TUNECHECK_CHECK(backend->device_name());
  return backend;
}

// Whether 64 bits hold the place of each element in bytes, and how many elements there are.
bool is_addressable(const tunecheck_named_tensor& tensor, std::size_t element_bytes) {
  std::int64_t elements = 1;
  std::int64_t bytes = static_cast<std::int64_t>(element_bytes);
  bool fits = true;
  for (int d = tensor.rank - 1; d >= 0; --d) {
    const std::int64_t size = std::max(tensor.shape[d], std::int64_t{1});
    const std::int64_t stride = tensor.strides == nullptr ? elements : tensor.strides[d];
    std::int64_t farthest = 0;
    fits = fits && stride != std::numeric_limits<std::int64_t>::min() &&
           !__builtin_mul_overflow(size - 1, std::abs(stride), &farthest) &&
           !__builtin_mul_overflow(farthest, static_cast<std::int64_t>(element_bytes), &farthest) &&
           !__builtin_add_overflow(bytes, farthest, &bytes) &&
           !__builtin_mul_overflow(elements, size, &elements);
  }
  return fits;
}

Result<TensorView> view_of(const tunecheck_named_tensor& tensor, std::size_t number) {
  const auto wrong = [&](const char* what) {
    return failure(ErrorKind::bad_input, "tensor {} ({}): expected {}", number,
                   tensor.name == nullptr ? "no name" : tensor.name, what);
  };
  if (tensor.name == nullptr) return wrong("a name");
  if (tensor.dtype < TUNECHECK_F64 || tensor.dtype > TUNECHECK_U8) return wrong("a dtype");
  const auto dtype = static_cast<DType>(tensor.dtype);
  if (tensor.rank < 0 || tensor.rank > max_rank) return wrong("a rank from 0 to 8");
  if (tensor.rank > 0 && tensor.shape == nullptr) return wrong("a shape");
  const std::span shape(tensor.shape, static_cast<std::size_t>(tensor.rank));
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; }))
    return wrong("sizes of at least 0");
  if (!is_addressable(tensor, size_of(dtype)))
    return wrong("sizes and strides whose memory has addresses");
  const bool is_empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (tensor.data == nullptr && !is_empty) return wrong("memory at `data`");
  if (reinterpret_cast<std::uintptr_t>(tensor.data) % size_of(dtype) != 0)
    return wrong("`data` at a multiple of the dtype's size");
  return TensorView{static_cast<std::byte*>(tensor.data), dtype,
                    tensor.strides == nullptr
                        ? Layout::contiguous(shape)
                        : Layout::strided(shape, std::span(tensor.strides, shape.size()))};
}

// Kept by the thread, because the caller has to free nothing.
struct ReportTexts {
  std::string winner;
  std::string message;
};
thread_local ReportTexts report_texts;

void fill(tunecheck_report& report, const CallReport& from) {
  report_texts.winner = from.winner == nullptr ? "" : to_string(*from.winner);
  report_texts.message = xml_text(from.message);
  tunecheck_report filled{};
  filled.struct_size = report.struct_size;
  filled.cache = static_cast<tunecheck_cache_use>(from.cache);
  filled.launch_status = from.status;
  filled.compiles = from.compiles;
  filled.trials = static_cast<std::int64_t>(from.trials.size());
  filled.given_meanwhile = from.given_meanwhile;
  filled.winner = report_texts.winner.c_str();
  filled.message = report_texts.message.c_str();
  std::memcpy(&report, &filled, std::min(report.struct_size, sizeof filled));
}

Result<CallReport> call(tunecheck_kernel& kernel, std::span<const tunecheck_named_tensor> tensors,
                        std::span<const tunecheck_named_scalar> scalars, void* stream) {
  if (stream != nullptr && !is_gpu(kernel.owned->backend->kind()))
    return failure(ErrorKind::bad_input,
                   "expected NULL for the stream, because this tuner's device is a CPU");
  std::vector<NamedTensor> named;
  for (const tunecheck_named_tensor& tensor : tensors) {
    TUNECHECK_TRY(const TensorView view, view_of(tensor, named.size() + 1));
    named.push_back({tensor.name, view});
  }
  std::map<std::string, double> values;
  for (const tunecheck_named_scalar& scalar : scalars) {
    if (scalar.name == nullptr) return failure(ErrorKind::bad_input, "a scalar has no name");
    if (!values.emplace(scalar.name, scalar.value).second)
      return failure(ErrorKind::bad_input, "scalar \"{}\" is given twice", scalar.name);
  }
  return kernel.kernel.call(named, values, static_cast<Stream>(stream));
}

Result<TuneRequest> request_of(const char* folder, const std::string& size_name,
                               std::span<const tunecheck_size> sizes) {
  TUNECHECK_TRY(KernelDefinition kernel, read_kernel(folder));
  std::vector<std::string> names;
  for (const auto& [name, values] : kernel.sizes)
    names.push_back(name);
  if (!kernel.sizes.contains(size_name))
    return failure(ErrorKind::bad_input, "{} has no size \"{}\"; expected one of: {}", kernel.name,
                   size_name, fmt::join(names, ", "));
  TuneRequest request = TuneRequest::of(std::move(kernel), size_name);
  std::set<std::string> given;
  for (const tunecheck_size& size : sizes) {
    const std::string name = text_or_empty(size.name);
    if (!given.insert(name).second)
      return failure(ErrorKind::bad_input, "size \"{}\" is given twice", name);
    if (!request.sizes.contains(name))
      return failure(ErrorKind::bad_input, "{} has no size name \"{}\"", request.kernel.name, name);
    if (size.value < 0)
      return failure(ErrorKind::bad_input, "size \"{}\": expected a number of at least 0, found {}",
                     name, size.value);
    request.sizes[name] = size.value;
  }
  return request;
}

template <class T>
Result<std::span<const T>> span_of(const T* first, std::size_t count, const char* what) {
  if (first == nullptr && count > 0)
    return failure(ErrorKind::bad_input, "expected {} {} where the pointer is null", count, what);
  return std::span<const T>(first, count);
}

}  // namespace

extern "C" {

tunecheck_status tunecheck_options_init(tunecheck_options* options, size_t struct_size) {
  return guarded([&] {
    if (options == nullptr || struct_size < sizeof(size_t))
      return fail(TUNECHECK_BAD_INPUT, "expected options and their size");
    std::memset(options, 0, struct_size);
    options->struct_size = struct_size;
    return tunecheck_status{TUNECHECK_OK};
  });
}

tunecheck_status tunecheck_tuner_create(const tunecheck_options* options, tunecheck_tuner** tuner) {
  return guarded([&] {
    if (tuner == nullptr) return fail(TUNECHECK_BAD_INPUT, "expected a place for the tuner");
    *tuner = nullptr;
    const auto whole = as_large_as_here(options, offsetof(tunecheck_options, cache_limit_bytes));
    if (!whole) return fail(whole.error());
    auto chosen = options_of(*whole);
    if (!chosen) return fail(chosen.error());
    auto backend = backend_of(*whole);
    if (!backend) return fail(backend.error());
    *tuner =
        new tunecheck_tuner{std::make_shared<OwnedTuner>(std::move(*backend), std::move(*chosen))};
    return tunecheck_status{TUNECHECK_OK};
  });
}

void tunecheck_tuner_destroy(tunecheck_tuner* tuner) {
  delete tuner;
}

tunecheck_status tunecheck_kernel_bind(tunecheck_tuner* tuner, const char* folder,
                                       const char* size_name, const tunecheck_size* sizes,
                                       size_t size_count, tunecheck_kernel** kernel) {
  return guarded([&] {
    if (kernel == nullptr) return fail(TUNECHECK_BAD_INPUT, "expected a place for the kernel");
    *kernel = nullptr;
    if (tuner == nullptr || folder == nullptr || size_name == nullptr)
      return fail(TUNECHECK_BAD_INPUT, "expected a tuner, a folder and the name of a size");
    if (*folder == '\0')
      return fail(TUNECHECK_BAD_INPUT, "expected a kernel's folder, found an empty text");
    const auto given = span_of(sizes, size_count, "sizes");
    if (!given) return fail(given.error());
    auto request = request_of(folder, size_name, *given);
    if (!request) return fail(request.error());
    auto bound = tuner->owned->tuner.bind(std::move(*request));
    if (!bound) return fail(bound.error());
    *kernel = new tunecheck_kernel{tuner->owned, std::move(*bound)};
    return tunecheck_status{TUNECHECK_OK};
  });
}

void tunecheck_kernel_destroy(tunecheck_kernel* kernel) {
  delete kernel;
}

tunecheck_status tunecheck_kernel_call(tunecheck_kernel* kernel,
                                       const tunecheck_named_tensor* tensors, size_t tensor_count,
                                       const tunecheck_named_scalar* scalars, size_t scalar_count,
                                       void* stream, tunecheck_report* report) {
  return guarded([&] {
    if (kernel == nullptr) return fail(TUNECHECK_BAD_INPUT, "expected a kernel");
    constexpr std::size_t least = offsetof(tunecheck_report, compiles);
    if (report != nullptr && report->struct_size < least)
      return fail(TUNECHECK_BAD_INPUT,
                  fmt::format("the report's struct_size is {}; expected at least {}",
                              report->struct_size, least));
    const auto given = span_of(tensors, tensor_count, "tensors");
    if (!given) return fail(given.error());
    const auto values = span_of(scalars, scalar_count, "scalars");
    if (!values) return fail(values.error());
    const auto made = call(*kernel, *given, *values, stream);
    if (!made) return fail(made.error());
    if (report != nullptr) fill(*report, *made);
    if (made->status != 0)
      return fail(TUNECHECK_LAUNCH_REFUSED,
                  fmt::format("the launch was refused: {}",
                              kernel->owned->backend->describe(made->status)));
    return tunecheck_status{TUNECHECK_OK};
  });
}

}  // extern "C"
