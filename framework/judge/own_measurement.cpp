#include "judge/own_measurement.hpp"

#include <algorithm>

#include "backend/compile_all.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "core/files.hpp"
#include "judge/isolated_run.hpp"

namespace tunecheck {
namespace {

// A shared machine has spells in which everything takes twice as long. One that met a single config
// would look like that config's own slowness, so all are measured again and again in turn, and the
// smallest of a config's medians counts: what disturbs a launch makes it slower, never faster.
constexpr int rounds = 5;

Result<OwnMeasurement> measure(const KernelDefinition& kernel, const protocol::CallRequest& request,
                               const std::vector<TensorFile>& files) {
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-measure"));
  TUNECHECK_TRY(const auto configs, request.space.enumerate(to_variables(request.sizes)));
  const CpuBackend backend;
  TUNECHECK_TRY(const std::string arch, backend.resolve_arch(request.arch));
  std::vector<CompileRequest> compiles;
  for (const Config& config : configs) {
    CompileRequest& compile = compiles.emplace_back();
    compile.kernel = &kernel;
    for (const TensorFile& file : files)
      compile.dtypes.push_back(file.initial().dtype);
    compile.config = config;
    compile.arch = arch;
    compile.options = request.compile_options;
  }
  const auto artifacts = compile_all(backend, compiles, request.compile_jobs);
  IsolatedRun run;
  run.measure = true;
  for (const ScalarParameter& scalar : kernel.scalars)
    run.scalars.push_back({scalar.dtype, request.scalars.at(scalar.name)});
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (kernel.resets(kernel.tensors[i].name)) run.zeroed.push_back(i);
    run.tensors.push_back({folder.path() / files[i].path().filename(), files[i].byte_offset(),
                           files[i].initial().dtype, files[i].initial().layout});
  }
  OwnMeasurement measured;
  std::map<std::string, double>& smallest = measured.median_ns;
  std::map<std::string, std::string>& failed = measured.failed;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < configs.size(); ++c) {
      const std::string config = to_string(configs[c]);
      if (!artifacts[c] || failed.contains(config)) continue;
      run.module = folder.path() / fmt::format("{}.so", c);
      if (round == 0) TUNECHECK_CHECK(write_file(run.module, artifacts[c]->bytes));
      for (std::size_t i = 0; i < files.size(); ++i)
        TUNECHECK_CHECK(files[i].write_copy(run.tensors[i].file));
      const auto result = run_isolated(run, folder.path());
      if (!result || result->status != 0) {
        smallest.erase(config);
        failed[config] =
            result ? fmt::format("returned status {}", result->status) : result.error().message;
        continue;
      }
      const double median_ns = quantile(result->samples_ns, 0.5);
      const auto [entry, is_first] = smallest.emplace(config, median_ns);
      if (!is_first) entry->second = std::min(entry->second, median_ns);
    }
  if (smallest.empty()) return failure("no config could be compiled and run");
  return measured;
}

}  // namespace

OwnMeasurement measure_all_configs(const KernelDefinition& kernel,
                                   const protocol::CallRequest& request,
                                   const std::vector<TensorFile>& files,
                                   const RunContext& context) {
  // tunecheck-runner launches on the CPU alone. What a check wanted to know is then no evidence.
  auto measured = is_gpu(context.backend)
                      ? failure("the judge measures no launches on {} yet", context.backend)
                      : measure(kernel, request, files);
  if (measured) return std::move(*measured);
  OwnMeasurement none;
  none.trouble = measured.error().text();
  return none;
}

}  // namespace tunecheck
