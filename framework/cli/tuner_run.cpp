#include "cli/tuner_run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/build_commit.hpp"
#include "cli/config/config_file.hpp"
#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "cli/run/interruption.hpp"
#include "cli/selection.hpp"
#include "core/command.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "judge/run/lack.hpp"
#include "judge/scenario/known_marks.hpp"
#include "judge/scenario/quick.hpp"
#include "reports/ci/junit.hpp"
#include "reports/stored/json.hpp"
#include "reports/stored/result_file.hpp"
#include "reports/stored/result_reader.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// A name without a '/' is that of an adapter of tunecheck's own.
std::string with_slash(const std::string& path) {
  return path.find('/') == path.npos ? "./" + path : path;
}

// The commit that the folder of an adapter is at; "" where it is in no repository, or there is no
// git.
std::string commit_at(const fs::path& folder) {
  CommandOptions command;
  command.arguments = {"git", "rev-parse", "--verify", "--quiet", "HEAD"};
  command.folder = folder;
  const auto ran = run_command(command);
  if (!ran || !ran->end.success()) return {};
  return ran->output.substr(0, ran->output.find('\n'));
}

// Below the output folder where that is below the working folder. Another machine need not have, or
// allow, an absolute one: there the folder's name must do.
std::string repeat_folder(const std::string& out) {
  const fs::path folder = portable_path(out + "/repeat");
  if (folder.is_relative()) return folder.string();
  const fs::path name = folder.parent_path().filename();
  return (name.empty() ? folder.filename() : name / folder.filename()).string();
}

// What a command that repeats one scenario must say beside its name. It gets a folder of its own,
// so that the report it repeats stays.
std::string repro_options(const RunArguments& arguments) {
  const bool is_file = arguments.adapter.find('/') != std::string::npos;
  std::string options =
      " --adapter " +
      shell_quoted(is_file ? with_slash(portable_path(arguments.adapter)) : arguments.adapter);
  if (arguments.backend != DeviceKind::cpu)
    options += fmt::format(" --backend {}", name_of(arguments.backend));
  options += places_of(arguments.kernels, arguments.scenarios);
  for (const std::string& file : arguments.known)
    options += " --known " + shell_quoted(portable_path(file));
  // The options of a file are among these; what else it says is not to change what is repeated.
  if (!used_config().empty()) options += " " + std::string(no_config_option);
  return options + " --out " + shell_quoted(repeat_folder(arguments.out));
}

// The names of all scenarios that a mark may be for: an adapter marks tunecheck's own, whichever
// are run.
Result<std::set<std::string>> markable(const RunArguments& arguments, const Catalogue& catalogue) {
  std::set<std::string> names;
  for (const auto& [name, scenario] : catalogue.scenarios)
    names.insert(name);
  if (arguments.scenarios.empty()) return names;
  TUNECHECK_TRY(const Catalogue own, read_catalogue({to_paths(arguments.kernels), {}}));
  for (const auto& [name, scenario] : own.scenarios)
    names.insert(name);
  return names;
}

Result<KnownFailures> marks_for(const RunArguments& arguments, const AdapterInfo& adapter,
                                const Catalogue& catalogue) {
  std::vector<fs::path> files;
  if (const auto own = known_failures_of(adapter)) files.push_back(*own);
  for (const std::string& file : arguments.known)
    files.emplace_back(file);
  if (files.empty()) return KnownFailures();
  TUNECHECK_TRY(const std::set<std::string> names, markable(arguments, catalogue));
  return read_known_failures(files, names);
}

// What a run has found so far.
struct Kept {
  std::mutex guard;
  std::optional<RunResult> last;
  bool is_over = false;   ///< somebody has ended it: what follows is not its tuner's doing
  bool was_full = false;  ///< the disk
};

// Scenarios that are in error may be so because nothing more can be written: the tensors of one
// take megabytes.
bool is_out_full(const RunResult& result, const fs::path& out) {
  constexpr std::uintmax_t least_bytes = 4 << 20;
  if (result.count(Verdict::error) == 0) return false;
  std::error_code unknown;
  const fs::space_info space = fs::space(out, unknown);
  return !unknown && space.available < least_bytes;
}

void leave_unfinished(Kept& kept, const fs::path& out) {
  const std::scoped_lock one(kept.guard);
  kept.is_over = true;
  std::string line = "\ntunecheck: interrupted before anything was run\n";
  if (kept.last) {
    const auto written = write_json(*kept.last, out / "result.json");
    const auto for_ci = write_junit(*kept.last, out / "junit.xml", fs::current_path());
    const std::size_t done = kept.last->scenarios.size(), left = kept.last->pending.size();
    line =
        !written || !for_ci
            ? "\ntunecheck: interrupted, and " + (written ? for_ci : written).error().text() + "\n"
            : fmt::format(
                  "\ntunecheck: interrupted after {} of {}; {} and junit.xml next to it "
                  "have them, and --resume goes on\n",
                  done, counted(done + left, "scenario"), (out / "result.json").string());
  }
  std::fputs(line.c_str(), stderr);
}

}  // namespace

void add_run_options(CLI::App& command, RunArguments& arguments) {
  add_backend(command, arguments.backend,
              "The kind of device: \"cpu\", \"cuda\" or \"hip\"; \"cpu\" if not\n"
              "given. Scenarios that do not run there are left out");
  add_jobs(command, arguments.jobs);
  add_seed(command, arguments.seed);
  add_keep(command, arguments.keep);
  command.add_flag("--quick", arguments.quick,
                   "Run only a few of the selected scenarios, which still cover every family and\n"
                   "every check");
  add_kernel_folders(command, arguments.kernels);
  add_repeatable(command, "--scenarios", arguments.scenarios,
                 "File or folder of scenarios instead of tunecheck's own; may be given\n"
                 "several times",
                 "PATH");
  add_repeatable(command, "--known", arguments.known,
                 "File of known failures, in addition to the adapter's own known.info;\n"
                 "may be given several times",
                 "FILE");
}

Result<TunerRun> prepare(const RunArguments& arguments) {
  TunerRun run;
  TUNECHECK_TRY(run.options.adapter, find_adapter(arguments.adapter));
  TUNECHECK_TRY(run.catalogue,
                read_catalogue({to_paths(arguments.kernels), to_paths(arguments.scenarios),
                                &run.options.adapter, arguments.backend}));
  TUNECHECK_CHECK(check_kernels(run.options.adapter, run.catalogue));
  name_kernels(run.options.adapter, run.catalogue, arguments.backend);
  TUNECHECK_TRY(run.options.known, marks_for(arguments, run.options.adapter, run.catalogue));
  run.options.tasks.backend = arguments.backend;
  run.options.tasks.jobs = arguments.jobs;
  run.options.tasks.out = arguments.out;
  run.options.tasks.seed = arguments.seed;
  run.options.tasks.keep = arguments.keep;
  run.options.repro_options = repro_options(arguments);
  // For an adapter of tunecheck's own it would be the commit of tunecheck.
  if (arguments.adapter.find('/') != std::string::npos)
    run.options.commit = commit_at(run.options.adapter.file.parent_path());
  return run;
}

void share_compile_store(TunerRun& run, const fs::path& folder) {
  const char* const store = std::getenv("TUNECHECK_COMPILE_STORE");
  if (store == nullptr || *store == '\0')
    run.options.tasks.compile_store = folder / "compile-store";
}

Result<void> check_backend(const TunerRun& run) {
  const AdapterInfo& adapter = run.options.adapter;
  const DeviceKind backend = run.options.tasks.backend;
  // Scenarios choose the simulated device themselves: other kernels cannot run on it.
  std::vector<DeviceKind> backends = adapter.backends;
  std::erase(backends, DeviceKind::sim);
  if (std::find(backends.begin(), backends.end(), backend) != backends.end()) return {};
  return failure(
      Error{ErrorKind::bad_input,
            fmt::format("adapter \"{}\" has no backend \"{}\"; expected one of: {}", adapter.name,
                        name_of(backend), fmt::join(names_of(backends), ", ")),
            {},
            0,
            "--backend"});
}

Result<RunResult> perform(const TunerRun& run, Detail detail) {
  RunOptions options = run.options;
  options.tasks.most_failures = run.most_failures;
  ResultFile file(options.tasks.out / "result.json");
  const auto whole = [&](RunResult result) {
    add_build_commit(result.environment);
    if (!run.before) return result;
    RunResult both = joined(*run.before, result);
    both.shard = run.before->shard;
    return both;
  };
  Kept kept;
  options.so_far = [&](const RunResult& result) -> Result<void> {
    const std::scoped_lock one(kept.guard);
    if (kept.is_over) return {};
    kept.last = whole(result);
    kept.was_full = kept.was_full || is_out_full(*kept.last, options.tasks.out);
    return file.update(*kept.last);
  };
  std::map<std::string, int> families;
  for (const Scenario* const scenario : run.scenarios)
    ++families[scenario->family];
  Progress progress(stdout_is_terminal(), detail, std::move(families));
  options.tasks.begun = [&](const Scenario& scenario) { progress.begun(scenario.name); };
  options.tasks.progress = [&](const ScenarioResult& scenario, int done, int total) {
    progress.scenario(scenario, done, total);
  };
  const Interruption ending([&] { leave_unfinished(kept, options.tasks.out); });
  TUNECHECK_TRY(const RunResult result, run_scenarios(run.catalogue, run.scenarios, options));
  if (kept.was_full)
    return failure(Error{ErrorKind::machine,
                         "the disk is full, so that no verdict is to be trusted; expected room for "
                         "evidence, or another --out",
                         options.tasks.out.string(),
                         0,
                         {}});
  return whole(result);
}

RunResult not_begun(const TunerRun& run, const Error& trouble) {
  RunResult result = begin_run(run.options.adapter, run.options.tasks);
  add_build_commit(result.environment);
  result.shard = run.options.shard;
  result.left_out = run.options.left_out;
  for (const Scenario* const scenario : run.scenarios)
    result.pending.push_back(scenario->name);
  result.trouble = trouble.message;
  return result;
}

}  // namespace tunecheck::cli
