#include "tune_once.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/cpu/cpu_backend.hpp"
#include "core/files.hpp"
#include "core/fill.hpp"
#include "core/resources.hpp"
#include "must.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Artifacts that lie in a folder, by their configs.
class StoredArtifacts final : public Backend {
 public:
  explicit StoredArtifacts(fs::path folder) : m_folder(std::move(folder)) {}

  DeviceKind kind() const override { return m_cpu.kind(); }
  Result<std::string> resolve_arch(std::string_view requested) const override {
    return m_cpu.resolve_arch(requested);
  }
  Result<std::string> toolchain_fingerprint() const override {
    return m_cpu.toolchain_fingerprint();
  }
  Result<KernelSources> sources(const KernelDefinition& kernel) const override {
    return m_cpu.sources(kernel);
  }
  std::vector<std::string> environment_variables() const override {
    return m_cpu.environment_variables();
  }
  Result<Artifact> compile(const CompileRequest& request) const override {
    TUNECHECK_TRY(auto bytes, read_binary_file(artifact_file(m_folder, request.config)));
    return Artifact{std::move(bytes)};
  }
  Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override {
    return m_cpu.load(artifact);
  }

 private:
  CpuBackend m_cpu;
  fs::path m_folder;
};

// Writes down what the clock said of each look, in order.
class Recorder final : public TunerObserver {
 public:
  void on_measured(const Config& config, const TrialRecord& record) override {
    const auto end = record.elapsed_ns.end();
    m_looks.push_back(
        {{"config", to_string(config)},
         {"began_ns", record.began_ns},
         {"ended_ns", record.ended_ns},
         {"elapsed_ns", std::vector<std::int64_t>(record.elapsed_ns.begin(),
                                                  record.elapsed_ns.begin() + record.samples)},
         {"interrupted_ns", std::vector<std::int64_t>(end - record.interrupted, end)}});
  }
  [[nodiscard]] const Json& looks() const { return m_looks; }

 private:
  Json m_looks = Json::array();
};

}  // namespace

KernelDefinition kernel_named(const std::string& name) {
  return must(read_kernel(find_resources().kernels / name));
}

fs::path artifact_file(const fs::path& folder, const Config& config) {
  return folder / to_string(config);
}

std::vector<Config> compile_once(const KernelDefinition& kernel, const fs::path& folder) {
  must(create_folders(folder));
  const CpuBackend backend;
  const Sizes& sizes = kernel.sizes.at(tuned_size);
  std::vector<Config> configs = must(kernel.space.enumerate(to_variables(sizes)));
  const std::string arch = must(backend.resolve_arch("native"));
  std::vector<CompileRequest> requests;
  for (const Config& config : configs)
    requests.push_back({&kernel, kernel.variant(0), config, arch, {}, sizes});
  auto artifacts = backend.compile_all(requests, 0);
  for (std::size_t i = 0; i < configs.size(); ++i)
    must(write_file(artifact_file(folder, configs[i]), must(std::move(artifacts[i])).bytes));
  return configs;
}

CallerTensors::CallerTensors(KernelDefinition kernel) : m_kernel(std::move(kernel)) {
  const Sizes& sizes = m_kernel.sizes.at(tuned_size);
  const std::vector<DType> dtypes = m_kernel.variant(0);
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    const TensorParameter& tensor = m_kernel.tensors[i];
    const Layout layout = Layout::contiguous(must(m_kernel.shape_of(tensor, sizes)));
    const auto bytes = static_cast<std::size_t>(layout.count()) * size_of(dtypes[i]);
    m_blocks.push_back(must(host_memory().allocate(bytes)));
    m_views.push_back({m_blocks.back().data(), dtypes[i], layout});
    apply_fill(must(m_kernel.fill_of(tensor, sizes)), 1, tensor.name, m_views.back());
  }
  for (const ScalarParameter& scalar : m_kernel.scalars)
    m_scalars.push_back({scalar.dtype, scalar.value});
}

void tune_once(const std::string& name, const fs::path& artifacts) {
  const CallerTensors tensors(kernel_named(name));
  const StoredArtifacts backend(artifacts);
  const auto recorder = std::make_shared<Recorder>();
  TunerParts parts = TunerParts::standard();
  parts.observer = recorder;
  Tuner tuner(backend, TunerOptions(), parts);
  TuneRequest request = TuneRequest::of(tensors.kernel(), tuned_size);
  request.arch = "native";
  auto bound = must(tuner.bind(request));
  const auto began = std::chrono::steady_clock::now();
  const CallReport report = must(bound.call(tensors.launch()));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print("{}\n", Json{{"kernel", name},
                          {"winner", to_string(*report.winner)},
                          {"seconds", seconds},
                          {"looks", recorder->looks()}}
                         .dump());
}

}  // namespace tunecheck::bench
