// tunecheck-gpu-figures: what the reference tuner costs and gains on a GPU. Each command prints one
// JSON object; ci/device runs them and puts the figures beside those of other tuners.
#include "gpu_figures.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "backend/gpu/driver/device.hpp"
#include "backend/gpu/gpu_artifact.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "core/device_kinds.hpp"
#include "core/fill.hpp"
#include "core/resources.hpp"
#include "tuner/tuner.hpp"

namespace {

using namespace tunecheck;
using namespace tunecheck::figures;

// HIP on the host (tests/hip/host) shows without a GPU what a process does, though not how long it
// takes.
DeviceKind device_kind = DeviceKind::cuda;

// What cuLaunchKernel costs and what a tuned call on a hit costs, in turn and never so many at once
// that the device's queue is full.
Json dispatch(const GpuBackend& backend) {
  constexpr int launches = 200;
  constexpr int rounds = 400;
  const gpu::GpuDevice& device = *must(gpu::GpuDevice::open(device_kind));
  const gpu::DriverFunctions& f = device.functions();
  const KernelDefinition kernel = kernel_named("axpy_inplace");
  const Sizes sizes = {{"n", 1}};
  const Tensors tensors(backend, kernel, sizes, 0);
  Tuner tuner(backend, {});
  TunedKernel tuned = must(tuner.bind(request_for(kernel, sizes)));
  const CallReport report = must(tuned.call(tensors.arguments()));
  const Artifact artifact = must(backend.compile(
      {&kernel, {DType::f32, DType::f32}, *report.winner, device.arch(), {}, sizes}));
  const gpu::GpuArtifact read = must(gpu::unpack(artifact));
  gpu::ModuleHandle module = nullptr;
  gpu::Function function = nullptr;
  must(device.driver().check(f.module_load(&module, read.code.data()), "load"));
  must(device.driver().check(f.module_function(&function, module, read.entry.c_str()), "find"));
  // The parameters once, as somebody does who launches by hand; their content matters to nobody.
  struct Parameter {
    const std::byte* first;
    std::int64_t shape[max_rank], strides[max_rank];
    std::int32_t dimensions, dtype;
  };
  std::vector<Parameter> parameters(2, {tensors.views()[0].data, {1}, {1}, 1, 1});
  float alpha = 1;
  std::vector<void*> pointers = {&parameters[0], &parameters[1], &alpha};
  gpu::StreamHandle stream = nullptr;
  constexpr unsigned non_blocking = 1;
  must(device.driver().check(f.stream_create(&stream, non_blocking), "stream"));
  const auto threads = static_cast<unsigned>(read.shape.threads[0]);
  const LaunchArguments arguments = tensors.arguments(stream);
  const std::unique_ptr<Module> loaded = must(backend.load(artifact));
  std::vector<double> raw, asked, launched, hit;
  for (int round = 0; round < rounds; ++round) {
    const auto measure = [&](std::vector<double>& samples, auto&& launch) {
      const auto from = Clock::now();
      for (int i = 0; i < launches; ++i)
        launch();
      samples.push_back(microseconds(Clock::now() - from) / launches);
      (void)f.stream_synchronize(stream);
    };
    measure(raw, [&] {
      (void)f.launch(function, 1, 1, 1, threads, 1, 1, 0, stream, pointers.data(), nullptr);
    });
    // What a launch costs that asks for the thread's context before, as a tuned one does.
    measure(asked, [&] {
      gpu::Context current = nullptr;
      (void)f.current_context(&current);
      (void)f.launch(function, 1, 1, 1, threads, 1, 1, 0, stream, pointers.data(), nullptr);
    });
    // The same by hand with the project's module: what the tuner adds is the rest.
    measure(launched, [&] { (void)loaded->launch(arguments); });
    measure(hit, [&] { (void)tuned.call(arguments); });
  }
  const auto of_raw = [&](const std::vector<double>& samples) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < raw.size(); ++i)
      ratios.push_back(samples[i] / raw[i]);
    return median(ratios);
  };
  return {{"raw_us", median(raw)},
          {"hit_us", median(hit)},
          {"ratio", of_raw(hit)},
          {"asked_us", median(asked)},
          {"asked_ratio", of_raw(asked)},
          {"launched_us", median(launched)},
          {"launched_ratio", of_raw(launched)}};
}

// When the configs of a tuning were compiled.
class WatchesCompiles : public TunerObserver {
 public:
  void on_compiled(const Key&, const Config&, const Artifact&) override { last = Clock::now(); }
  Clock::time_point last;
};

// A tuning of eight configs with an empty cache, compiles included, in a process that has a
// context and its tensors.
Json tune(const GpuBackend& backend, const std::filesystem::path& folder) {
  const KernelDefinition kernel = kernel_named("axpy_inplace");
  const Sizes sizes = {{"n", 1 << 24}};
  const Tensors tensors(backend, kernel, sizes, 0);
  TuneRequest request = request_for(kernel, sizes);
  request.space = {{{"block", {128, 256, 512, 1024}}, {"unroll", {1, 4}}}, ""};
  TunerOptions options;
  options.cache_folder = folder;
  options.compile_jobs = 0;
  TunerParts parts = TunerParts::standard();
  const auto watch = std::make_shared<WatchesCompiles>();
  parts.observer = watch;
  const auto from = Clock::now();
  Tuner tuner(backend, options, std::move(parts));
  TunedKernel tuned = must(tuner.bind(request));
  const auto bound = Clock::now();
  const CallReport report = must(tuned.call(tensors.arguments()));
  must(backend.memory().wait());
  const auto end = Clock::now();
  Json medians = Json::object();
  for (const Trial& trial : report.trials)
    medians[to_string(trial.config)] =
        trial.failure.empty() ? Json(trial.median_ns / 1e3) : Json(trial.failure);
  int reps = 0;
  for (const Trial& trial : report.trials)
    reps += trial.reps;
  Json figures = {{"wall_ms", microseconds(end - from) / 1e3},
                  {"bind_ms", microseconds(bound - from) / 1e3},
                  {"compiled_ms", microseconds(watch->last - from) / 1e3},
                  {"reps", reps},
                  {"configs", report.trials.size()},
                  {"winner", to_string(*report.winner)}};
  figures["flush_share"] = report.flush_share;
  figures["snapshot_bytes"] = report.snapshot_bytes;
  figures["device_state"] = report.device_state;
  figures["medians_us"] = medians;
  return figures;
}

double since(double started_s) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count() - started_s * 1e3;
}

// From the start of the process, by the clock of whoever started it, to a context.
Json context(double started_s) {
  (void)must(gpu::GpuDevice::open(device_kind));
  return {{"since_start_ms", since(started_s)}};
}

// An f32 tensor whose content costs nothing to speak of.
class Numbers {
 public:
  Numbers(const Backend& backend, std::int64_t count, float step)
      : m_backend(backend),
        m_layout(Layout::contiguous(std::array{count})),
        m_block(must(backend.memory().allocate(static_cast<std::size_t>(count) * sizeof(float)))) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = step * static_cast<float>(i % 64);
    const TensorView host{reinterpret_cast<std::byte*>(values.data()), DType::f32, m_layout};
    backend.memory().copy_from_host(host, view());
  }
  [[nodiscard]] TensorView view() const { return {m_block.data(), DType::f32, m_layout}; }
  [[nodiscard]] double last() const {
    const auto before = static_cast<std::ptrdiff_t>(m_layout.count() - 1);
    const TensorView last{m_block.data() + before * static_cast<std::ptrdiff_t>(sizeof(float)),
                          DType::f32, Layout::contiguous(std::array{std::int64_t{1}})};
    return to_doubles(must(m_backend.memory().on_host(last)).view).front();
  }

 private:
  const Backend& m_backend;
  Layout m_layout;
  MemoryBlock m_block;
};

// The same to the first right result of a kernel whose winner is on disk (the first run tunes).
Json first(const GpuBackend& backend, const std::filesystem::path& folder, double started_s) {
  const KernelDefinition kernel = kernel_named("axpy_inplace");
  constexpr std::int64_t n = 65536;
  (void)must(gpu::GpuDevice::open(device_kind));
  const double with_context = since(started_s);
  const Numbers x(backend, n, 0.5F);
  const Numbers y(backend, n, 0.25F);
  const std::vector<TensorView> tensors = {x.view(), y.view()};
  const double x_before = x.last();
  const double y_before = y.last();
  std::vector<Scalar> scalars;
  for (const ScalarParameter& scalar : kernel.scalars)
    scalars.push_back({scalar.dtype, scalar.value});
  const double with_tensors = since(started_s);
  TunerOptions options;
  options.cache_folder = folder;
  options.compile_jobs = 0;
  Tuner tuner(backend, options);
  TunedKernel tuned = must(tuner.bind(request_for(kernel, {{"n", n}})));
  const double with_kernel = since(started_s);
  const CallReport report = must(tuned.call({tensors, scalars, nullptr, &backend.memory()}));
  const double called = since(started_s);
  const double result = y.last();
  const double done = since(started_s);
  const double expected = y_before + kernel.scalars[0].value * x_before;
  return {{"since_start_ms", done},
          {"context_ms", with_context},
          {"tensors_ms", with_tensors},
          {"bound_ms", with_kernel},
          {"called_ms", called},
          {"cache", name_of(report.cache)},
          {"right", std::abs(result - expected) <= 1e-5 * (1 + std::abs(expected))}};
}

// The least memory of the device that was free while this object lives. All processes count: the
// process that runs trials has a context of its own. Nothing else may run on the device.
class LeastFree {
 public:
  explicit LeastFree(const gpu::GpuDevice& device)
      : m_device(device), m_least(now()), m_thread([this](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            m_least = std::min(m_least.load(), now());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }) {}
  [[nodiscard]] std::size_t now() const {
    std::size_t free = 0;
    std::size_t all = 0;
    (void)m_device.context();
    must(m_device.driver().check(m_device.functions().memory_info(&free, &all), "memory"));
    return free;
  }
  // Ends the watching.
  std::size_t least() {
    m_thread = {};
    return m_least;
  }

 private:
  const gpu::GpuDevice& m_device;
  std::atomic<std::size_t> m_least;
  std::jthread m_thread;
};

// A cold tuning of a kernel as it is in its file; with its memory, times are not to be used.
Json tuning(const GpuBackend& backend, const std::string& name, const std::string& size,
            const std::filesystem::path& folder, bool with_memory) {
  const KernelDefinition kernel = kernel_named(name);
  if (!kernel.sizes.contains(size)) stop(name + " has no size " + size);
  const Sizes& sizes = kernel.sizes.at(size);
  const gpu::GpuDevice& device = *must(gpu::GpuDevice::open(device_kind));
  const Tensors tensors(backend, kernel, sizes, 0);
  TunerOptions options;
  options.cache_folder = folder;
  options.compile_jobs = 0;
  std::optional<LeastFree> watched;
  if (with_memory) watched.emplace(device);
  const std::size_t before = watched ? watched->now() : 0;
  const auto from = Clock::now();
  Tuner tuner(backend, options);
  TunedKernel tuned = must(tuner.bind(request_for(kernel, sizes)));
  const CallReport report = must(tuned.call(tensors.arguments()));
  must(backend.memory().wait());
  const auto end = Clock::now();
  std::size_t failed = 0;
  for (const Trial& trial : report.trials)
    failed += trial.failure.empty() ? 0U : 1U;
  Json figures = {{"kernel", name},
                  {"wall_ms", microseconds(end - from) / 1e3},
                  {"configs", report.trials.size()},
                  {"failed", failed},
                  {"winner", to_string(*report.winner)}};
  if (!watched) return figures;
  const std::size_t after = watched->now();
  std::size_t bytes = 0;
  for (const TensorView& view : tensors.views())
    bytes += static_cast<std::size_t>(view.layout.count()) * size_of(view.dtype);
  figures["tensors_bytes"] = bytes;
  figures["copies_bytes"] = report.snapshot_bytes;
  figures["peak_bytes"] = before - std::min(before, watched->least());
  figures["left_bytes"] = before - std::min(before, after);
  return figures;
}

// What another tuner needs to tune the same: sizes, arguments and configs. Needs no device.
Json space(const std::string& name) {
  const KernelDefinition kernel = kernel_named(name);
  const Sizes& sizes = kernel.sizes.at("full");
  const TuneRequest request = request_for(kernel, sizes);
  Json figures = {{"kernel", name}, {"sizes", sizes}};
  const std::vector<DType> dtypes = kernel.variant(0);
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    figures["tensors"].push_back({{"name", kernel.tensors[i].name},
                                  {"dtype", name_of(dtypes[i])},
                                  {"shape", must(kernel.shape_of(kernel.tensors[i], sizes))}});
  figures["scalars"] = Json::object();
  for (const ScalarParameter& scalar : kernel.scalars)
    figures["scalars"][scalar.name] = scalar.value;
  for (const Config& config : must(request.space.enumerate(to_variables(request.sizes))))
    figures["configs"].push_back(config);
  return figures;
}

// The winners of fresh tunings, one after the other; for comparing with and without an observer.
Json winners(const GpuBackend& backend, const std::string& name, std::int64_t n, int times) {
  const KernelDefinition kernel = kernel_named(name);
  const Sizes sizes = n > 0 ? Sizes{{"n", n}} : kernel.sizes.at("full");
  const Tensors tensors(backend, kernel, sizes, 0);
  TunerOptions options;
  options.compile_jobs = 0;
  Json tunings = Json::array();
  for (int i = 0; i < times; ++i) {
    Tuner tuner(backend, options);
    TunedKernel tuned = must(tuner.bind(request_for(kernel, sizes)));
    const CallReport report = must(tuned.call(tensors.arguments()));
    must(backend.memory().wait());
    Json medians = Json::object();
    for (const Trial& trial : report.trials)
      if (trial.failure.empty()) medians[to_string(trial.config)] = trial.median_ns / 1e3;
    tunings.push_back({{"winner", to_string(*report.winner)}, {"medians_us", medians}});
  }
  return {{"tunings", tunings}};
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("What the reference tuner costs and gains on a GPU");
  app.require_subcommand(1);
  std::string folder, kernel = "axpy_inplace", size = "full", sizes;
  double started_s = 0;
  std::int64_t rows = 8192, cols = 8192;
  app.add_subcommand("dispatch", "enqueue cost of a tuned hit against cuLaunchKernel");
  app.add_subcommand("tune", "a cold tuning of eight configs")
      ->add_option("--cache", folder)
      ->required();
  app.add_subcommand("context", "from the process's start to a context")
      ->add_option("--started", started_s, "seconds since 1970")
      ->required();
  auto* const first_command = app.add_subcommand("first", "the same to the first right result");
  first_command->add_option("--started", started_s)->required();
  first_command->add_option("--cache", folder)->required();
  auto* const bandwidth_command =
      app.add_subcommand("bandwidth", "fused_add_rmsnorm against a copy");
  bandwidth_command->add_option("--rows", rows);
  bandwidth_command->add_option("--cols", cols);
  std::int64_t n = 0;
  int times = 1;
  auto* const winners_command = app.add_subcommand("winners", "the winners of fresh tunings");
  winners_command->add_option("--kernel", kernel);
  winners_command->add_option("--n", n,
                              "its size, where it has no other; the full one if not given");
  winners_command->add_option("--times", times, "tunings");
  bool with_memory = false;
  auto* const tuning_command = app.add_subcommand("tuning", "a cold tuning of a kernel");
  tuning_command->add_option("--kernel", kernel);
  tuning_command->add_option("--size", size, "one of its file's; full if not given");
  tuning_command->add_option("--cache", folder)->required();
  tuning_command->add_flag("--memory", with_memory, "of the device's memory");
  app.add_subcommand("space", "what a tuning of a kernel tries, for other tuners")
      ->add_option("--kernel", kernel);
  bool is_hip = false;
  app.add_flag("--hip", is_hip, "on HIP instead of CUDA");
  std::size_t variant = 0;
  int rounds = 50;
  auto* const kernel_command =
      app.add_subcommand("kernel", "every config of a kernel against a copy of as many bytes");
  kernel_command->add_option("--kernel", kernel);
  kernel_command->add_option("--variant", variant, "number of its combination of dtypes, from 0");
  kernel_command->add_option("--size", size);
  kernel_command->add_option("--sizes", sizes, "other numbers: rows=8192,cols=8192");
  kernel_command->add_option("--rounds", rounds, "launches of each config");
  CLI11_PARSE(app, count, arguments);
  if (is_hip) device_kind = DeviceKind::hip;
  if (app.got_subcommand("space")) {
    std::printf("%s\n", space(kernel).dump().c_str());
    return 0;
  }
  const GpuBackend backend(device_kind);
  const std::string command = app.get_subcommands().front()->get_name();
  Json figures;
  if (command == "dispatch") figures = dispatch(backend);
  if (command == "tune") figures = tune(backend, folder);
  if (command == "context") figures = context(started_s);
  if (command == "first") figures = first(backend, folder, started_s);
  if (command == "bandwidth") figures = bandwidth(backend, rows, cols);
  if (command == "tuning") figures = tuning(backend, kernel, size, folder, with_memory);
  if (command == "kernel") {
    const KernelDefinition named = kernel_named(kernel);
    figures = kernel_times(backend, named, sizes_of(named, size, sizes), variant, rounds);
  }
  if (command == "winners") figures = winners(backend, kernel, n, times);
  std::printf("%s\n", figures.dump().c_str());
  return 0;
}
