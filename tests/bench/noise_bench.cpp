// tunecheck-noise-bench: does the reference tuner choose well while something disturbs it? Kernels
// are tuned in processes of their own, undisturbed, next to a process that counts on the same core,
// and while a compiler runs on every core. Before and after, the judge's runner times every config
// in many processes: the smallest median of a config counts, as it does for winner.regret. Unlike
// noise_regret there is no adapter and no observer, and everything is compiled once, so that
// hundreds of tunings take minutes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/cpu/cpu_backend.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/fill.hpp"
#include "core/parse_json.hpp"
#include "core/resources.hpp"
#include "harness/kernel/proof_case.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* size_name = "smoke";
constexpr double good_regret = 0.02;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

KernelDefinition kernel_named(const std::string& name) {
  return must(read_kernel(find_resources().kernels / name));
}

std::string artifact_file(const fs::path& folder, const Config& config) {
  return (folder / to_string(config)).string();
}

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

// In a process of its own: one tuning, told as one line of JSON.
void tune_once(const std::string& name, const fs::path& artifacts) {
  const KernelDefinition kernel = kernel_named(name);
  const Sizes& sizes = kernel.sizes.at(size_name);
  const std::vector<DType> dtypes = kernel.variant(0);
  const StoredArtifacts backend(artifacts);
  std::vector<MemoryBlock> blocks;
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i) {
    const Layout layout = Layout::contiguous(must(kernel.shape_of(kernel.tensors[i], sizes)));
    const auto bytes = static_cast<std::size_t>(layout.count()) * size_of(dtypes[i]);
    blocks.push_back(must(backend.memory().allocate(bytes)));
    views.push_back({blocks.back().data(), dtypes[i], layout});
    apply_fill(must(kernel.fill_of(kernel.tensors[i], sizes)), 1, kernel.tensors[i].name,
               views.back());
  }
  std::vector<Scalar> scalars;
  for (const ScalarParameter& scalar : kernel.scalars)
    scalars.push_back({scalar.dtype, scalar.value});
  const auto recorder = std::make_shared<Recorder>();
  TunerParts parts = TunerParts::standard();
  parts.observer = recorder;
  Tuner tuner(backend, TunerOptions(), parts);
  TuneRequest request = TuneRequest::of(kernel, size_name);
  request.arch = "native";
  auto bound = must(tuner.bind(request));
  const auto began = std::chrono::steady_clock::now();
  const CallReport report = must(bound.call(LaunchArguments{views, scalars}));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print("{}\n", Json{{"kernel", name},
                          {"winner", to_string(*report.winner)},
                          {"seconds", seconds},
                          {"looks", recorder->looks()}}
                         .dump());
}

// What runs next to the tunings. Ends with the object, and by itself after some minutes.
class Noise {
 public:
  Noise(const std::string& kind, const fs::path& folder, int core) {
    if (kind == "core")
      start(fmt::format("exec timeout 170 taskset -c {} sh -c 'while :; do :; done'", core),
            folder);
    for (unsigned i = 0; kind == "compilers" && i < std::thread::hardware_concurrency(); ++i)
      start("exec timeout 170 sh -c 'while :; do c++ -O2 -c compiled.cpp -o /dev/null; done'",
            folder);
  }

 private:
  void start(const std::string& command, const fs::path& folder) {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", command};
    options.folder = folder;
    m_processes.push_back(must(LineProcess::start(options, folder / "noise.log")));
  }
  std::vector<LineProcess> m_processes;
};

struct Tuned {
  std::string winner;
  double seconds = 0;
  std::string line;
};

// One kernel's artifacts, times and tunings.
class Subject {
 public:
  Subject(const std::string& name, const fs::path& folder)
      : m_kernel(kernel_named(name)), m_folder(folder / name), m_artifacts(m_folder / "artifacts") {
    if (const auto made = create_folders(m_artifacts); !made)
      throw std::runtime_error(made.error().text());
    compile();
  }

  // Adds rounds in which each config is timed by a process of its own.
  void time_all(int rounds) {
    for (int round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < m_configs.size(); ++i) {
        const IsolatedResult result = must(run_isolated(m_runs[i], m_folder));
        m_medians_ns[i].push_back(quantile(result.samples_ns, 0.5));
      }
  }

  // How much slower than the best config each one is, by the rounds in [from, to).
  [[nodiscard]] std::map<std::string, double> regrets(std::size_t from, std::size_t to) const {
    std::vector<double> least_ns;
    for (const std::vector<double>& medians : m_medians_ns)
      least_ns.push_back(*std::min_element(medians.begin() + static_cast<std::ptrdiff_t>(from),
                                           medians.begin() + static_cast<std::ptrdiff_t>(to)));
    const double best_ns = *std::min_element(least_ns.begin(), least_ns.end());
    std::map<std::string, double> regrets;
    for (std::size_t i = 0; i < m_configs.size(); ++i)
      regrets[to_string(m_configs[i])] = least_ns[i] / best_ns - 1;
    return regrets;
  }
  [[nodiscard]] std::size_t rounds() const { return m_medians_ns.front().size(); }

  // pinned: to that core.
  [[nodiscard]] Tuned tune(std::optional<int> core) const {
    CommandOptions options;
    if (core) options.arguments = {"taskset", "-c", std::to_string(*core)};
    for (const std::string& each :
         {fs::read_symlink("/proc/self/exe").string(), std::string("--tune-once"),
          m_artifacts.string(), m_kernel.name})
      options.arguments.push_back(each);
    const CommandResult result = must(run_command(options));
    if (!result.end.success()) throw std::runtime_error(result.output);
    const Json told = parse_json<Json>(result.output);
    return {told.at("winner").get<std::string>(), told.at("seconds").get<double>(), result.output};
  }

 private:
  void compile() {
    const CpuBackend backend;
    const Sizes& sizes = m_kernel.sizes.at(size_name);
    m_configs = must(m_kernel.space.enumerate(to_variables(sizes)));
    ProofChoice choice{size_name};
    choice.aligned = true;
    const ProofCase arguments = must(ProofCase::make(m_kernel, choice, 1, m_folder / "tensors"));
    const std::string arch = must(backend.resolve_arch("native"));
    std::vector<CompileRequest> requests;
    for (const Config& config : m_configs)
      requests.push_back({&m_kernel, arguments.dtypes(), config, arch, {}, sizes});
    auto artifacts = backend.compile_all(requests, 0);
    for (std::size_t i = 0; i < m_configs.size(); ++i) {
      const Artifact artifact = must(std::move(artifacts[i]));
      if (const auto written = write_file(artifact_file(m_artifacts, m_configs[i]), artifact.bytes);
          !written)
        throw std::runtime_error(written.error().text());
      m_runs.push_back(must(arguments.prepare(artifact, {}, i)));
      m_runs.back().measure = true;
      m_runs.back().enough = std::chrono::milliseconds(20);
    }
    m_medians_ns.resize(m_configs.size());
  }

  KernelDefinition m_kernel;
  fs::path m_folder, m_artifacts;
  std::vector<Config> m_configs;
  std::vector<IsolatedRun> m_runs;
  std::vector<std::vector<double>> m_medians_ns;  // of each config, one a round
};

struct Arguments {
  std::vector<std::string> kernels = {"adamw_step",   "amax_history",
                                      "axpy_inplace", "batchnorm_running_stats",
                                      "dft",          "embedding_grad"};
  std::vector<std::string> noises = {"none", "core", "compilers"};
  int tunings = 10;
  int rounds = 12;
  std::string record;
  std::string artifacts;  // of the tuning that this process is for
};

// The regrets of all kernels by the kind of noise.
using Regrets = std::map<std::string, std::vector<double>>;

void report(const std::string& kernel, const std::string& noise, const std::vector<double>& found,
            double seconds) {
  std::vector<double> sorted = found;
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const double regret : sorted)
    text += fmt::format(" {:.1f}", 100 * regret);
  fmt::print("{:26} {:10} {:5.2f} s {}\n", kernel, noise, seconds, text);
  std::fflush(stdout);
}

void measure(const std::string& name, const Arguments& arguments, const fs::path& folder,
             Regrets& all) {
  const int core = static_cast<int>(std::thread::hardware_concurrency()) - 1;
  Subject subject(name, folder);
  subject.time_all((arguments.rounds + 1) / 2);
  const std::size_t half = subject.rounds();
  std::map<std::string, std::vector<Tuned>> tunings;
  for (const std::string& kind : arguments.noises) {
    const Noise noise(kind, folder, core);
    for (int i = 0; i < arguments.tunings; ++i)
      tunings[kind].push_back(
          subject.tune(kind == "core" ? std::optional(core) : std::optional<int>()));
  }
  subject.time_all(arguments.rounds / 2);
  const auto regrets = subject.regrets(0, subject.rounds());
  double unsure = 0;
  if (half < subject.rounds()) {
    const auto first = subject.regrets(0, half), second = subject.regrets(half, subject.rounds());
    for (const auto& [config, regret] : regrets)
      if (regret < 0.1) unsure = std::max(unsure, std::abs(first.at(config) - second.at(config)));
  }
  fmt::print("{}: the regrets of the best configs are sure to {:.1f} %\n", name, 100 * unsure);
  for (const std::string& kind : arguments.noises) {
    std::vector<double> found, seconds;
    for (std::size_t i = 0; i < tunings[kind].size(); ++i) {
      const Tuned& tuned = tunings[kind][i];
      found.push_back(regrets.at(tuned.winner));
      seconds.push_back(tuned.seconds);
      if (!arguments.record.empty() && found.back() > good_regret)
        (void)write_file(fs::path(arguments.record) / fmt::format("{}-{}-{}.json", name, kind, i),
                         std::string_view(tuned.line));
    }
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    report(name, kind, found, seconds[seconds.size() / 2]);
    all[kind].insert(all[kind].end(), found.begin(), found.end());
  }
}

void run(const Arguments& arguments) {
  if (!arguments.artifacts.empty())
    return tune_once(arguments.kernels.front(), arguments.artifacts);
  const TemporaryFolder folder = must(TemporaryFolder::create("tunecheck-noise"));
  if (const auto written = write_file(
          folder.path() / "compiled.cpp",
          std::string_view("#include <regex>\n#include <string>\nbool f(const std::string& s) { "
                           "return std::regex_match(s, std::regex(s)); }\n"));
      !written)
    throw std::runtime_error(written.error().text());
  Regrets all;
  for (const std::string& kernel : arguments.kernels)
    measure(kernel, arguments, folder.path(), all);
  for (const auto& [noise, found] : all) {
    const auto good = std::count_if(found.begin(), found.end(),
                                    [](double regret) { return regret <= good_regret; });
    fmt::print("{}: a regret of at most 2 % in {} of {} tunings, the largest {:.1f} %\n", noise,
               good, found.size(), 100 * *std::max_element(found.begin(), found.end()));
  }
}

}  // namespace
}  // namespace tunecheck::bench

int main(int count, char** values) {
  tunecheck::bench::Arguments arguments;
  CLI::App command("How good is what the reference tuner chooses while something disturbs it?");
  command.add_option("kernels", arguments.kernels, "CPU kernels of tunecheck's own");
  command.add_option("--tunings", arguments.tunings, "Of each kernel next to each noise")
      ->check(CLI::PositiveNumber);
  command.add_option("--rounds", arguments.rounds, "So often the judge times each config")
      ->check(CLI::Range(2, 1000));
  command.add_option("--noise", arguments.noises, "\"none\", \"core\", \"compilers\"")
      ->check(CLI::IsMember({"none", "core", "compilers"}))
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--record", arguments.record, "A folder for the looks of bad tunings")
      ->check(CLI::ExistingDirectory);
  command.add_option("--tune-once", arguments.artifacts)->group("");
  CLI11_PARSE(command, count, values);
  try {
    tunecheck::bench::run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tunecheck-noise-bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
