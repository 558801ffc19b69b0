#include "judge/run/own_measurement.hpp"

#include <algorithm>
#include <limits>

#include "backend/all_backends.hpp"
#include "core/files.hpp"
#include "harness/kernel/runners.hpp"

namespace tunecheck {
namespace {

// A shared machine has spells in which everything takes twice as long. One that met a single config
// would look like that config's own slowness, so all are measured again and again in turn, and the
// smallest of a config's medians counts: what disturbs a launch makes it slower, never faster.
constexpr int rounds = 5;
// Each config is launched for so long per round: hundreds of times if it takes some microseconds.
constexpr std::chrono::milliseconds enough{20};

// A config that was this many times as slow as the fastest in so many rounds is not measured again:
// it is not the best, and no share of the best that a scenario allows is as large.
constexpr int rounds_for_all = 3;
constexpr double hopeless = 4;

// Of a run on a device, copies and all: a config that never ends must not keep the judge for long.
constexpr std::chrono::seconds device_time_limit{8};

bool is_hopeless(const std::map<std::string, double>& medians, const std::string& config) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [name, median_ns] : medians)
    best = std::min(best, median_ns);
  const auto own = medians.find(config);
  return own != medians.end() && own->second > hopeless * best;
}

void keep_smallest(std::map<std::string, double>& medians, const std::string& config,
                   const IsolatedResult& result) {
  const double median_ns = quantile(result.samples_ns, 0.5);
  const auto [entry, is_first] = medians.emplace(config, median_ns);
  if (!is_first) entry->second = std::min(entry->second, median_ns);
}

Result<OwnMeasurement> measure(DeviceKind kind, const KernelDefinition& kernel,
                               const protocol::CallRequest& request,
                               const std::vector<TensorFile>& files) {
  TUNECHECK_TRY(const TemporaryFolder folder, TemporaryFolder::create("tunecheck-measure"));
  TUNECHECK_TRY(const auto configs, request.space.enumerate(to_variables(request.sizes)));
  const AllBackends backends;
  const Backend& backend = backends.of(kind);
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
    compile.sizes = request.sizes;
  }
  const auto artifacts = backend.compile_all(compiles, request.compile_jobs);
  Runners runners(kind);
  IsolatedRun run;
  run.measure = true;
  run.enough = enough;
  if (is_gpu(kind)) run.time_limit = device_time_limit;
  for (const ScalarParameter& scalar : kernel.scalars)
    run.scalars.push_back({scalar.dtype, request.scalars.at(scalar.name)});
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (kernel.resets(kernel.tensors[i].name)) run.zeroed.push_back(i);
    run.tensors.push_back({folder.path() / files[i].path().filename(), files[i].byte_offset(),
                           files[i].initial().dtype, files[i].initial().layout});
  }
  OwnMeasurement measured;
  std::map<std::string, std::string>& failed = measured.failed;
  const std::vector<bool> ways = is_gpu(kind) ? std::vector{false, true} : std::vector{false};
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < configs.size(); ++c) {
      const std::string config = to_string(configs[c]);
      // On a GPU the spies say which config did not compile.
      if (!artifacts[c] && !is_gpu(kind)) failed[config] = "did not compile";
      if (!artifacts[c] || failed.contains(config)) continue;
      // With caches hot and cold there are two orders: on a GPU all are measured.
      if (round >= rounds_for_all && ways.size() == 1 && is_hopeless(measured.median_ns, config))
        continue;
      run.module = folder.path() / fmt::format("module-{}", c);
      if (round == 0) TUNECHECK_CHECK(write_file(run.module, artifacts[c]->bytes));
      for (std::size_t i = 0; i < files.size(); ++i)
        TUNECHECK_CHECK(files[i].write_copy(run.tensors[i].file));
      for (const bool hot : ways) {
        run.hot = hot;
        const auto result = runners.run(run, folder.path());
        if (result && result->status == 0) {
          keep_smallest(hot ? measured.hot_median_ns : measured.median_ns, config, *result);
          continue;
        }
        measured.median_ns.erase(config);
        measured.hot_median_ns.erase(config);
        failed[config] = result ? result->status_text : result.error().message;
        break;
      }
    }
  if (measured.median_ns.empty()) return failure("no config could be compiled and run");
  return measured;
}

}  // namespace

OwnMeasurement measure_all_configs(DeviceKind backend, const KernelDefinition& kernel,
                                   const protocol::CallRequest& request,
                                   const std::vector<TensorFile>& files) {
  auto measured = measure(backend, kernel, request, files);
  if (measured) return std::move(*measured);
  OwnMeasurement none;
  none.trouble = measured.error().text();
  return none;
}

}  // namespace tunecheck
