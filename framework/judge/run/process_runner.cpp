#include "judge/run/process_runner.hpp"

#include <algorithm>
#include <dlfcn.h>

#include "core/stopwatch.hpp"
#include "judge/run/call_runner.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck {
namespace {

std::string relative(const std::filesystem::path& path, const RunContext& context) {
  return path.lexically_relative(context.out).string();
}

bool any_needs(const std::vector<const CallStep*>& calls, ExtraEvidence evidence,
               DeviceKind device) {
  return std::any_of(calls.begin(), calls.end(),
                     [&](const CallStep* call) { return needs(*call, evidence, device); });
}

bool has_burst(const ProcessStep& process) {
  const auto calls = process.calls();
  return std::any_of(calls.begin(), calls.end(),
                     [](const CallStep* call) { return call->settings.burst.has_value(); });
}

// Called once: by whoever comes first, or at the end of its life.
class Once {
 public:
  explicit Once(std::function<void()> call) : m_call(std::move(call)) {}
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;
  ~Once() { (*this)(); }
  void operator()() {
    if (m_call) std::exchange(m_call, nullptr)();
  }

 private:
  std::function<void()> m_call;
};

// It stays open: a library that is closed and opened again may do what it does only once.
bool can_be_opened(const std::string& library) {
  return ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr;
}

}  // namespace

void ProcessRun::note(const Result<void>& result) {
  if (result || stopped()) return;
  const Error& error = result.error();
  (error.kind == ErrorKind::unsupported ? unsupported : harness_error) = error.text();
}

ProcessRunner::ProcessRunner(const Scenario& scenario, const KernelDefinition& kernel,
                             const RunContext& context, Workspace& workspace, RemoteSite& remotes,
                             const ExchangeSite& exchange, const ProcessStep& step,
                             const ProcessGroup* group, int number)
    : m_scenario(scenario),
      m_kernel(kernel),
      m_context(context),
      m_workspace(workspace),
      m_remotes(remotes),
      m_exchange(exchange),
      m_step(step),
      m_number(number) {
  m_run.record.step = &step;
  m_run.record.group = group;
  if (step.settings.version == TunerVersion::other) m_other = context.adapter->of_other_version();
}

void ProcessRunner::start(std::function<bool()> still_needed) {
  ProcessRecord& record = m_run.record;
  {
    const Stopwatch watch(m_run.stages.prepare_ns);
    ProcessSetup wanted = setup();
    wanted.still_needed = std::move(still_needed);
    if (const auto opened = open_remote(wanted); !opened) return m_run.note(opened);
    if (const auto opened = open_exchange(wanted); !opened) return m_run.note(opened);
    auto prepared = WatchedProcess::prepare(m_workspace, wanted, adapter(), m_context.observers);
    if (!prepared) return m_run.note(failure(prepared.error()));
    m_process = std::move(*prepared);
    record.log_file = relative(m_process->log_file(), m_context);
    record.evidence_file = relative(m_process->evidence_file(), m_context);
  }
  const Stopwatch watch(m_run.stages.adapter_ns);
  if (!m_process->start()) {
    if (!m_other)
      record.trouble = m_process->trouble();
    else  // which is not judged
      m_run.note(failure(ErrorKind::unsupported, "the other version of the tuner is not here: {}",
                         trouble_and_last_words()));
    return;
  }
  record.tuner = m_process->tuner();
  record.programs_not_seen = m_process->unseen_programs();
  record.device = m_process->hello().device;
  const int devices = m_process->hello().devices;
  for (const CallStep* const call : m_step.calls())
    if (call->settings.gpu.device >= devices)
      m_run.note(failure(ErrorKind::unsupported,
                         "a call needs device {}, counted from 0, and the adapter has {}",
                         call->settings.gpu.device, devices));
}

// A program that ends says why in its log.
std::string ProcessRunner::trouble_and_last_words() const {
  const auto log = read_text_file(m_process->log_file());
  std::string_view words = log ? std::string_view(*log) : std::string_view();
  while (!words.empty() && words.back() == '\n')
    words.remove_suffix(1);
  words = words.substr(words.rfind('\n') + 1);
  return words.empty() ? m_process->trouble() : fmt::format("{}: {}", m_process->trouble(), words);
}

ProcessSetup ProcessRunner::setup() const {
  ProcessSetup setup;
  setup.name = m_step.name;
  setup.compiler = m_step.settings.compiler;
  setup.cache_folder = m_step.cache_folder;
  // A tuner that keeps no binaries compiles its winner in each process.
  if (setup.compiler == CompilerMode::poisoned && !m_context.adapter->has("artifact"))
    setup.compiler = CompilerMode::spy;
  setup.in_group = m_run.record.group != nullptr;
  setup.environment = m_step.settings.environment;
  if (m_step.settings.caching_off)
    for (const auto& variable : m_context.adapter->caching_off)
      setup.environment.insert(variable);
  if (m_step.settings.searching_off)
    for (const auto& variable : m_context.adapter->searching_off)
      setup.environment.insert(variable);
  if (m_step.settings.searching_anew)
    for (const auto& variable : m_context.adapter->searching_anew)
      setup.environment.insert(variable);
  if (m_step.settings.searching_last)
    for (const auto& variable : m_context.adapter->searching_last)
      setup.environment.insert(variable);
  if (const auto effort = m_context.adapter->efforts.find(m_step.settings.effort);
      effort != m_context.adapter->efforts.end())
    for (const auto& [variable, value] : effort->second)
      setup.environment[variable] = value;
  if (m_step.settings.version == TunerVersion::upgrade)
    for (const auto& variable : m_context.adapter->upgrade)
      setup.environment.insert(variable);
  if (m_step.settings.version == TunerVersion::release)
    for (const auto& variable : m_context.adapter->release)
      setup.environment.insert(variable);
  setup.kill = m_step.kill;
  setup.refusal = m_step.fail;
  setup.watches_arguments = m_scenario.watch;
  // Listing a folder at each launch costs more than many a kernel: only where a check needs it.
  setup.watches_cache = any_needs(m_step.calls(), ExtraEvidence::listed_cache, m_context.backend);
  // If a process does nothing there, another one shows that it would have been seen.
  setup.watches_files =
      any_needs(m_scenario.calls(), ExtraEvidence::listed_files, m_context.backend);
  setup.counts_launches = has_burst(m_step);
  // Trials are recorded launch by launch, also where the winner's speed is judged: checks that are
  // asked of every call that tuned (was the winner among the trials, and did these end well?) read
  // each of them.
  setup.time_limit = time_limit_of(*m_context.adapter, m_scenario.time_limit);
  if (m_context.backend == DeviceKind::sim) {
    // What chance on the simulated device depends on; see SimConditions.
    setup.environment["TUNECHECK_SIM_SEED"] = std::to_string(m_context.seed);
    setup.environment["TUNECHECK_SIM_PROCESS"] = std::to_string(m_number);
  }
  return setup;
}

// What a scenario sets itself stays.
Result<void> ProcessRunner::open_remote(ProcessSetup& setup) {
  const auto& choice = m_step.settings.remote;
  if (!choice) return {};
  if (const auto& wanted = m_context.adapter->remote.one_of_libraries;
      !wanted.empty() && std::none_of(wanted.begin(), wanted.end(), can_be_opened))
    return failure(ErrorKind::unsupported,
                   "the tuner needs a library for remote caches that is not here: {}",
                   wanted.front());
  TUNECHECK_TRY(m_remote, m_remotes.open_way(*choice));
  TUNECHECK_TRY(Environment variables,
                m_remotes.variables_of(*m_context.adapter, *choice, *m_remote));
  setup.environment.merge(variables);
  return {};
}

// Likewise.
Result<void> ProcessRunner::open_exchange(ProcessSetup& setup) {
  const AdapterInfo& adapter = *m_context.adapter;
  TUNECHECK_TRY(Environment table, m_exchange.variables_of(adapter, m_step.settings.table));
  setup.environment.merge(table);
  if (!m_step.settings.bundle) return {};
  TUNECHECK_TRY(Environment bundle, m_exchange.variables_of(adapter, *m_step.settings.bundle));
  setup.environment.merge(bundle);
  return {};
}

// Each call gets the requests that began while it was made; who makes several calls at the same
// moment has them all in each.
void ProcessRunner::gather_remote() {
  if (m_remote == nullptr) return;
  for (CallRecord& call : m_run.record.calls) {
    call.remote_requests.emplace();
    for (const RemoteRequest& request : m_remote->requests())
      if (request.began_ns >= call.asked_ns && request.began_ns <= call.asked_ns + call.wall_ns)
        call.remote_requests->push_back(request);
  }
}

ProcessRun ProcessRunner::run(Meetings meetings) {
  if (m_process && m_process->is_running()) {
    run_steps(std::move(meetings));
    end();
  } else if (meetings.first) {
    meetings.first();
  }
  return std::move(m_run);
}

void ProcessRunner::run_steps(Meetings meetings) {
  Once ready(std::move(meetings.first));
  CallRunner& calls = m_calls.emplace(m_kernel, m_context, m_workspace, m_step, m_run.stages,
                                      [&ready] { ready(); });
  std::size_t done = 0;
  for (const auto& each : m_step.steps) {
    if (m_run.stopped()) break;
    ++done;
    const std::size_t before = m_run.record.calls.size();
    if (const auto* const call = std::get_if<CallStep>(&each)) {
      m_run.record.calls.push_back(calls.run(*call, *m_process));
    } else if (const auto* const group = std::get_if<CallGroup>(&each)) {
      for (CallRecord& record : calls.run_together(*group, *m_process))
        m_run.record.calls.push_back(std::move(record));
    } else if (const auto* const touch = std::get_if<TouchStep>(&each)) {
      m_run.note(m_workspace.touch(*touch, m_kernel));
    } else if (std::holds_alternative<BarrierStep>(each)) {
      calls.wait_before_next(meetings.at_barrier);
    } else if (const auto* const archive = std::get_if<ArchiveStep>(&each)) {
      if (!run_archive(*archive)) return tell_of_missed_barrier(done);
    } else if (const auto* const rest = std::get_if<RestStep>(&each)) {
      m_run.note(m_process->rest(rest->at_most));
    } else if (const auto* const compiler = std::get_if<CompilerStep>(&each)) {
      m_run.note(m_process->replace_compilers(compiler->mode, m_workspace, adapter(),
                                              m_context.observers));
    } else {
      m_run.note(m_workspace.act(std::get<CacheStep>(each), *m_context.adapter));
    }
    if (m_run.record.calls.size() > before)
      m_run.record.calls[before].archive = std::exchange(m_archive, {});
    if (before > 0 && m_run.record.calls.size() > before) gather_late(before);
    for (const CallRecord& record : m_run.record.calls)
      if (!record.harness_error.empty()) m_run.harness_error = record.harness_error;
    if (!answered()) return tell_of_missed_barrier(done);
  }
}

// False where there was no answer.
bool ProcessRunner::run_archive(const ArchiveStep& step) {
  using protocol::ArchiveAction;
  const auto files = m_exchange.files_of(adapter(), step);
  m_run.note(files ? Result<void>() : failure(files.error()));
  if (!files) return true;
  const ArchiveAction action =
      step.imports ? ArchiveAction::import_entries : ArchiveAction::export_entries;
  const Stopwatch watch(m_run.stages.adapter_ns);
  auto answer = m_process->archive({action, files->entries, files->key});
  if (answer)
    m_archive = ArchiveRecord{&step, std::move(*answer)};
  else
    m_run.record.trouble = "the adapter " + answer.error().message;
  return answer.has_value();
}

// It gave no answer, and never comes to the barrier at which the others meet.
void ProcessRunner::tell_of_missed_barrier(std::size_t steps_done) {
  for (std::size_t i = steps_done; i < m_step.steps.size(); ++i)
    if (const auto* const barrier = std::get_if<BarrierStep>(&m_step.steps[i])) {
      if (m_run.record.calls.empty()) return;
      std::string& trouble = m_run.record.calls.back().trouble;
      if (!trouble.empty())
        trouble += fmt::format(
            "; it never came to the barrier \"{}\", and the others went on "
            "without it",
            barrier->name);
      return;
    }
}

bool ProcessRunner::answered() const {
  return std::all_of(m_run.record.calls.begin(), m_run.record.calls.end(),
                     [](const CallRecord& call) { return call.answer.has_value(); });
}

// The last of the first so many calls is told what was done after its answer and before the next
// request.
void ProcessRunner::gather_late(std::size_t calls) {
  std::vector<WatchedCall*> last;
  for (std::size_t i = calls; i > 0; --i) {
    CallRecord& call = m_run.record.calls[i - 1];
    const bool together =
        call.group != nullptr && call.group == m_run.record.calls[calls - 1].group;
    if (!last.empty() && !together) break;
    last.insert(last.begin(), &call);
  }
  const Stopwatch watch(m_run.stages.evidence_ns);
  m_run.note(m_process->gather_late(last));
}

void ProcessRunner::end() {
  ProcessRecord& record = m_run.record;
  {
    const Stopwatch watch(m_run.stages.adapter_ns);
    const AdapterProcess::End end = m_process->end();
    record.end = end.end;
    if (record.trouble.empty()) record.trouble = end.trouble;
    record.killed_ns = m_process->killed_ns();
  }
  gather_late(record.calls.size());
  if (m_calls) m_run.note(m_calls->look_again(record.calls));
  gather_remote();
  if (m_step.settings.bundle) record.bundle_files = m_exchange.count(ExchangeKind::bundle);
  bool faulted = record.killed_ns != 0;
  for (const CallRecord& call : record.calls)
    for (const FaultEvent& fault : call.faults) {
      faulted = true;
      if (fault.error == 0) record.killed_ns = fault.time_ns;
    }
  if ((m_step.kill || m_step.fail) && !faulted && answered() && !m_run.stopped())
    record.missed_its_point = true;
}

}  // namespace tunecheck
