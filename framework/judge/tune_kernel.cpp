#include "judge/tune_kernel.hpp"

#include <algorithm>

#include "backend/all_backends.hpp"
#include "backend/cpu/arch.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "judge/adapter_process.hpp"
#include "judge/proof_case.hpp"
#include "judge/runners.hpp"
#include "judge/scenario_runner.hpp"
#include "judge/tensor_file.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr auto tuning_time_limit = std::chrono::minutes(30);

// Compiled as the kernel is: what a compiler makes of the plainest loop there is.
constexpr std::string_view copy_source =
    "#include <tunecheck/cpu_kernel.h>\n"
    "void plain_copy(tunecheck::Tensor<float> from, tunecheck::Tensor<float> to) {\n"
    "  const float* __restrict__ const in = from.data();\n"
    "  float* __restrict__ const out = to.data();\n"
    "  const int64_t n = from.size(0);\n"
    "  for (int64_t i = 0; i < n; ++i)\n"
    "    out[i] = in[i];\n"
    "}\n"
    "TUNECHECK_KERNEL(plain_copy)\n";

// Sixteen bytes a thread, as wide as a GPU loads.
constexpr std::string_view gpu_copy_source =
    "#include <tunecheck/gpu_kernel.h>\n"
    "extern \"C\" __global__ void __launch_bounds__(256)\n"
    "plain_copy(tunecheck::Tensor<float> from, tunecheck::Tensor<float> to) {\n"
    "  const int64_t i = tunecheck::global_index();\n"
    "  if (i < to.size(0) / 4)\n"
    "    reinterpret_cast<float4*>(to.data())[i] =\n"
    "        reinterpret_cast<const float4*>(from.data())[i];\n"
    "}\n";

// One thing that is measured: an artifact with its arguments.
struct Subject {
  IsolatedRun run;
  std::vector<std::int64_t> samples_ns;
  std::string failure;
};

class Desk {
 public:
  Desk(const KernelDefinition& kernel, const TuneOptions& options, const Backend& backend,
       fs::path folder)
      : m_kernel(kernel),
        m_options(options),
        m_folder(std::move(folder)),
        m_backend(backend),
        m_runners(options.backend) {}

  Result<KernelTuning> run() {
    TUNECHECK_TRY(m_result.arch, m_backend.resolve_arch(m_options.arch));
    const Sizes& sizes = m_kernel.sizes.at(m_options.size);
    const std::vector<DType> dtypes = m_kernel.variant(m_options.variant);
    m_result.kernel = m_kernel.name;
    m_result.size = m_options.size;
    m_result.dtypes = variant_name(m_kernel, m_options.variant);
    m_result.limited_by = m_kernel.limited_by;
    TUNECHECK_TRY(m_result.bytes, m_kernel.bytes_for(sizes, dtypes));
    TUNECHECK_TRY(m_result.flops, m_kernel.flops_for(sizes, dtypes));
    TUNECHECK_TRY(const auto configs, m_kernel.space.enumerate(to_variables(sizes)));
    TUNECHECK_TRY(const Config chosen, m_kernel.default_for(sizes));
    for (const Config& config : configs)
      m_result.rows.push_back({config, false, config == chosen, std::nullopt, ""});
    TUNECHECK_CHECK(tune());
    TUNECHECK_CHECK(measure());
    TUNECHECK_CHECK(describe_device());
    return std::move(m_result);
  }

 private:
  // The tuner's part: a scenario of one call.
  Result<void> tune() {
    Scenario scenario;
    scenario.name = "tune." + m_kernel.name;
    scenario.kernel = m_kernel.name;
    scenario.backends = {m_options.backend};
    scenario.watch = false;
    scenario.time_limit = tuning_time_limit;
    ProcessStep process;
    process.name = "tuning";
    CallStep call;
    call.settings.size = m_options.size;
    call.settings.arch = m_result.arch;
    const std::vector<DType> dtypes = m_kernel.variant(m_options.variant);
    for (std::size_t i = 0; i < dtypes.size(); ++i)
      call.settings.dtypes[m_kernel.tensors[i].name] = dtypes[i];
    process.steps.emplace_back(call);
    scenario.steps.emplace_back(process);
    TUNECHECK_TRY(Workspace workspace,
                  Workspace::create(m_folder / "tuning", m_kernel, m_options.backend));
    Oracle oracle(m_folder / "oracle");
    RunContext context;
    context.adapter = m_options.adapter;
    context.backend = m_options.backend;
    TUNECHECK_CHECK(create_folders(m_folder / "store"));
    TUNECHECK_TRY(context.observers, find_observers(m_folder / "store", m_options.backend));
    context.oracle = &oracle;
    context.out = m_folder;
    context.seed = m_options.seed;
    context.compile_jobs = static_cast<int>(worker_count(m_options.jobs));
    const ScenarioRun run = run_steps(scenario, m_kernel, context, workspace);
    if (!run.harness_error.empty()) return failure("{}", run.harness_error);
    if (!run.unsupported.empty()) return failure("{}", run.unsupported);
    read(run.record.processes.front());
    return {};
  }

  void read(const ProcessRecord& process) {
    m_result.tuner = process.tuner;
    if (process.calls.empty()) {
      m_result.trouble = process.trouble;
      return;
    }
    const CallRecord& call = process.calls.front();
    if (!call.answer) {
      m_result.trouble = call.trouble;
      return;
    }
    m_result.message = call.answer->message;
    if (!call.answer->done) m_result.trouble = "the call failed: " + call.answer->message;
    for (std::size_t i = 0; i < call.tensors.size(); ++i)
      if (const auto& comparison = call.tensors[i].comparison;
          comparison && !comparison->equal() && m_result.trouble.empty())
        m_result.trouble =
            fmt::format("wrong result in \"{}\": {}", m_kernel.tensors[i].name, comparison->text());
    for (KernelTuning::Row& row : m_result.rows) {
      row.is_winner = is_winner(call, row.config);
      for (const protocol::Trial& trial : call.answer->trials)
        if (trial.config == row.config) row.failure = trial.failure;
    }
  }

  // What was launched for the caller, and what the tuner says where nobody saw it.
  static bool is_winner(const CallRecord& call, const Config& config) {
    const LaunchEvent* const real = call.real_launch();
    if (real != nullptr && !real->config.empty()) return real->config == to_string(config);
    return call.answer->winner == config;
  }

  Result<void> measure() {
    TUNECHECK_TRY(const ProofCase arguments,
                  ProofCase::make(m_kernel, {m_options.size, m_options.variant}, m_options.seed,
                                  m_folder / "tensors"));
    std::vector<CompileRequest> requests;
    for (const KernelTuning::Row& row : m_result.rows)
      requests.push_back({&m_kernel,
                          arguments.dtypes(),
                          row.config,
                          m_result.arch,
                          {},
                          m_kernel.sizes.at(m_options.size)});
    const auto artifacts = m_backend.compile_all(requests, m_options.jobs);
    std::vector<Subject> subjects(m_result.rows.size() + 2);
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      TUNECHECK_CHECK(prepare(subjects[i], artifacts[i], arguments));
      // Never launch again what may harm or hang; the tuner has the reason.
      if (!m_result.rows[i].failure.empty()) subjects[i].failure = m_result.rows[i].failure;
    }
    Subject& naive = subjects[artifacts.size()];
    Subject& copy = subjects[artifacts.size() + 1];
    if (is_cpu()) TUNECHECK_CHECK(prepare(naive, compile_naive(arguments.dtypes()), arguments));
    TUNECHECK_CHECK(prepare_copy(copy));
    TUNECHECK_CHECK(measure_in_turn(subjects));
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      m_result.rows[i].times = times_of(subjects[i]);
      m_result.rows[i].failure = subjects[i].failure;
    }
    m_result.naive = times_of(naive);
    m_result.naive_trouble = naive.failure;
    m_result.copy = times_of(copy);
    return {};
  }

  Result<void> prepare(Subject& subject, const Result<Artifact>& artifact,
                       const ProofCase& arguments) {
    if (!artifact) {
      subject.failure = artifact.error().message;
      return {};
    }
    TUNECHECK_TRY(subject.run, arguments.prepare(*artifact, {}, m_modules++));
    return {};
  }

  Result<Artifact> compile_naive(const std::vector<DType>& dtypes) const {
    if (m_kernel.cpu->naive.empty()) return failure("the kernel file names no naive source in cpu");
    KernelDefinition naive = m_kernel;
    naive.cpu->source = m_kernel.cpu->naive;
    return m_backend.compile({&naive, dtypes, {}, m_result.arch, {}});
  }

  // As many bytes as the kernel moves, half of them read and half written.
  Result<void> prepare_copy(Subject& subject) {
    constexpr std::int64_t vector = 4;  // floats that a GPU's thread copies at once
    const std::int64_t elements = static_cast<std::int64_t>(m_result.bytes / 8) / vector * vector;
    if (elements == 0) {
      subject.failure = "the kernel file says nothing of its bytes";
      return {};
    }
    const fs::path folder = m_folder / "copy";
    TUNECHECK_CHECK(create_folders(folder));
    TUNECHECK_TRY(const Artifact artifact, is_cpu() ? compile_cpu_copy(folder)
                                                    : compile_gpu_copy(folder, elements / vector));
    subject.run.module = folder / "module";
    TUNECHECK_CHECK(write_file(subject.run.module, artifact.bytes));
    for (const char* const name : {"from", "to"}) {
      const TensorFile file(folder / name, DType::f32,
                            Layout::contiguous(std::vector<std::int64_t>{elements}), 0,
                            Fill{Fill::Kind::ones, 0, 0}, m_options.seed, name);
      TUNECHECK_CHECK(file.write());
      subject.run.tensors.push_back(
          {file.path(), file.byte_offset(), DType::f32, file.initial().layout});
    }
    return {};
  }

  Result<Artifact> compile_cpu_copy(const fs::path& folder) const {
    SharedObjectRequest object;
    object.folder = folder;
    object.source = folder / "copy.cpp";
    TUNECHECK_CHECK(write_file(object.source, copy_source));
    TUNECHECK_TRY(object.options, cpu_arch_options(m_result.arch));
    TUNECHECK_TRY(const Toolchain toolchain, Toolchain::find());
    return compile_shared_object(toolchain, object);
  }

  Result<Artifact> compile_gpu_copy(const fs::path& folder, std::int64_t threads) const {
    KernelDefinition copy;
    copy.name = "plain_copy";
    copy.folder = folder;
    copy.gpu = GpuSource{folder / "copy.cu", {"ceil_div(n,256)"}, {"256"}, "", 0};
    TUNECHECK_CHECK(write_file(copy.gpu->source, gpu_copy_source));
    CompileRequest request;
    request.kernel = &copy;
    request.arch = m_result.arch;
    request.sizes = {{"n", threads}};
    return m_backend.compile(request);
  }

  // After the measurement, when clocks and temperature are those of a busy device.
  Result<void> describe_device() {
    if (is_cpu()) return {};
    TUNECHECK_TRY(m_result.device, m_backend.device_name());
    const std::string state = m_backend.device_state();
    if (!state.empty()) m_result.device += "; " + state;
    return {};
  }

  [[nodiscard]] bool is_cpu() const { return m_options.backend == "cpu"; }

  // Round by round, so that a machine that becomes slower slows all alike.
  Result<void> measure_in_turn(std::vector<Subject>& subjects) {
    for (int round = 0; round < m_options.rounds; ++round)
      for (Subject& subject : subjects) {
        if (!subject.failure.empty() || subject.run.module.empty()) continue;
        subject.run.measure = true;
        const auto result = m_runners.run(subject.run, m_folder);
        if (!result)
          subject.failure = result.error().text();
        else if (result->status != 0)
          subject.failure = "returned " + result->status_text;
        else
          subject.samples_ns.insert(subject.samples_ns.end(), result->samples_ns.begin(),
                                    result->samples_ns.end());
      }
    return {};
  }

  static std::optional<LaunchTimes> times_of(const Subject& subject) {
    const auto& samples = subject.samples_ns;
    if (samples.empty() || !subject.failure.empty()) return std::nullopt;
    return LaunchTimes{quantile(samples, 0.5), quantile(samples, 0.1), quantile(samples, 0.9),
                       samples.size()};
  }

  const KernelDefinition& m_kernel;
  const TuneOptions& m_options;
  fs::path m_folder;
  const Backend& m_backend;
  Runners m_runners;
  std::size_t m_modules = 0;
  KernelTuning m_result;
};

}  // namespace

const KernelTuning::Row* KernelTuning::winner() const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.is_winner; });
  return found == rows.end() ? nullptr : &*found;
}

const KernelTuning::Row* KernelTuning::default_row() const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.is_default; });
  return found == rows.end() ? nullptr : &*found;
}

Result<KernelTuning> tune_kernel(const KernelDefinition& kernel, const TuneOptions& options) {
  if (locate_program(*options.adapter).empty())
    return failure("there is no adapter: the program \"{}\" of \"{}\" cannot be found",
                   options.adapter->command.at(0), options.adapter->name);
  const AllBackends backends;
  const Backend* const backend = backends.find(options.backend);
  if (backend == nullptr) return failure("there is no backend \"{}\"", options.backend);
  if (options.backend == "cpu" ? !kernel.cpu : !kernel.gpu)
    return failure("the kernel \"{}\" has no source for {}", kernel.name, options.backend);
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-tune"));
  return Desk(kernel, options, *backend, folder.path()).run();
}

}  // namespace tunecheck
