// How fast kernels of the project are beside a copy of as many bytes.
#include <sstream>
#include <utility>

#include "backend/gpu/driver/device.hpp"
#include "core/device_kinds.hpp"
#include "gpu_figures.hpp"

namespace tunecheck::figures {
namespace {

// A copy on the device that reads and writes `bytes` in all, with cold caches.
class Copy {
 public:
  Copy(const gpu::GpuDevice& device, const Backend& backend, double bytes)
      : m_device(device),
        m_half(static_cast<std::size_t>(bytes / 2)),
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
  const gpu::GpuDevice& m_device;
  std::size_t m_half;
  MemoryBlock m_from, m_to;
  gpu::Event m_start = nullptr, m_end = nullptr;
};

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

}  // namespace

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
  const Copy copy(device, backend, bytes);  // reads and writes as much in all
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

Json kernel_times(const GpuBackend& backend, const KernelDefinition& kernel, const Sizes& sizes,
                  std::size_t variant, int rounds) {
  if (variant >= kernel.variants()) stop(kernel.name + " has no such variant");
  const gpu::GpuDevice& device = *must(gpu::GpuDevice::open(DeviceKind::cuda));
  const Tensors tensors(backend, kernel, sizes, variant);
  const Initial initial(backend, kernel, tensors);
  const double bytes = must(kernel.bytes_for(sizes, kernel.variant(variant)));
  const Copy copy(device, backend, bytes);
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

}  // namespace tunecheck::figures
