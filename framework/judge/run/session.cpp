#include "judge/run/session.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/chrono.h>

#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "core/info.hpp"
#include "core/resources.hpp"
#include "core/shell.hpp"
#include "core/stopwatch.hpp"
#include "harness/process/watched_process.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/run/lack.hpp"
#include "judge/run/scenario_runner.hpp"
#include "judge/run/summaries.hpp"
#include "judge/run/verdicts_of.hpp"
#include "judge/run/version.hpp"
#include "judge/scenario/known_marks.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr const char* spies = "spies";  // the folder of the session's copies, in its work folder

int core_count() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Scenarios that wait: one may stand still until its time is over, and keeps no other from waiting.
constexpr int waiting_at_once = 2;

// What measures times is disturbed by others. On a GPU a config that crashes or hangs disturbs
// them: a launch in another process may fail with it.
bool runs_alone(const Scenario& scenario, DeviceKind backend) {
  const auto& needs = scenario.needs;
  const bool harms = std::find(needs.begin(), needs.end(), "isolation") != needs.end();
  return scenario.measures || (harms && is_gpu(backend));
}

// The workspaces of scenarios that passed, until there is time to remove them: a file system may
// look at each inode that was freed within the last seconds before it hands out one (ext4 does), so
// that to remove one workspace after the other makes every file of those that follow dear. Any
// thread may hand one over. What is held is removed when it is large, and at the end.
class PassedWorkspaces {
 public:
  PassedWorkspaces() = default;
  PassedWorkspaces(const PassedWorkspaces&) = delete;
  PassedWorkspaces& operator=(const PassedWorkspaces&) = delete;
  ~PassedWorkspaces() { remove_all(); }

  void add(Workspace workspace) {
    const std::uintmax_t bytes = workspace.bytes_on_disk();
    std::vector<Workspace> too_much;
    {
      const std::lock_guard lock(m_mutex);
      m_bytes += bytes;
      m_held.push_back(std::move(workspace));
      if (m_bytes < most_bytes) return;
      too_much = std::exchange(m_held, {});
      m_bytes = 0;
    }
    for (Workspace& each : too_much)
      each.remove();
  }

  void remove_all() {
    for (Workspace& each : m_held)
      each.remove();
    m_held.clear();
  }

 private:
  static constexpr std::uintmax_t most_bytes = std::uintmax_t{512} << 20;

  std::mutex m_mutex;
  std::vector<Workspace> m_held;
  std::uintmax_t m_bytes = 0;
};

// All tasks of one run: a pool of threads for those that may run together, and beside it one for
// those that mostly wait; then one after the other those that measure, so that nothing else
// disturbs their times. run() is called once. A task never
// fails as a whole: what goes wrong in it is its result, and the others go on. Each result is
// handed to `progress` as soon as it is there, one at a time: if this process is killed, what was
// found until then has been passed on already.
class Session {
 public:
  Session(const Catalogue& catalogue, const TaskOptions& options, Observers observers)
      : m_catalogue(catalogue), m_options(options), m_oracle(options.out / "work" / "oracle") {
    m_context.observers = std::move(observers);
    m_context.oracle = &m_oracle;
    m_context.out = options.out;
    m_context.seed = options.seed;
  }

  std::vector<ScenarioResult> run(const std::vector<ScenarioTask>& tasks) {
    m_total = static_cast<int>(tasks.size());
    std::vector<ScenarioTask> together, waiting, alone;
    for (const ScenarioTask& task : tasks)
      (runs_alone(*task.scenario, m_options.backend) ? alone
       : task.scenario->waits && m_options.jobs > 1  ? waiting
                                                     : together)
          .push_back(task);
    m_context.compile_jobs = 1;
    {
      const std::jthread beside([&] { run_all(waiting, waiting_at_once); });
      run_all(together, std::min(m_options.jobs, static_cast<int>(together.size())));
    }
    // Alone on the machine, so all its cores may compile.
    m_context.compile_jobs = m_options.jobs;
    run_all(alone, 1);
    std::sort(m_results.begin(), m_results.end(), [](const auto& a, const auto& b) {
      return std::tie(a.name, a.adapter) < std::tie(b.name, b.adapter);
    });
    m_passed.remove_all();
    std::error_code ignored;
    for (const char* const made : {"oracle", spies})
      fs::remove_all(m_options.out / "work" / made, ignored);
    return std::move(m_results);
  }

 private:
  void run_all(const std::vector<ScenarioTask>& tasks, int threads) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t index; !has_failed_enough() && (index = next++) < tasks.size();) {
        begin(*tasks[index].scenario);
        ScenarioResult result = judged(tasks[index]);
        result.unanswered = unanswered(*tasks[index].scenario, result.checks, m_options.backend);
        finish(std::move(result));
      }
    };
    std::vector<std::jthread> pool;
    for (int i = 1; i < threads; ++i)
      pool.emplace_back(work);
    work();
  }

  [[nodiscard]] bool has_failed_enough() const {
    return m_options.most_failures > 0 && m_failures >= m_options.most_failures;
  }

  void begin(const Scenario& scenario) {
    const std::lock_guard lock(m_mutex);
    if (m_options.begun) m_options.begun(scenario);
  }

  void finish(ScenarioResult result) {
    const std::lock_guard lock(m_mutex);
    if (result.verdict == Verdict::fail || result.verdict == Verdict::error) ++m_failures;
    if (m_options.progress)
      m_options.progress(result, static_cast<int>(m_results.size()) + 1, m_total);
    m_results.push_back(std::move(result));
  }

  ScenarioResult describe(const ScenarioTask& task) const {
    const Scenario& scenario = *task.scenario;
    ScenarioResult result;
    result.name = scenario.name;
    result.family = scenario.family;
    result.file = scenario.file.string();
    result.line = scenario.line;
    result.because = scenario.because;
    result.kernel = scenario.kernel;
    result.adapter = task.adapter->name;
    result.repro =
        fmt::format("tunecheck run {}{}{} --keep", shell_quoted(scenario.name), task.repro_options,
                    m_options.seed == 1 ? "" : fmt::format(" --seed {}", m_options.seed));
    return result;
  }

  // Whatever one scenario asks for, the others are judged.
  ScenarioResult judged(const ScenarioTask& task) {
    try {
      return run_one(task);
    } catch (const std::exception& problem) {
      ScenarioResult result = describe(task);
      result.verdict = Verdict::error;
      result.message = fmt::format("the judge could not go on: {}", problem.what());
      return result;
    }
  }

  ScenarioResult run_one(const ScenarioTask& task) {
    const Scenario& scenario = *task.scenario;
    ScenarioResult result = describe(task);
    const Stopwatch watch(result.wall_ns);
    const DeviceKind device = device_of(scenario, m_options.backend);
    if (const auto lack = lack_of(*task.adapter, scenario, device)) {
      result.verdict = Verdict::unsupported;
      result.message = lack->message;
      result.lacks = lack->what;
      return result;
    }
    Result<Workspace> workspace = [&] {
      const Stopwatch preparing(result.stages.prepare_ns);
      return Workspace::create(m_options.out / "work" / task.folder / scenario.name,
                               m_catalogue.kernel_of(scenario), device);
    }();
    if (!workspace) {
      result.message = workspace.error().text();
      return result;
    }
    RunContext context = m_context;
    context.adapter = task.adapter;
    context.backend = device;
    ScenarioRun run = run_steps(scenario, m_catalogue.kernel_of(scenario), context, *workspace);
    result.stages += run.stages;
    {
      const Stopwatch judging(result.stages.check_ns);
      result.checks = judge_record(run.record);
    }
    summarize(run, result);
    if (task.known != nullptr) apply_mark(*task.known, m_today, result);
    if (result.verdict == Verdict::pass && !m_options.keep) {
      const Stopwatch removing(result.stages.prepare_ns);
      m_passed.add(std::move(*workspace));
    } else {
      result.workspace =
          workspace->folder().lexically_relative(fs::absolute(m_options.out)).string();
    }
    return result;
  }

  static void summarize(const ScenarioRun& run, ScenarioResult& result) {
    for (const ProcessRecord& process : run.record.processes) {
      if (result.tuner.empty() && process.step->settings.version == TunerVersion::own)
        result.tuner = process.tuner;
      if (result.device.empty()) result.device = process.device;
    }
    result.processes = summaries_of(run.record);
    result.verdict = worst_of(result.checks);
    if (!run.unsupported.empty()) {
      // What failed before the step that this machine cannot do has failed all the same.
      if (result.checks.empty() || result.verdict == Verdict::pass)
        result.verdict = Verdict::unsupported;
      result.message = run.unsupported;
    } else if (!run.harness_error.empty()) {
      result.verdict = Verdict::error;
      result.message = run.harness_error;
    }
  }

  const Catalogue& m_catalogue;
  const TaskOptions& m_options;
  // Of the run's start: a run over midnight judges all its scenarios alike.
  const std::chrono::sys_days m_today =
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  Oracle m_oracle;
  PassedWorkspaces m_passed;
  RunContext m_context;
  std::vector<ScenarioResult> m_results;
  std::mutex m_mutex;
  std::atomic<int> m_failures{0};
  int m_total = 0;
};

// Whether there is such a device at all, and what the tuner needs: one process that says hello,
// before any scenario.
Result<void> try_device(const Catalogue& catalogue, const ScenarioTask& task,
                        const TaskOptions& options, const Observers& observers) {
  TUNECHECK_TRY(Workspace workspace,
                Workspace::create(options.out / "work" / "device",
                                  catalogue.kernel_of(*task.scenario), options.backend));
  ProcessSetup setup;
  setup.name = "hello";
  setup.watches_arguments = task.scenario->watch;
  setup.time_limit = task.adapter->time_limit;
  TUNECHECK_TRY(WatchedProcess process,
                WatchedProcess::prepare(workspace, std::move(setup), *task.adapter, observers));
  const bool started = process.start();
  // How an adapter may fail otherwise is a verdict of its scenarios; a driver's failure is the end.
  if (!started && (is_gpu(options.backend) || process.refused()))
    return failure(process.refused() ? ErrorKind::unsupported : ErrorKind::untrusted, "{}",
                   process.trouble());
  (void)process.end();
  workspace.remove();
  return {};
}

constexpr std::string_view failed_before = " failed before it";

// A user who asked to stop early knows that scenarios are missing, and why.
void leave_out_rest(const Catalogue& catalogue, const TaskOptions& options, RunResult& result) {
  for (const std::string& name : std::exchange(result.pending, {}))
    result.left_out.push_back({name, fmt::format("{}{}", options.most_failures, failed_before),
                               unanswered(catalogue.scenarios.at(name), {}, options.backend)});
  std::sort(result.left_out.begin(), result.left_out.end(),
            [](const LeftOut& a, const LeftOut& b) { return a.name < b.name; });
}

// By name, as run_tasks returns them.
void add_scenario(const ScenarioResult& scenario, DeviceKind backend, RunResult& result) {
  const auto place = std::upper_bound(
      result.scenarios.begin(), result.scenarios.end(), scenario.name,
      [](const std::string& name, const ScenarioResult& other) { return name < other.name; });
  result.scenarios.insert(place, scenario);
  std::erase(result.pending, scenario.name);
  result.stages += scenario.stages;
  if (result.tuner.empty()) result.tuner = scenario.tuner;
  // A machine may have several: the one that was judged counts.
  if (is_gpu(backend) && !scenario.device.empty()) result.environment["device"] = scenario.device;
}

// The reader of adapter.info knows no checks.
Result<void> unseen_checks_exist(const AdapterInfo& adapter) {
  std::vector<std::string> known;
  for (const Check& check : all_checks())
    known.emplace_back(check.name);
  for (const auto& [check, unseen] : adapter.unseen)
    if (find_check(check) == nullptr)
      return failure(Error{ErrorKind::bad_input, unknown_word_message("check", check, known),
                           adapter.file.string(), unseen.line, "unseen"});
  return {};
}

}  // namespace

Result<std::vector<ScenarioResult>> run_tasks(const Catalogue& catalogue,
                                              const std::vector<ScenarioTask>& tasks,
                                              TaskOptions options) {
  if (options.self_test) TUNECHECK_CHECK(options.self_test());
  options.out = fs::absolute(options.out);
  if (options.jobs <= 0) options.jobs = core_count();
  if (const char* const shared = std::getenv("TUNECHECK_COMPILE_STORE");
      options.compile_store.empty() && shared != nullptr)
    options.compile_store = shared;
  if (options.compile_store.empty()) options.compile_store = options.out / "compile-store";
  options.compile_store = fs::absolute(options.compile_store);
  for (const ScenarioTask& task : tasks) {
    TUNECHECK_CHECK(unseen_checks_exist(*task.adapter));
    if (const auto program = find_adapter_program(*task.adapter); !program)
      return failure(program.error());
  }
  TUNECHECK_CHECK(create_folders(options.out));
  TUNECHECK_CHECK(create_folders(options.compile_store));
  TUNECHECK_TRY(Observers observers, find_observers(options.compile_store,
                                                    options.out / "work" / spies, options.backend));
  if (!tasks.empty()) TUNECHECK_CHECK(try_device(catalogue, tasks.front(), options, observers));
  return Session(catalogue, options, std::move(observers)).run(tasks);
}

bool was_stopped_before(const LeftOut& scenario) {
  return scenario.reason.ends_with(failed_before);
}

RunResult begin_run(const AdapterInfo& adapter, const TaskOptions& options) {
  RunResult result;
  result.jobs = options.jobs > 0 ? options.jobs : core_count();
  result.adapter = adapter.name;
  result.adapter_file = adapter.file.string();
  result.backend = name_of(options.backend);
  result.seed = options.seed;
  result.tunecheck_version = version_text;
  result.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
  result.environment = describe_machine();
  // In which the commands that repeat scenarios are given.
  std::error_code unknown;
  if (const auto folder = std::filesystem::current_path(unknown); !unknown)
    result.environment["folder"] = folder.string();
  return result;
}

Result<RunResult> run_scenarios(const Catalogue& catalogue,
                                const std::vector<const Scenario*>& scenarios,
                                const RunOptions& options) {
  RunResult result = begin_run(options.adapter, options.tasks);
  result.left_out = options.left_out;
  result.shard = options.shard;
  if (!options.commit.empty()) result.environment["commit"] = options.commit;
  std::vector<ScenarioTask> tasks;
  for (const Scenario* const scenario : scenarios) {
    const auto mark = options.known.find(scenario->name);
    tasks.push_back({scenario, &options.adapter, options.repro_options, "",
                     mark == options.known.end() ? nullptr : &mark->second});
    result.pending.push_back(scenario->name);
  }
  if (options.so_far) TUNECHECK_CHECK(options.so_far(result));
  TaskOptions task_options = options.tasks;
  task_options.progress = [&](const ScenarioResult& scenario, int done, int total) {
    if (options.tasks.progress) options.tasks.progress(scenario, done, total);
    add_scenario(scenario, options.tasks.backend, result);
    // What cannot be written now cannot be written at the end either, and is reported there.
    if (options.so_far) (void)options.so_far(result);
  };
  const auto ran = [&] {
    const Stopwatch watch(result.wall_ns);
    return run_tasks(catalogue, tasks, task_options);
  }();
  if (!ran) {
    result.trouble = ran.error().text();
    if (options.so_far) (void)options.so_far(result);
    return failure(ran.error());
  }
  leave_out_rest(catalogue, options.tasks, result);
  return result;
}

}  // namespace tunecheck
