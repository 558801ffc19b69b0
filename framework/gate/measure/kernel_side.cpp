#include "gate/measure/kernel_side.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "backend/all_backends.hpp"
#include "core/in_parallel.hpp"
#include "gate/measure/pinning.hpp"
#include "gate/measure/planted_loop.hpp"
#include "harness/kernel/runners.hpp"
#include "harness/process/call_request.hpp"
#include "harness/process/watched_process.hpp"

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

// The config of the last launch; of a launch that no config is known of, what the tuner says.
std::string chosen_by(const WatchedCall& call, const LaunchEvent& winner) {
  return winner.config.empty() && call.answer->winner ? tunecheck::to_string(*call.answer->winner)
                                                      : config_or_artifact(winner);
}

ProcessRun failed(std::string reason) {
  return {{}, std::move(reason)};
}

}  // namespace

// A process that was started, and how it failed, if it did: "" if not.
struct KernelSide::Process {
  Workspace workspace;
  WatchedProcess watched;
  Clock::time_point begun;
  std::string failure;

  // Asks, where nothing has failed yet. A failure of the tuner is kept.
  Result<void> ask(WatchedCall& call) {
    if (!failure.empty()) return {};
    TUNECHECK_CHECK(watched.ask(call));
    failure = call.failure_text();
    return {};
  }

  // Ends it and gives `call` what observers saw until then. What it says of its end is a failure
  // only where there was none before.
  Result<void> end(WatchedCall& call) {
    const AdapterProcess::End ended = watched.end();
    if (failure.empty()) failure = ended.trouble;
    return watched.gather(call);
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
  // The tuner gets the same tensors, and they lie as those of a program do.
  ProofChoice choice{size};
  choice.aligned = true;
  TUNECHECK_TRY(ProofCase arguments,
                ProofCase::make(side->m_kernel, choice, bench.seed, side->m_folder / "launches"));
  side->m_case = std::make_unique<ProofCase>(std::move(arguments));
  return side;
}

// The same folder each time, of both sides: a path must not make one process another's miss, and
// where its files lie on the disk must not make one side slower.
Result<KernelSide::Process> KernelSide::begin(const fs::path& cache, Probe probe) {
  TUNECHECK_TRY(Workspace workspace,
                Workspace::create(m_bench.work / "process", m_kernel, m_bench.backend));
  if (!cache.empty()) {
    std::error_code error;
    fs::copy(cache, workspace.cache_folder(),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
    if (error)
      return failure(ErrorKind::machine, "cannot copy {}: {}", cache.string(), error.message());
  }
  ProcessSetup setup;
  setup.name = process_name;
  setup.counts_launches = probe == Probe::counts_bursts;
  setup.counts_trials = probe == Probe::counts_trials;
  setup.time_limit = m_build.adapter.time_limit * tuning_time_limits;
  TUNECHECK_TRY(
      WatchedProcess watched,
      WatchedProcess::prepare(workspace, std::move(setup), m_build.adapter, m_bench.observers));
  TUNECHECK_CHECK(write_tensors(workspace));
  Process process{std::move(workspace), std::move(watched), Clock::now(), ""};
  const Pinning pinning(m_bench.cpu);
  if (!process.watched.start()) process.failure = process.watched.trouble();
  return process;
}

Result<void> KernelSide::write_tensors(const Workspace& workspace) {
  for (const TensorFile& file : m_case->tensors())
    TUNECHECK_CHECK(
        file.write_copy(workspace.tensors_folder(process_name) / file.path().filename()));
  return {};
}

Result<WatchedCall> KernelSide::first_call(const Workspace& workspace) const {
  WatchedCall call;
  call.request =
      make_request(m_kernel, workspace, process_name, m_case->tensors(), m_kernel.sizes.at(m_size));
  call.request.arch = native;
  TUNECHECK_CHECK(complete(call.request, m_kernel, m_bench.backend));
  return call;
}

Result<std::string> KernelSide::tune() {
  // A GPU's clock does not see what records a launch.
  TUNECHECK_TRY(Process process,
                begin({}, is_gpu(m_bench.backend) ? Probe::records : Probe::counts_trials));
  TUNECHECK_TRY(WatchedCall call, first_call(process.workspace));
  // Most compiles are those of the first tuning; the others find them in the spy's store.
  if (m_tunings.empty()) call.request.compile_jobs = static_cast<int>(worker_count(0));
  TUNECHECK_CHECK(process.ask(call));
  TUNECHECK_CHECK(process.end(call));
  if (!process.failure.empty()) return process.failure;
  const LaunchEvent* const winner = call.real_launch();
  if (winner == nullptr) return "no observer saw a launch";
  Tuning tuning;
  tuning.tuner = process.watched.tuner();
  tuning.compiles = call.compile_count();
  std::set<std::string> configs;
  for (const LaunchEvent& launch : call.launches)
    configs.insert(config_or_artifact(launch));
  tuning.trials = static_cast<std::int64_t>(configs.size());
  tuning.winner = chosen_by(call, *winner);
  TUNECHECK_TRY(const FolderSnapshot files, take_snapshot(process.workspace.cache_folder()));
  tuning.artifacts =
      std::count_if(files.files.begin(), files.files.end(), [&](const FileRecord& file) {
        return std::any_of(
            call.compiles.begin(), call.compiles.end(),
            [&](const CompileEvent& compile) { return file.holds(compile.output_digest); });
      });
  TUNECHECK_TRY(tuning.launch,
                launch_of(tuning.winner, process.workspace.cache_folder(), winner->module));
  tuning.cache = m_folder / fmt::format("cache-{}", m_tunings.size());
  std::error_code error;
  fs::rename(process.workspace.cache_folder(), tuning.cache, error);
  if (error)
    return failure(ErrorKind::machine, "cannot keep {}: {}", tuning.cache.string(),
                   error.message());
  m_tunings.push_back(std::move(tuning));
  return "";
}

// What the tuner stored is what its users run. One that stores it in a form that the judge cannot
// launch has its winner compiled by the judge.
Result<IsolatedRun> KernelSide::launch_of(const std::string& config, const fs::path& cache,
                                          const std::string& module) {
  const std::size_t place = m_places++;
  if (const auto stored = read_artifact(cache, module)) {
    TUNECHECK_TRY(IsolatedRun run, m_case->prepare(Artifact{*stored}, {}, place));
    Runners runners(m_bench.backend);
    const auto tried = runners.run(run, run.module.parent_path());
    run.measure = true;
    if (tried && tried->status == 0) return run;
  }
  TUNECHECK_TRY(const Artifact own, compiled(config, m_kernel));
  TUNECHECK_TRY(IsolatedRun run, m_case->prepare(own, {}, place));
  run.measure = true;
  return run;
}

Result<Config> KernelSide::config_named(const std::string& name) const {
  TUNECHECK_TRY(const auto configs,
                m_kernel.space.enumerate(to_variables(m_kernel.sizes.at(m_size))));
  for (const Config& each : configs)
    if (tunecheck::to_string(each) == name) return each;
  return failure("{} of {}: the config \"{}\" is not one of the kernel's", m_kernel.name,
                 m_build.given, name);
}

bool KernelSide::has_config(const std::string& config) const {
  return config_named(config).has_value();
}

Result<IsolatedRun> KernelSide::launch_of(const Artifact& artifact) {
  TUNECHECK_TRY(IsolatedRun run, m_case->prepare(artifact, {}, m_places++));
  run.measure = true;
  return run;
}

// `kernel` has the configs of this side's.
Result<Artifact> KernelSide::compiled(const std::string& name,
                                      const KernelDefinition& kernel) const {
  TUNECHECK_TRY(const Config config, config_named(name));
  const Sizes& sizes = m_kernel.sizes.at(m_size);
  const AllBackends backends;
  const Backend& backend = backends.of(m_bench.backend);
  TUNECHECK_TRY(const std::string arch, backend.resolve_arch(std::string(native)));
  return backend.compile({&kernel, m_case->dtypes(), config, arch, {}, sizes});
}

Result<ProcessRun> KernelSide::warm_start(std::size_t number, bool is_slowed) {
  TUNECHECK_TRY(Process process, begin(tuning(number).cache, Probe::records));
  TUNECHECK_TRY(WatchedCall call, first_call(process.workspace));
  TUNECHECK_CHECK(process.ask(call));
  if (const double share = slowdown(is_slowed); share > 0)
    std::this_thread::sleep_for(share * (Clock::now() - process.begun));
  const double elapsed = nanoseconds_since(process.begun);
  TUNECHECK_CHECK(process.end(call));
  if (!process.failure.empty()) return failed(process.failure);
  m_warm_compiles.push_back(call.compile_count());
  m_warm_launches.push_back(static_cast<std::int64_t>(call.launches.size()));
  return ProcessRun{{elapsed}, ""};
}

// In a fresh process with an empty cache, of which nothing is kept.
Result<WatchedCall> KernelSide::fresh_tuning(std::string& failure) {
  TUNECHECK_TRY(Process process, begin({}, Probe::counts_trials));
  TUNECHECK_TRY(WatchedCall call, first_call(process.workspace));
  TUNECHECK_CHECK(process.ask(call));
  TUNECHECK_CHECK(process.end(call));
  failure = process.failure;
  return call;
}

Result<ProcessRun> KernelSide::tuning_time() {
  std::string failure;
  TUNECHECK_TRY(const WatchedCall call, fresh_tuning(failure));
  if (!failure.empty()) return failed(failure);
  return ProcessRun{{static_cast<double>(call.wall_ns)}, ""};
}

std::string KernelSide::why_no_dispatch() const {
  if (!m_build.adapter.has("burst")) return "the adapter does not declare the capability \"burst\"";
  for (const TensorParameter& tensor : m_kernel.tensors)
    if (tensor.access == Access::in_place)
      return fmt::format("\"{}\" is changed in place, so calls are not alike", tensor.name);
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
  TUNECHECK_TRY(Process process, begin(tuning(number).cache, Probe::counts_bursts));
  // The first one finds the winner, which is a warm start's business.
  TUNECHECK_TRY(WatchedCall first, first_call(process.workspace));
  TUNECHECK_CHECK(process.ask(first));
  ProcessRun run;
  for (int i = 0; i < bursts && process.failure.empty(); ++i) {
    TUNECHECK_TRY(WatchedCall call, first_call(process.workspace));
    call.request.burst = burst(calls);
    TUNECHECK_CHECK(process.ask(call));
    const double own_ns =
        static_cast<double>(call.wall_ns) - static_cast<double>(call.burst->counts.elapsed_ns);
    run.samples.push_back(own_ns / static_cast<double>(calls));
  }
  TUNECHECK_CHECK(process.end(first));
  if (!process.failure.empty()) return failed(process.failure);
  return run;
}

Result<ProcessRun> KernelSide::winner_time(std::size_t number, bool is_slowed) {
  IsolatedRun run = tuning(number).launch;
  run.slowdown = slowdown(is_slowed);
  return measured(run);
}

std::optional<std::size_t> KernelSide::tuning_that_chose(const std::string& config,
                                                         std::size_t number) const {
  for (std::size_t i = 0; i < m_tunings.size(); ++i)
    if (tuning(number + i).winner == config) return number + i;
  return std::nullopt;
}

// If several tunings chose the config, what each stored is launched in turn.
Result<ProcessRun> KernelSide::stored_time(const std::string& config, std::size_t number,
                                           bool is_slowed) {
  if (const auto chosen = tuning_that_chose(config, number)) return winner_time(*chosen, is_slowed);
  return failure("{} of {}: no tuning chose \"{}\"", m_kernel.name, m_build.given, config);
}

Result<KernelSide::Choice> KernelSide::choose() {
  Choice choice;
  TUNECHECK_TRY(const WatchedCall call, fresh_tuning(choice.failure));
  if (!choice.failure.empty()) return choice;
  if (const LaunchEvent* const winner = call.real_launch())
    choice.config = chosen_by(call, *winner);
  else
    choice.failure = "no observer saw a launch";
  return choice;
}

Result<ProcessRun> KernelSide::config_time(const std::string& config, bool is_slowed) {
  auto known = m_configs.find(config);
  if (known == m_configs.end()) {
    TUNECHECK_TRY(const Artifact artifact, compiled(config, m_kernel));
    TUNECHECK_TRY(IsolatedRun run, launch_of(artifact));
    known = m_configs.emplace(config, std::move(run)).first;
  }
  IsolatedRun run = known->second;
  run.slowdown = slowdown(is_slowed);
  return measured(run);
}

// Both sides of a pair have a loop, one of them of 0 cycles: they differ in its length alone.
Result<ProcessRun> KernelSide::looped_time(const std::string& config, bool is_slowed) {
  const double share = slowdown(is_slowed);
  if (share == 0) return time_with_loop(config, 0);
  const std::pair name(config, share);
  if (!m_loop_cycles.contains(name)) {
    TUNECHECK_TRY(const LoopLength loop, measure_loop(config, share));
    if (!loop.failure.empty()) return failed(loop.failure);
    m_loop_cycles.emplace(name, loop.cycles);
  }
  return time_with_loop(config, m_loop_cycles.at(name));
}

Result<KernelSide::LoopLength> KernelSide::measure_loop(const std::string& config, double share) {
  TUNECHECK_TRY(const ProcessRun own, time_with_loop(config, 0));
  if (!own.failure.empty()) return LoopLength{0, own.failure};
  TUNECHECK_TRY(const ProcessRun probed, time_with_loop(config, probe_cycles));
  if (!probed.failure.empty()) return LoopLength{0, probed.failure};
  const auto cycles = loop_cycles_for(median(own.samples), median(probed.samples), share);
  if (!cycles) return LoopLength{0, cycles.error().text()};
  return LoopLength{*cycles, ""};
}

Result<ProcessRun> KernelSide::time_with_loop(const std::string& config, std::int64_t loop_cycles) {
  const std::pair name(config, loop_cycles);
  auto known = m_looped.find(name);
  if (known == m_looped.end()) {
    TUNECHECK_TRY(const KernelDefinition looped,
                  plant_loop(m_kernel, loop_cycles, m_folder / "looped"));
    TUNECHECK_TRY(const Artifact artifact, compiled(config, looped));
    TUNECHECK_TRY(IsolatedRun run, launch_of(artifact));
    known = m_looped.emplace(name, std::move(run)).first;
  }
  return measured(known->second);
}

Result<ProcessRun> KernelSide::measured(const IsolatedRun& run) const {
  // Runners of its own, so that on a GPU too each run has a fresh process.
  const Pinning pinning(m_bench.cpu);
  Runners runners(m_bench.backend);
  const auto result = runners.run(run, run.module.parent_path());
  if (!result) return failed(result.error().text());
  if (result->status != 0) return failed("the winner returned " + result->status_text);
  return ProcessRun{middles(result->samples_ns), ""};
}

}  // namespace tunecheck::gate
