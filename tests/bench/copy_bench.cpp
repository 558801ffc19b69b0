// tunecheck-copy-bench: how close the CPU kernels come to a copy on one core. For each kernel, at
// size full, it compiles every config, takes the fastest, and then times it and a memcpy in turn.
// The copy moves as many bytes as the kernel must at least: each byte that is read once plus each
// byte that is written once, the formula `bytes` of the kernel file; half of them are read and half
// are written. The share is the median of the ratios of the rounds. Times are CPU times of the
// process: other processes on the same core do not count, and a kernel with threads counts all of
// them.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/cpu/cpu_backend.hpp"
#include "core/files.hpp"
#include "core/fill.hpp"
#include "core/resources.hpp"

namespace tunecheck::bench {
namespace {

namespace fs = std::filesystem;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

double quantile_of(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

template <class Work>
double process_ms(Work&& work) {
  timespec begin{}, end{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  work();
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  return static_cast<double>(end.tv_sec - begin.tv_sec) * 1e3 +
         static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e6;
}

// A kernel's arguments, filled as the kernel file says.
class Arguments {
 public:
  Arguments(const KernelDefinition& kernel, const Sizes& sizes, const Backend& backend)
      : m_dtypes(kernel.variant(0)) {
    for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
      const TensorParameter& tensor = kernel.tensors[i];
      const Layout layout = Layout::contiguous(must(kernel.shape_of(tensor, sizes)));
      const auto bytes = static_cast<std::size_t>(layout.count()) * size_of(m_dtypes[i]);
      m_blocks.push_back(must(backend.memory().allocate(bytes)));
      m_views.push_back({m_blocks.back().data(), m_dtypes[i], layout});
      apply_fill(must(kernel.fill_of(tensor, sizes)), 1, tensor.name, m_views.back());
      const std::byte* const from = m_blocks.back().data();
      // Else rope, for example, would soon compute with denormal numbers, which takes much longer.
      const bool is_kept = tensor.access != Access::read && tensor.access != Access::write;
      m_kept.emplace_back(from, is_kept ? from + bytes : from);
    }
    for (const ScalarParameter& scalar : kernel.scalars)
      m_scalars.push_back({scalar.dtype, scalar.value});
  }

  void restore() {
    for (std::size_t i = 0; i < m_kept.size(); ++i)
      if (!m_kept[i].empty()) std::memcpy(m_blocks[i].data(), m_kept[i].data(), m_kept[i].size());
  }
  [[nodiscard]] LaunchArguments launch() const { return {m_views, m_scalars}; }
  [[nodiscard]] const std::vector<DType>& dtypes() const { return m_dtypes; }

 private:
  std::vector<DType> m_dtypes;
  std::vector<MemoryBlock> m_blocks;
  std::vector<TensorView> m_views;
  std::vector<std::vector<std::byte>> m_kept;
  std::vector<Scalar> m_scalars;
};

class Copy {
 public:
  Copy(std::size_t bytes, const Backend& backend)
      : m_bytes(bytes / 2),
        m_from(must(backend.memory().allocate(m_bytes))),
        m_to(must(backend.memory().allocate(m_bytes))) {
    std::memset(m_from.data(), 1, m_bytes);
    std::memset(m_to.data(), 1, m_bytes);
  }
  double ms() {
    return process_ms([&] { std::memcpy(m_to.data(), m_from.data(), m_bytes); });
  }

 private:
  std::size_t m_bytes;
  MemoryBlock m_from, m_to;
};

double launch_ms(const Module& module, Arguments& arguments) {
  LaunchStatus status = 0;
  const double ms = process_ms([&] { status = module.launch(arguments.launch()); });
  if (status != 0) throw std::runtime_error(fmt::format("a launch returned {}", status));
  return ms;
}

struct Chosen {
  std::unique_ptr<Module> module;
  std::string config;
};

Chosen fastest_config(const KernelDefinition& kernel, const Sizes& sizes, const CpuBackend& backend,
                      Arguments& arguments) {
  const std::string arch = must(backend.resolve_arch("native"));
  const std::vector<Config> configs = must(kernel.space.enumerate(to_variables(sizes)));
  std::vector<CompileRequest> requests;
  for (const Config& config : configs)
    requests.push_back({&kernel, arguments.dtypes(), config, arch, {}, sizes});
  auto artifacts = backend.compile_all(requests, 0);
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<double> least_ms(configs.size(), 1e300);
  for (auto& artifact : artifacts)
    modules.push_back(must(backend.load(must(std::move(artifact)))));
  constexpr int looks = 4;
  for (int look = 0; look < looks; ++look)
    for (std::size_t i = 0; i < modules.size(); ++i) {
      arguments.restore();
      least_ms[i] = std::min(least_ms[i], launch_ms(*modules[i], arguments));
    }
  const auto best = static_cast<std::size_t>(std::min_element(least_ms.begin(), least_ms.end()) -
                                             least_ms.begin());
  return {std::move(modules[best]), to_string(configs[best])};
}

// The median share of a copy.
double measure(const KernelDefinition& kernel, const std::string& size, int rounds) {
  const CpuBackend backend;
  const Sizes& sizes = kernel.sizes.at(size);
  Arguments arguments(kernel, sizes, backend);
  const auto bytes = static_cast<std::size_t>(must(kernel.bytes_for(sizes, arguments.dtypes())));
  Copy copy(bytes, backend);
  const Chosen chosen = fastest_config(kernel, sizes, backend, arguments);
  std::vector<double> kernel_ms, copy_ms, shares;
  for (int round = 0; round < rounds; ++round) {
    arguments.restore();
    // In this order: the kernel finds the caches as the copy has left them, and not its arguments.
    copy_ms.push_back(copy.ms());
    kernel_ms.push_back(launch_ms(*chosen.module, arguments));
    shares.push_back(copy_ms.back() / kernel_ms.back());
  }
  const double share = quantile_of(shares, 0.5);
  fmt::print("| `{}` | `{}` | {:.1f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} to {:.2f} |\n",
             kernel.name, chosen.config, static_cast<double>(bytes) / 1048576,
             quantile_of(kernel_ms, 0.5), quantile_of(copy_ms, 0.5), share,
             quantile_of(shares, 0.25), quantile_of(shares, 0.75));
  std::fflush(stdout);
  return share;
}

// Without names: those whose kernel file says that memory limits them.
std::vector<KernelDefinition> kernels_named(const std::vector<std::string>& names) {
  const fs::path folder = find_resources().kernels;
  std::vector<KernelDefinition> kernels;
  for (const std::string& name : names)
    kernels.push_back(must(read_kernel(folder / name)));
  if (!names.empty()) return kernels;
  for (const auto& each : fs::directory_iterator(folder)) {
    KernelDefinition kernel = must(read_kernel(each.path()));
    if (kernel.limited_by == LimitedBy::memory && kernel.cpu) kernels.push_back(std::move(kernel));
  }
  std::sort(kernels.begin(), kernels.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return kernels;
}

int run(int count, char** values) {
  std::vector<std::string> names;
  std::string size = "full";
  int rounds = 31;
  double least = 0;
  CLI::App app("Times CPU kernels and a copy of as many bytes in turn, on one core");
  app.add_option("kernels", names, "Without names: the kernels that memory limits");
  app.add_option("--size", size, "The size of the kernels")->capture_default_str();
  app.add_option("--rounds", rounds, "Launches of the kernel, and copies")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--at-least", least, "Status 1 if the share of a kernel is smaller");
  CLI11_PARSE(app, count, values);
  fmt::print(
      "| kernel | config | MiB read and written | kernel, ms | copy, ms | share of a copy | "
      "middle half of the rounds |\n|---|---|---|---|---|---|---|\n");
  int below = 0;
  for (const KernelDefinition& kernel : kernels_named(names))
    if (measure(kernel, size, rounds) < least) ++below;
  return below == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tunecheck::bench

int main(int count, char** values) {
  try {
    return tunecheck::bench::run(count, values);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tunecheck-copy-bench: {}\n", error.what());
    return 1;
  }
}
