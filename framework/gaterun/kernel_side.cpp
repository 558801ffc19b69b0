#include "gaterun/kernel_side.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "backend/all_backends.hpp"
#include "core/in_parallel.hpp"
#include "gaterun/pinning.hpp"
#include "judge/adapter_process.hpp"
#include "judge/record.hpp"
#include "judge/runners.hpp"
#include "judge/scenario_settings.hpp"
#include "observe/evidence.hpp"
#include "observe/launch_counts.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* process_name = "process";
constexpr std::string_view native = "native";  // people run on the machine they have
constexpr int tuning_time_limits = 10;         // of an answer: a tuning is many of them

double nanoseconds_since(Clock::time_point begun) {
  return static_cast<double>(std::chrono::nanoseconds(Clock::now() - begun).count());
}

// Thousands of launches of one process say no more than some middles of them.
std::vector<double> middles(const std::vector<std::int64_t>& samples) {
  constexpr std::size_t most = 25;
  const std::size_t parts = std::min(most, samples.size());
  std::vector<double> all;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::vector<double> part(
        samples.begin() + static_cast<std::ptrdiff_t>(i * samples.size() / parts),
        samples.begin() + static_cast<std::ptrdiff_t>((i + 1) * samples.size() / parts));
    all.push_back(median(part));
  }
  return all;
}

ProcessRun failed(std::string reason) {
  return {{}, std::move(reason)};
}

}  // namespace

// A process that has said hello, or how it failed to.
struct KernelSide::Process {
  Workspace workspace;
  Clock::time_point begun;
  std::optional<AdapterProcess> adapter;
  std::string trouble;
  std::uint64_t evidence_read = 0;

  // The answer to a call, where there is one and the call succeeded.
  std::optional<protocol::CallAnswer> call(const protocol::CallRequest& request) {
    if (!adapter) return std::nullopt;
    auto answer = adapter->call(request);
    if (!answer) {
      trouble = "the adapter " + answer.error().message;
      return std::nullopt;
    }
    if (!answer->done) {
      trouble = "the call failed: " + answer->message;
      return std::nullopt;
    }
    return std::move(*answer);
  }

  // Its end; what it says about that is a failure only where there was none before.
  void end() {
    if (!adapter) return;
    const AdapterProcess::End ended = adapter->finish();
    if (trouble.empty()) trouble = ended.trouble;
    adapter.reset();
  }

  Result<Evidence> evidence(const std::string& kernel) {
    TUNECHECK_TRY(Evidence all,
                  read_evidence(workspace.evidence_file(process_name), evidence_read));
    std::erase_if(all.compiles, [](const CompileEvent& event) { return event.query; });
    std::erase_if(all.launches, [&](const LaunchEvent& event) { return event.kernel != kernel; });
    return all;
  }
};

KernelSide::KernelSide(const Bench& bench, const Build& build, const KernelDefinition& kernel,
                       std::string size, fs::path folder)
    : m_bench(bench),
      m_build(build),
      m_kernel(kernel),
      m_size(std::move(size)),
      m_folder(std::move(folder)) {}

Result<std::unique_ptr<KernelSide>> KernelSide::create(const Bench& bench, const Build& build,
                                                       const std::string& kernel,
                                                       const std::string& size,
                                                       const std::string& name) {
  std::unique_ptr<KernelSide> side(
      new KernelSide(bench, build, build.kernels.at(kernel), size, bench.work / name));
  std::error_code ignored;
  fs::remove_all(side->m_folder, ignored);
  TUNECHECK_CHECK(create_folders(side->m_folder));
  TUNECHECK_TRY(ProofCase arguments, ProofCase::make(side->m_kernel, {size, 0, false, false},
                                                     bench.seed, side->m_folder / "launches"));
  side->m_case = std::make_unique<ProofCase>(std::move(arguments));
  return side;
}

// The same folder each time, of both sides: a path must not make one process another's miss, and
// where its files lie on the disk must not make one side slower.
Result<KernelSide::Process> KernelSide::begin(const fs::path& cache, bool has_burst) {
  ProcessStep step;
  step.name = process_name;
  CallStep call;
  if (has_burst) call.settings.burst = burst(1);
  step.steps.emplace_back(call);
  TUNECHECK_TRY(Workspace workspace,
                Workspace::create(m_bench.work / "process", m_kernel, m_bench.backend));
  if (!cache.empty()) {
    std::error_code error;
    fs::copy(cache, workspace.cache_folder(),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
    if (error) return failure("cannot copy {}: {}", cache.string(), error.message());
  }
  TUNECHECK_CHECK(workspace.prepare_process(step, m_build.adapter, m_bench.observers, false));
  TUNECHECK_CHECK(write_tensors(workspace));
  AdapterLaunch launch;
  launch.adapter = &m_build.adapter;
  launch.environment =
      workspace.environment_for(step, m_build.adapter, m_bench.observers, false, false);
  launch.backend = m_bench.backend;
  launch.folder = workspace.process_folder(process_name);
  launch.log = launch.folder / "adapter.log";
  launch.time_limit = m_build.adapter.time_limit * tuning_time_limits;
  launch.in_child = workspace.child_setup();
  Process process{std::move(workspace), Clock::now(), std::nullopt, "", 0};
  const Pinning pinning;
  auto adapter = AdapterProcess::start(launch);
  if (adapter)
    process.adapter = std::move(*adapter);
  else
    process.trouble = "the adapter " + adapter.error().message;
  return process;
}

Result<void> KernelSide::write_tensors(const Workspace& workspace) {
  for (const TensorFile& file : m_case->tensors())
    TUNECHECK_CHECK(file.write_copy(workspace.process_folder(process_name) / "tensors" /
                                    file.path().filename()));
  return {};
}

protocol::CallRequest KernelSide::request(const Workspace& workspace) const {
  protocol::CallRequest request;
  request.kernel_folder = workspace.kernel_folder();
  request.kernel = m_kernel.name;
  for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
    const TensorFile& file = m_case->tensors()[i];
    request.tensors.push_back(
        {m_kernel.tensors[i].name,
         workspace.process_folder(process_name) / "tensors" / file.path().filename(),
         file.byte_offset(), file.initial().dtype, file.initial().layout});
  }
  for (const ScalarParameter& scalar : m_kernel.scalars)
    request.scalars[scalar.name] = scalar.value;
  request.sizes = m_kernel.sizes.at(m_size);
  request.space = m_kernel.space;
  request.arch = native;
  return request;
}

Result<std::string> KernelSide::tune() {
  TUNECHECK_TRY(Process process, begin({}, false));
  protocol::CallRequest asked = request(process.workspace);
  // Most compiles are those of the first tuning; the others find them in the spy's store.
  if (m_tunings.empty()) asked.compile_jobs = static_cast<int>(worker_count(0));
  Tuning tuning;
  if (process.adapter)
    tuning.tuner = process.adapter->hello().tuner + " " + process.adapter->hello().tuner_version;
  const auto answer = process.call(asked);
  process.end();
  if (!answer || !process.trouble.empty()) return process.trouble;
  TUNECHECK_TRY(const Evidence evidence, process.evidence(m_kernel.name));
  if (evidence.launches.empty()) return "no observer saw a launch";
  tuning.compiles = static_cast<std::int64_t>(evidence.compiles.size());
  std::set<std::string> configs;
  for (const LaunchEvent& launch : evidence.launches)
    configs.insert(config_or_artifact(launch));
  tuning.trials = static_cast<std::int64_t>(configs.size());
  const LaunchEvent& winner = evidence.launches.back();
  tuning.winner = winner.config.empty() && answer->winner ? to_string(*answer->winner)
                                                          : config_or_artifact(winner);
  TUNECHECK_TRY(const FolderSnapshot files, take_snapshot(process.workspace.cache_folder()));
  tuning.artifacts =
      std::count_if(files.files.begin(), files.files.end(), [&](const FileRecord& file) {
        return std::any_of(
            evidence.compiles.begin(), evidence.compiles.end(),
            [&](const CompileEvent& compile) { return file.holds(compile.output_digest); });
      });
  TUNECHECK_TRY(tuning.launch,
                launch_of(tuning.winner, process.workspace.cache_folder(), winner.module));
  tuning.cache = m_folder / fmt::format("cache-{}", m_tunings.size());
  std::error_code error;
  fs::rename(process.workspace.cache_folder(), tuning.cache, error);
  if (error) return failure("cannot keep {}: {}", tuning.cache.string(), error.message());
  m_tunings.push_back(std::move(tuning));
  return "";
}

// What the tuner stored is what its users run. One that stores it in a form that the judge cannot
// launch has its winner compiled by the judge.
Result<IsolatedRun> KernelSide::launch_of(const std::string& config, const fs::path& cache,
                                          const std::string& module) {
  if (const auto stored = read_artifact(cache, module)) {
    TUNECHECK_TRY(IsolatedRun run, m_case->prepare(Artifact{*stored}, {}, m_places++));
    Runners runners(m_bench.backend);
    const auto tried = runners.run(run, run.module.parent_path());
    run.measure = true;
    if (tried && tried->status == 0) return run;
  }
  TUNECHECK_TRY(const Artifact own, compiled(config));
  TUNECHECK_TRY(IsolatedRun run, m_case->prepare(own, {}, m_places++));
  run.measure = true;
  return run;
}

Result<Artifact> KernelSide::compiled(const std::string& config) const {
  const Sizes& sizes = m_kernel.sizes.at(m_size);
  TUNECHECK_TRY(const auto configs, m_kernel.space.enumerate(to_variables(sizes)));
  const auto found = std::find_if(configs.begin(), configs.end(),
                                  [&](const Config& each) { return to_string(each) == config; });
  if (found == configs.end())
    return failure("{} of {}: the config \"{}\" is none of the kernel's", m_kernel.name,
                   m_build.given, config);
  const AllBackends backends;
  const Backend* const backend = backends.find(m_bench.backend);
  if (backend == nullptr) return failure("there is no backend \"{}\"", m_bench.backend);
  TUNECHECK_TRY(const std::string arch, backend->resolve_arch(std::string(native)));
  return backend->compile({&m_kernel, m_case->dtypes(), *found, arch, {}, sizes});
}

Result<ProcessRun> KernelSide::warm_start(std::size_t number, bool is_slowed) {
  TUNECHECK_TRY(Process process, begin(tuning(number).cache, false));
  const auto answer = process.call(request(process.workspace));
  if (is_slowed) std::this_thread::sleep_for(m_bench.planted * (Clock::now() - process.begun));
  const double elapsed = nanoseconds_since(process.begun);
  process.end();
  if (!answer || !process.trouble.empty()) return failed(process.trouble);
  TUNECHECK_TRY(const Evidence evidence, process.evidence(m_kernel.name));
  m_warm_compiles.push_back(static_cast<std::int64_t>(evidence.compiles.size()));
  m_warm_launches.push_back(static_cast<std::int64_t>(evidence.launches.size()));
  return ProcessRun{{elapsed}, ""};
}

Result<ProcessRun> KernelSide::tuning_time() {
  TUNECHECK_TRY(Process process, begin({}, false));
  const auto begun = Clock::now();
  const auto answer = process.call(request(process.workspace));
  const double elapsed = nanoseconds_since(begun);
  process.end();
  if (!answer || !process.trouble.empty()) return failed(process.trouble);
  return ProcessRun{{elapsed}, ""};
}

std::string KernelSide::why_no_dispatch() const {
  if (!m_build.adapter.has("burst")) return "the adapter does not declare the capability \"burst\"";
  for (const TensorParameter& tensor : m_kernel.tensors)
    if (tensor.access == Access::in_place)
      return fmt::format("\"{}\" is changed in place, so that calls are not alike", tensor.name);
  return m_kernel.scalars.empty() ? "the kernel has no scalar, which a burst must name" : "";
}

protocol::Burst KernelSide::burst(std::int64_t calls) const {
  protocol::Burst burst;
  burst.calls = calls;
  if (!m_kernel.scalars.empty()) burst.scalar = m_kernel.scalars.front().name;
  return burst;
}

Result<ProcessRun> KernelSide::dispatch(std::size_t number) {
  constexpr std::int64_t calls = 500;
  constexpr int bursts = 15;
  TUNECHECK_TRY(Process process, begin(tuning(number).cache, true));
  // The first one finds the winner, which is a warm start's business.
  protocol::CallRequest asked = request(process.workspace);
  std::optional<protocol::CallAnswer> answer = process.call(asked);
  asked.burst = burst(calls);
  ProcessRun run;
  for (int i = 0; i < bursts && answer; ++i) {
    const fs::path counts_file = process.workspace.counts_file(process_name);
    TUNECHECK_CHECK(start_counting(counts_file, process.adapter->id()));
    const auto begun = Clock::now();
    answer = process.call(asked);
    const double elapsed = nanoseconds_since(begun);
    TUNECHECK_TRY(const LaunchCounts counts, stop_counting(counts_file));
    run.samples.push_back((elapsed - static_cast<double>(counts.elapsed_ns)) /
                          static_cast<double>(calls));
  }
  process.end();
  if (!answer || !process.trouble.empty()) return failed(process.trouble);
  return run;
}

Result<ProcessRun> KernelSide::winner_time(std::size_t number, bool is_slowed) {
  IsolatedRun run = tuning(number).launch;
  if (is_slowed) run.slowdown = m_bench.planted;
  return measured(run);
}

Result<ProcessRun> KernelSide::config_time(const std::string& config) {
  auto known = m_configs.find(config);
  if (known == m_configs.end()) {
    TUNECHECK_TRY(const Artifact artifact, compiled(config));
    TUNECHECK_TRY(IsolatedRun run, m_case->prepare(artifact, {}, m_places++));
    run.measure = true;
    known = m_configs.emplace(config, std::move(run)).first;
  }
  return measured(known->second);
}

Result<ProcessRun> KernelSide::measured(const IsolatedRun& run) const {
  // Runners of its own, so that on a GPU too each run has a fresh process.
  const Pinning pinning;
  Runners runners(m_bench.backend);
  const auto result = runners.run(run, run.module.parent_path());
  if (!result) return failed(result.error().text());
  if (result->status != 0) return failed("the winner returned " + result->status_text);
  return ProcessRun{middles(result->samples_ns), ""};
}

}  // namespace tunecheck::gate
