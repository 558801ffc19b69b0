// tunecheck-gpu-figures: what the reference tuner costs and gains on a GPU. Each command prints one
// JSON object; ci/device runs them and puts the figures beside those of other tuners.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
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
using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "tunecheck-gpu-figures: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) stop(result.error().text());
  return std::move(*result);
}

void must(const Result<void>& result) {
  if (!result) stop(result.error().text());
}

double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Device tensors of a kernel, with contents as its file says.
class Tensors {
 public:
  Tensors(const Backend& backend, const KernelDefinition& kernel, const Sizes& sizes,
          std::size_t variant)
      : m_backend(backend) {
    const std::vector<DType> dtypes = kernel.variant(variant);
    for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
      const Layout layout = Layout::contiguous(must(kernel.shape_of(kernel.tensors[i], sizes)));
      const auto bytes = static_cast<std::size_t>(layout.count()) * size_of(dtypes[i]);
      m_blocks.push_back(must(backend.memory().allocate(bytes)));
      m_views.push_back({m_blocks.back().data(), dtypes[i], layout});
      std::vector<std::byte> content(bytes);
      const TensorView host{content.data(), dtypes[i], layout};
      apply_fill(must(kernel.fill_of(kernel.tensors[i], sizes)), 1, kernel.tensors[i].name, host);
      backend.memory().copy_from_host(host, m_views.back());
    }
    for (const ScalarParameter& scalar : kernel.scalars)
      m_scalars.push_back({scalar.dtype, scalar.value});
    must(backend.memory().wait());
  }
  [[nodiscard]] LaunchArguments arguments(Stream stream = nullptr) const {
    return {m_views, m_scalars, stream, &m_backend.memory()};
  }
  [[nodiscard]] const std::vector<TensorView>& views() const { return m_views; }

 private:
  const Backend& m_backend;
  std::vector<MemoryBlock> m_blocks;
  std::vector<TensorView> m_views;
  std::vector<Scalar> m_scalars;
};

KernelDefinition kernel_named(const std::string& name) {
  return must(read_kernel(find_resources().kernels / name));
}

TuneRequest request_for(const KernelDefinition& kernel, const Sizes& sizes) {
  TuneRequest request = TuneRequest::of(kernel, "full");
  request.sizes = sizes;
  return request;
}

// What cuLaunchKernel costs and what a tuned call on a hit costs, in turn and never so many at once
// that the device's queue is full.
Json dispatch(const GpuBackend& backend) {
  constexpr int launches = 200;
  constexpr int rounds = 400;
  const gpu::GpuDevice& device = *must(gpu::GpuDevice::open(DeviceKind::cuda));
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
  std::vector<double> raw, hit;
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
    measure(hit, [&] { (void)tuned.call(arguments); });
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < raw.size(); ++i)
    ratios.push_back(hit[i] / raw[i]);
  return {{"raw_us", median(raw)}, {"hit_us", median(hit)}, {"ratio", median(ratios)}};
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
  (void)must(gpu::GpuDevice::open(DeviceKind::cuda));
  return {{"since_start_ms", since(started_s)}};
}

// The same to the first right result of a kernel whose winner is on disk (the first run tunes).
Json first(const GpuBackend& backend, const std::filesystem::path& folder, double started_s) {
  const KernelDefinition kernel = kernel_named("axpy_inplace");
  const Sizes sizes = {{"n", 65536}};
  (void)must(gpu::GpuDevice::open(DeviceKind::cuda));
  const double with_context = since(started_s);
  const Tensors tensors(backend, kernel, sizes, 0);
  const double with_tensors = since(started_s);
  TunerOptions options;
  options.cache_folder = folder;
  options.compile_jobs = 0;
  Tuner tuner(backend, options);
  TunedKernel tuned = must(tuner.bind(request_for(kernel, sizes)));
  const double with_kernel = since(started_s);
  const double x = to_doubles(must(backend.memory().on_host(tensors.views()[0])).view).back();
  const double y = to_doubles(must(backend.memory().on_host(tensors.views()[1])).view).back();
  const CallReport report = must(tuned.call(tensors.arguments()));
  const double result = to_doubles(must(backend.memory().on_host(tensors.views()[1])).view).back();
  const double done = since(started_s);
  const double expected = y + kernel.scalars[0].value * x;
  return {{"since_start_ms", done},
          {"context_ms", with_context},
          {"tensors_ms", with_tensors},
          {"bound_ms", with_kernel},
          {"cache", name_of(report.cache)},
          {"right", std::abs(result - expected) <= 1e-5 * (1 + std::abs(expected))}};
}

// A copy on the device that reads and writes `bytes` in all, with cold caches.
class Copy {
 public:
  Copy(const Backend& backend, double bytes)
      : m_half(static_cast<std::size_t>(bytes / 2)),
        m_from(must(backend.memory().allocate(m_half))),
        m_to(must(backend.memory().allocate(m_half))) {
    const gpu::DriverFunctions& f = m_device.functions();
    must(m_device.driver().check(f.event_create(&m_start, 0), "event"));
    must(m_device.driver().check(f.event_create(&m_end, 0), "event"));
  }
  double time_us() const {
    const gpu::DriverFunctions& f = m_device.functions();
    const auto address = [](const MemoryBlock& block) {
      return reinterpret_cast<gpu::Address>(block.data());
    };
    (void)m_device.flush_l2(nullptr);
    (void)f.event_record(m_start, nullptr);
    (void)f.copy(address(m_to), address(m_from), m_half, nullptr);
    (void)f.event_record(m_end, nullptr);
    must(m_device.driver().check(f.event_synchronize(m_end), "copy"));
    float ms = 0;
    (void)f.event_elapsed(&ms, m_start, m_end);
    return double{ms} * 1e3;
  }

 private:
  const gpu::GpuDevice& m_device = *must(gpu::GpuDevice::open(DeviceKind::cuda));
  std::size_t m_half;
  MemoryBlock m_from, m_to;
  gpu::Event m_start = nullptr, m_end = nullptr;
};

// Bytes a second of fused_add_rmsnorm's winner and of a copy on the device, both with cold caches.
Json bandwidth(const GpuBackend& backend, std::int64_t rows, std::int64_t cols) {
  constexpr int reps = 50;
  const gpu::GpuDevice& device = *must(gpu::GpuDevice::open(DeviceKind::cuda));
  const KernelDefinition kernel = kernel_named("fused_add_rmsnorm");
  const Sizes sizes = {{"rows", rows}, {"cols", cols}};
  constexpr std::size_t bf16_variant = 1;
  const Tensors tensors(backend, kernel, sizes, bf16_variant);
  Tuner tuner(backend, {});
  TunedKernel tuned = must(tuner.bind(request_for(kernel, sizes)));
  const CallReport report = must(tuned.call(tensors.arguments()));
  const Artifact artifact = must(backend.compile(
      {&kernel, kernel.variant(bf16_variant), *report.winner, device.arch(), {}, sizes}));
  const auto module = must(backend.load(artifact));
  const double bytes = must(kernel.bytes_for(sizes, kernel.variant(bf16_variant)));
  const Copy copy(backend, bytes);  // reads and writes as much in all
  std::vector<double> copies, kernels, ratios;
  for (int rep = 0; rep < reps; ++rep) {
    copies.push_back(bytes / copy.time_us() / 1e6);
    const TimedLaunch launch = module->timed_launch(tensors.arguments());
    if (launch.status != 0) stop(backend.describe(launch.status));
    kernels.push_back(bytes / static_cast<double>(launch.elapsed_ns) / 1e3);
    ratios.push_back(kernels.back() / copies.back());
  }
  Json medians = Json::object();
  for (const Trial& trial : report.trials)
    medians[to_string(trial.config)] =
        trial.failure.empty() ? Json(trial.median_ns / 1e3) : Json(trial.failure);
  return {{"copy_TBps", median(copies)},
          {"winner_TBps", median(kernels)},
          {"share_of_copy", median(ratios)},
          {"winner", to_string(*report.winner)},
          {"medians_us", medians}};
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

// "rows=8192,cols=8192" over the sizes of that name.
Sizes sizes_of(const KernelDefinition& kernel, const std::string& name, const std::string& others) {
  const auto found = kernel.sizes.find(name);
  if (found == kernel.sizes.end()) stop(kernel.name + " has no size " + name);
  Sizes sizes = found->second;
  std::istringstream words(others);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t equals = word.find('=');
    const std::string size = word.substr(0, equals);
    if (equals == std::string::npos || !sizes.contains(size))
      stop("\"" + word + "\": expected NAME=NUMBER with a name of " + kernel.name + "'s sizes");
    sizes[size] = std::stoll(word.substr(equals + 1));
  }
  return sizes;
}

// The tensors that each launch finds as they were: restored or zeroed.
class Initial {
 public:
  Initial(const Backend& backend, const KernelDefinition& kernel, const Tensors& tensors)
      : m_memory(backend.memory()) {
    for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
      const TensorView& view = tensors.views()[i];
      if (kernel.resets(kernel.tensors[i].name)) m_zeroed.push_back(view);
      if (!kernel.restores(kernel.tensors[i].name)) continue;
      const auto bytes = static_cast<std::size_t>(view.layout.count()) * size_of(view.dtype);
      m_blocks.push_back(must(m_memory.allocate(bytes)));
      const TensorView copy{m_blocks.back().data(), view.dtype, view.layout};
      m_memory.copy_elements(view, copy);
      m_restored.emplace_back(copy, view);
    }
    must(m_memory.wait());
  }
  void put_back() const {
    for (const auto& [from, to] : m_restored)
      m_memory.copy_elements(from, to);
    for (const TensorView& view : m_zeroed)
      m_memory.fill_zero(view);
  }

 private:
  const TensorMemory& m_memory;
  std::vector<MemoryBlock> m_blocks;
  std::vector<std::pair<TensorView, TensorView>> m_restored;
  std::vector<TensorView> m_zeroed;
};

// Every config of a kernel and a copy of as many bytes, in turn, all with cold caches.
Json kernel_times(const GpuBackend& backend, const KernelDefinition& kernel, const Sizes& sizes,
                  std::size_t variant, int rounds) {
  if (variant >= kernel.variants()) stop(kernel.name + " has no such variant");
  const gpu::GpuDevice& device = *must(gpu::GpuDevice::open(DeviceKind::cuda));
  const Tensors tensors(backend, kernel, sizes, variant);
  const Initial initial(backend, kernel, tensors);
  const double bytes = must(kernel.bytes_for(sizes, kernel.variant(variant)));
  const Copy copy(backend, bytes);
  std::vector<CompileRequest> requests;
  for (const Config& config : must(kernel.space.enumerate(to_variables(sizes))))
    requests.push_back({&kernel, kernel.variant(variant), config, device.arch(), {}, sizes});
  const auto artifacts = backend.compile_all(requests, 0);
  std::vector<std::unique_ptr<Module>> modules;
  for (const auto& artifact : artifacts)
    modules.push_back(must(backend.load(must(artifact))));
  std::vector<double> copies;
  std::vector<std::vector<double>> times(modules.size());
  for (int round = 0; round < rounds; ++round) {
    copies.push_back(copy.time_us());
    for (std::size_t i = 0; i < modules.size(); ++i) {
      initial.put_back();
      const TimedLaunch launch = modules[i]->timed_launch(tensors.arguments());
      if (launch.status != 0)
        stop(to_string(requests[i].config) + ": " + backend.describe(launch.status));
      times[i].push_back(static_cast<double>(launch.elapsed_ns) / 1e3);
    }
  }
  const double copy_us = median(copies);
  Json configs = Json::object();
  std::size_t best = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    configs[to_string(requests[i].config)] = {{"us", median(times[i])},
                                              {"share_of_copy", copy_us / median(times[i])}};
    if (median(times[i]) < median(times[best])) best = i;
  }
  Json dtypes = Json::object();
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    dtypes[kernel.tensors[i].name] = name_of(tensors.views()[i].dtype);
  return {{"kernel", kernel.name},
          {"sizes", sizes},
          {"dtypes", dtypes},
          {"bytes", bytes},
          {"copy_us", copy_us},
          {"device_state", backend.device_state()},
          {"best", to_string(requests[best].config)},
          {"best_us", median(times[best])},
          {"best_share_of_copy", copy_us / median(times[best])},
          {"configs", configs}};
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
  const GpuBackend backend(DeviceKind::cuda);
  const std::string command = app.get_subcommands().front()->get_name();
  Json figures;
  if (command == "dispatch") figures = dispatch(backend);
  if (command == "tune") figures = tune(backend, folder);
  if (command == "context") figures = context(started_s);
  if (command == "first") figures = first(backend, folder, started_s);
  if (command == "bandwidth") figures = bandwidth(backend, rows, cols);
  if (command == "kernel") {
    const KernelDefinition named = kernel_named(kernel);
    figures = kernel_times(backend, named, sizes_of(named, size, sizes), variant, rounds);
  }
  if (command == "winners") figures = winners(backend, kernel, n, times);
  std::printf("%s\n", figures.dump().c_str());
  return 0;
}
