#include "proof/tune_kernel.hpp"

#include <algorithm>

#include "backend/all_backends.hpp"
#include "backend/cpu/arch.hpp"
#include "backend/kernel_sources.hpp"
#include "core/compare.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "harness/kernel/proof_case.hpp"
#include "harness/kernel/question.hpp"
#include "harness/kernel/runners.hpp"
#include "harness/kernel/tensor_file.hpp"
#include "harness/process/call_request.hpp"
#include "harness/process/watched_process.hpp"

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

// Tunes one kernel at the desk. run() is called once: it lists the configs, lets the tuner tune in
// a workspace, compares its result with the reference, and then measures every config itself. What
// the tuner did wrong ends in `trouble`, and the configs are measured all the same; those that the
// tuner calls broken are not launched again. An error that is returned is the judge's own, and then
// there is no table at all: half of one would look like a ranking.
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
  // The tuner's part: one call, as a user's program would make it.
  Result<void> tune() {
    TUNECHECK_TRY(const Workspace workspace,
                  Workspace::create(m_folder / "tuning", m_kernel, m_options.backend));
    TUNECHECK_CHECK(create_folders(m_folder / "store"));
    TUNECHECK_TRY(const Observers observers,
                  find_observers(m_folder / "store", m_folder / "spies", m_options.backend));
    ProcessSetup setup;
    setup.name = "tuning";
    setup.counts_trials = true;
    setup.time_limit = time_limit_of(*m_options.adapter, tuning_time_limit);
    TUNECHECK_TRY(WatchedProcess process,
                  WatchedProcess::prepare(workspace, setup, *m_options.adapter, observers));
    if (!process.start()) {
      if (process.refused()) return failure(ErrorKind::unsupported, "{}", process.trouble());
      m_result.trouble = process.trouble();
      return {};
    }
    m_result.tuner = process.tuner();
    TUNECHECK_TRY(const auto files, write_arguments(workspace.tensors_folder(setup.name)));
    WatchedCall call;
    call.request =
        make_request(m_kernel, workspace, setup.name, files, m_kernel.sizes.at(m_options.size));
    call.request.arch = m_result.arch;
    call.request.compile_jobs = static_cast<int>(worker_count(m_options.jobs));
    TUNECHECK_CHECK(complete(call.request, m_kernel, m_options.backend));
    TUNECHECK_CHECK(process.ask(call));
    TUNECHECK_CHECK(process.gather(call));
    (void)process.end();  // a call that was answered stands, however the process ends
    return read(call, files);
  }

  Result<std::vector<TensorFile>> write_arguments(const fs::path& folder) const {
    const std::vector<DType> dtypes = m_kernel.variant(m_options.variant);
    const Sizes& sizes = m_kernel.sizes.at(m_options.size);
    std::vector<TensorFile> files;
    for (std::size_t i = 0; i < m_kernel.tensors.size(); ++i) {
      const TensorParameter& tensor = m_kernel.tensors[i];
      TUNECHECK_TRY(const auto shape, m_kernel.shape_of(tensor, sizes));
      TUNECHECK_TRY(const Fill fill, m_kernel.fill_of(tensor, sizes));
      files.emplace_back(folder / (tensor.name + ".bin"), dtypes[i], Layout::contiguous(shape), 0,
                         fill, m_options.seed, tensor.name);
      TUNECHECK_CHECK(files.back().write());
    }
    return files;
  }

  Result<void> read(const WatchedCall& call, const std::vector<TensorFile>& files) {
    m_result.trouble = call.failure_text();
    if (!call.answer) return {};
    m_result.message = call.answer->message;
    if (call.answer->done) {
      TUNECHECK_TRY(m_result.trouble, wrong_result(call, files));
    }
    for (KernelTuning::Row& row : m_result.rows) {
      row.is_winner = is_winner(call, row.config);
      for (const protocol::Trial& trial : call.answer->trials)
        if (trial.config == row.config) row.failure = trial.failure;
    }
    return {};
  }

  // How the first tensor that is wrong differs from what the reference computes; "" for none.
  Result<std::string> wrong_result(const WatchedCall& call,
                                   const std::vector<TensorFile>& files) const {
    Oracle oracle(m_folder / "oracle");
    const bool zeroed = m_options.adapter->zeroes_arguments(call.tuned());
    TUNECHECK_TRY(const Oracle::Answer expected,
                  oracle.ask(make_question(m_kernel, files, zeroed, call.request.scalars)));
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!m_kernel.tensors[i].is_result()) continue;
      TUNECHECK_TRY(const TensorFile::After after, files[i].read_back());
      const Comparison comparison =
          compare(after.elements, (*expected)[i], m_kernel.tolerance.of(after.elements.dtype));
      if (!comparison.equal())
        return fmt::format("wrong result in \"{}\": {}", m_kernel.tensors[i].name,
                           comparison.text());
    }
    return "";
  }

  // What was launched for the caller, and what the tuner says where nobody saw it.
  static bool is_winner(const WatchedCall& call, const Config& config) {
    const LaunchEvent* const real = call.real_launch();
    if (real != nullptr && !real->config.empty()) return real->config == to_string(config);
    return call.answer->winner == config;
  }

  Result<void> measure() {
    // As the tuner got them: another alignment has another fastest config.
    ProofChoice choice{m_options.size, m_options.variant};
    choice.aligned = true;
    TUNECHECK_TRY(const ProofCase arguments,
                  ProofCase::make(m_kernel, choice, m_options.seed, m_folder / "tensors"));
    std::vector<CompileRequest> requests;
    std::vector<KernelTuning::Row*> rows;  // of the requests
    for (KernelTuning::Row& row : m_result.rows) {
      if (m_options.only_winner && !row.is_winner && !row.is_default) continue;
      rows.push_back(&row);
      requests.push_back({&m_kernel,
                          arguments.dtypes(),
                          row.config,
                          m_result.arch,
                          {},
                          m_kernel.sizes.at(m_options.size)});
    }
    const auto artifacts = m_backend.compile_all(requests, m_options.jobs);
    std::vector<Subject> subjects(artifacts.size() + 2);
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      TUNECHECK_CHECK(prepare(subjects[i], artifacts[i], arguments));
      // Never launch again what may harm or hang; the tuner has the reason.
      if (!rows[i]->failure.empty()) subjects[i].failure = rows[i]->failure;
    }
    Subject& naive = subjects[artifacts.size()];
    Subject& copy = subjects[artifacts.size() + 1];
    if (is_cpu() && !m_options.only_winner)
      TUNECHECK_CHECK(prepare(naive, compile_naive(arguments.dtypes()), arguments));
    TUNECHECK_CHECK(prepare_copy(copy));
    TUNECHECK_CHECK(measure_in_turn(subjects));
    for (std::size_t i = 0; i < artifacts.size(); ++i) {
      rows[i]->times = times_of(subjects[i]);
      rows[i]->failure = subjects[i].failure;
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
      subject.failure = "the kernel file does not give its bytes";
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

  [[nodiscard]] bool is_cpu() const { return m_options.backend == DeviceKind::cpu; }

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

Result<KernelTuning> tune_kernel(const KernelDefinition& kernel, const TuneOptions& options) {
  TUNECHECK_CHECK(find_adapter_program(*options.adapter));
  const AllBackends backends;
  const Backend& backend = backends.of(options.backend);
  if (options.backend == DeviceKind::cpu ? !kernel.cpu : !kernel.gpu)
    return failure(ErrorKind::bad_input, "the kernel \"{}\" has no source for {}", kernel.name,
                   name_of(options.backend));
  TUNECHECK_CHECK(check_sources(kernel));
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-tune"));
  return Desk(kernel, options, backend, folder.path()).run();
}

}  // namespace tunecheck
