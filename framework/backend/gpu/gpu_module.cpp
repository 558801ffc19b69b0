#include "backend/gpu/gpu_module.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

#include "backend/gpu/gpu_artifact.hpp"

namespace tunecheck::gpu {
namespace {

// The parameter of the same name in gpu_kernel.h.
struct TensorParameter {
  std::byte* first;
  std::int64_t shape[max_rank];
  std::int64_t strides[max_rank];
  std::int32_t dimensions;
  std::int32_t dtype;
};
static_assert(sizeof(TensorParameter) == 144);

void describe(const TensorView& view, TensorParameter& parameter) {
  parameter.first = view.data;
  std::memcpy(parameter.shape, view.layout.shape.data(), sizeof parameter.shape);
  std::memcpy(parameter.strides, view.layout.strides.data(), sizeof parameter.strides);
  parameter.dimensions = view.layout.rank;
  parameter.dtype = static_cast<std::int32_t>(view.dtype);
}

// A scalar as its bytes, in the dtype that the kernel declares.
struct ScalarParameter {
  std::array<std::byte, 8> bytes;

  explicit ScalarParameter(const Scalar& scalar) : bytes{} {
    const bool is_integer = !is_floating(scalar.dtype);
    // Towards zero, as cpu_kernel.h promises; store_element would round to nearest.
    store_element(scalar.dtype, bytes.data(), is_integer ? std::trunc(scalar.value) : scalar.value);
  }
  ScalarParameter() = default;  // not cleared: most of an array are never used
};

constexpr std::size_t usual_arguments = 32;

// Calls use() with the parameters as the driver takes them. Usual numbers of arguments live on the
// stack, not initialised beyond their count.
template <class Use>
Status with_parameters(const LaunchArguments& arguments, Use&& use) {
  const std::size_t tensors = arguments.tensors.size();
  const std::size_t scalars = arguments.scalars.size();
  const auto fill = [&](TensorParameter* views, ScalarParameter* values, void** parameters) {
    for (std::size_t i = 0; i < tensors; ++i) {
      describe(arguments.tensors[i], views[i]);
      parameters[i] = &views[i];
    }
    for (std::size_t i = 0; i < scalars; ++i) {
      values[i] = ScalarParameter(arguments.scalars[i]);
      parameters[tensors + i] = &values[i];
    }
    return use(parameters);
  };
  if (tensors <= usual_arguments && scalars <= usual_arguments) {
    std::array<TensorParameter, usual_arguments> views;
    std::array<ScalarParameter, usual_arguments> values;
    std::array<void*, 2 * usual_arguments> parameters;
    return fill(views.data(), values.data(), parameters.data());
  }
  std::vector<TensorParameter> views(tensors);
  std::vector<ScalarParameter> values(scalars);
  std::vector<void*> parameters(tensors + scalars);
  return fill(views.data(), values.data(), parameters.data());
}

class EventPair {
 public:
  explicit EventPair(const DriverFunctions& functions) : m_functions(functions) {
    for (Event& event : m_events)
      if (m_status == 0) m_status = m_functions.event_create(&event, 0);
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;
  ~EventPair() {
    for (const Event event : m_events)
      if (event != nullptr) (void)m_functions.event_destroy(event);
  }
  [[nodiscard]] Status status() const { return m_status; }
  [[nodiscard]] Event operator[](std::size_t index) const { return m_events[index]; }

 private:
  const DriverFunctions& m_functions;
  std::array<Event, 3> m_events{};
  Status m_status = 0;
};

// The code of one config, loaded in every context from which it is launched. load_here() comes
// first: it shows whether the driver takes the code at all. Other contexts load it at their first
// launch, under a lock; a context that refuses leaves nothing behind, and its launch returns the
// driver's status. All members may be called by several threads at once. What each launch reads is
// in the first 128 bytes (on CUDA since 11.8); the rest is not touched on a hit.
class alignas(64) GpuModule final : public Module {
 public:
  GpuModule(const GpuDevice& device, std::string entry, const GpuLaunchShape& shape,
            std::span<const std::byte> code)
      : m_current_context(device.functions().current_context),
        m_launch_configured(device.functions().launch_configured),
        m_device(device),
        m_config{sizes(shape.grid),
                 sizes(shape.threads),
                 static_cast<unsigned>(shape.shared_bytes),
                 nullptr,
                 nullptr,
                 0},
        m_entry(std::move(entry)),
        m_code(code.begin(), code.end()) {
    m_code.push_back(std::byte{0});  // PTX is a text that ends
  }
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;
  // What is loaded in a context of the caller's own goes with that: it may be gone by now, and
  // nobody can ask.
  ~GpuModule() override {
    const DriverFunctions& f = m_device.functions();
    Context current = nullptr;
    if (f.current_context(&current) != 0) return;  // the process ends
    for (const auto& loaded : m_loaded) {
      if (loaded->context != m_device.primary()) continue;
      (void)f.set_current(loaded->context);
      (void)f.module_unload(loaded->module);
    }
    (void)f.set_current(current);
  }

  // The thread's context; null and a status where it cannot be loaded there.
  Result<void> load_here() const {
    Status status = 0;
    if (function(status) != nullptr) return {};
    return m_device.driver().check(status, "the driver refuses the code");
  }

  LaunchStatus launch(const LaunchArguments& arguments) const override {
    if (is_empty()) return 0;
    return with_parameters(arguments, [&](void** parameters) {
      Status status = 0;
      const Function found = function(status);
      return found != nullptr ? launch(found, arguments.stream, parameters) : status;
    });
  }

  TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
    return time(arguments, true);
  }
  TimedLaunch timed_hot_launch(const LaunchArguments& arguments) const override {
    return time(arguments, false);
  }

 private:
  TimedLaunch time(const LaunchArguments& arguments, bool cold) const {
    const DriverFunctions& f = m_device.functions();
    (void)m_device.context();
    const EventPair events(f);
    Status status = events.status();
    const auto next = [&](auto&& act) {
      if (status == 0) status = act();
    };
    next([&] { return f.event_record(events[0], arguments.stream); });
    if (cold) next([&] { return m_device.flush_l2(arguments.stream); });
    next([&] { return f.event_record(events[1], arguments.stream); });
    next([&] { return launch(arguments); });
    next([&] { return f.event_record(events[2], arguments.stream); });
    next([&] { return f.event_synchronize(events[2]); });
    float flush_ms = 0;
    float elapsed_ms = 0;
    next([&] { return f.event_elapsed(&flush_ms, events[0], events[1]); });
    next([&] { return f.event_elapsed(&elapsed_ms, events[1], events[2]); });
    const auto nanoseconds = [](float ms) { return static_cast<std::int64_t>(double{ms} * 1e6); };
    return {status, nanoseconds(elapsed_ms), cold ? nanoseconds(flush_ms) : 0};
  }

  struct Loaded {
    Context context = nullptr;
    ModuleHandle module = nullptr;
    Function function = nullptr;
  };

  using Sizes = std::array<unsigned, 3>;
  static Sizes sizes(const std::array<std::int64_t, 3>& numbers) {
    return {static_cast<unsigned>(numbers[0]), static_cast<unsigned>(numbers[1]),
            static_cast<unsigned>(numbers[2])};
  }

  [[nodiscard]] bool is_empty() const {
    return m_config.grid[0] == 0 || m_config.grid[1] == 0 || m_config.grid[2] == 0;
  }

  // cuLaunchKernelEx takes 0.98 of cuLaunchKernel's time on an H200 with driver 580.
  Status launch(Function function, StreamHandle stream, void** parameters) const {
    LaunchConfig config = m_config;
    config.stream = stream;
    if (m_launch_configured != nullptr)
      return m_launch_configured(&config, function, parameters, nullptr);
    const auto& [grid, threads, shared_bytes, on, attributes, attribute_count] = config;
    return m_device.functions().launch(function, grid[0], grid[1], grid[2], threads[0], threads[1],
                                       threads[2], shared_bytes, on, parameters, nullptr);
  }

  // That of the thread's context. The one that was used last is found without a lock. Asking for
  // the context costs a call of the driver each time, up to 0.01 of a launch on an H200. To launch
  // the last one and ask only if the driver refuses would be right with driver 580
  // (tests/gpu/launch_contexts_test), but a context of the caller's may be gone, and its function
  // with it: nobody knows what a driver does with such a one.
  Function function(Status& status) const {
    Context context = nullptr;
    if (m_current_context(&context) != 0 || context == nullptr) context = m_device.context();
    const Loaded* const last = m_last.load(std::memory_order_acquire);
    if (last != nullptr && last->context == context) return last->function;
    const std::scoped_lock lock(m_loading);
    for (const auto& loaded : m_loaded)
      if (loaded->context == context) return use(*loaded);
    auto loaded = std::make_unique<Loaded>();
    loaded->context = context;
    status = load(*loaded);
    if (status != 0) return nullptr;
    m_loaded.push_back(std::move(loaded));
    return use(*m_loaded.back());
  }

  Function use(const Loaded& loaded) const {
    m_last.store(&loaded, std::memory_order_release);
    return loaded.function;
  }

  Status load(Loaded& loaded) const {
    // cuda.h: CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES; up to 48 KiB need no word.
    constexpr int largest_shared_attribute = 8;
    constexpr unsigned granted_bytes = 48 << 10;
    const DriverFunctions& f = m_device.functions();
    const BesideCaptures loads(f);
    Status status = f.module_load(&loaded.module, m_code.data());
    if (status != 0) return status;
    status = f.module_function(&loaded.function, loaded.module, m_entry.c_str());
    if (status == 0 && m_config.shared_bytes > granted_bytes && f.function_attribute != nullptr)
      status = f.function_attribute(loaded.function, largest_shared_attribute,
                                    static_cast<int>(m_config.shared_bytes));
    if (status != 0) (void)f.module_unload(loaded.module);
    return status;
  }

  mutable std::atomic<const Loaded*> m_last{nullptr};
  decltype(DriverFunctions::current_context) const m_current_context;
  decltype(DriverFunctions::launch_configured) const m_launch_configured;
  const GpuDevice& m_device;
  const LaunchConfig m_config;  // all but the stream

  const std::string m_entry;
  std::vector<std::byte> m_code;
  mutable std::mutex m_loading;
  mutable std::vector<std::unique_ptr<Loaded>> m_loaded;
};

}  // namespace

Result<std::unique_ptr<Module>> load_gpu_module(const GpuDevice& device, const Artifact& artifact) {
  TUNECHECK_TRY(const GpuArtifact read, unpack(artifact));
  auto module = std::make_unique<GpuModule>(device, read.entry, read.shape, read.code);
  TUNECHECK_CHECK(module->load_here());
  return module;
}

}  // namespace tunecheck::gpu
