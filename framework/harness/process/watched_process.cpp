#include "harness/process/watched_process.hpp"

#include <chrono>
#include <thread>
#include <unistd.h>

#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "core/stopwatch.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck {
namespace {

constexpr std::chrono::seconds gpu_start_time(20);

std::string trouble_of(const Error& error) {
  return "the adapter " + error.message;
}

EvidenceSource evidence_of(EvidenceInbox& inbox, const std::shared_ptr<std::set<int>>& compiled) {
  return [&inbox, compiled]() -> Result<Evidence> {
    TUNECHECK_TRY(const std::vector<SentLines> lines, inbox.take());
    TUNECHECK_TRY(Evidence evidence, parse_evidence(lines));
    for (const CompileEvent& compile : evidence.compiles)
      compiled->insert(compile.sender);
    return evidence;
  };
}

}  // namespace

WatchedProcess::WatchedProcess(const Workspace& workspace, ProcessSetup setup,
                               std::unique_ptr<EvidenceInbox> inbox)
    : m_setup(std::move(setup)),
      m_kernel(workspace.kernel()),
      m_evidence_file(workspace.evidence_file(m_setup.name)),
      m_counts_file(workspace.counts_file(m_setup.name)),
      m_ready_file(workspace.ready_file(m_setup.name)),
      m_inbox(std::move(inbox)),
      m_compiled(std::make_shared<std::set<int>>()),
      m_evidence(evidence_of(*m_inbox, m_compiled), m_kernel) {}

Result<WatchedProcess> WatchedProcess::prepare(const Workspace& workspace, ProcessSetup setup,
                                               const AdapterInfo& adapter,
                                               const Observers& observers) {
  TUNECHECK_CHECK(workspace.prepare_process(setup, adapter, observers));
  TUNECHECK_TRY(auto inbox, EvidenceInbox::open(workspace.evidence_socket(setup.name),
                                                workspace.evidence_file(setup.name)));
  WatchedProcess process(workspace, std::move(setup), std::move(inbox));
  process.m_keeps_artifacts = adapter.has("artifact");
  process.m_compiles_itself =
      is_gpu(workspace.backend()) || adapter.is_observed_by(vulkan_observer);
  process.m_may_warm_up = adapter.warm_up_launches;
  AdapterLaunch& launch = process.m_launch;
  launch.adapter = &adapter;
  launch.environment = workspace.environment_for(process.m_setup, adapter, observers);
  launch.backend = workspace.backend();
  launch.folder = workspace.working_folder(process.m_setup.name);
  launch.log = workspace.process_folder(process.m_setup.name) / "adapter.log";
  launch.time_limit = process.m_setup.time_limit;
  // A limit is for a tuner that hangs. That a GPU's contexts take their time is no such thing.
  if (is_gpu(launch.backend)) launch.time_limit += gpu_start_time;
  launch.in_child = workspace.child_setup();
  launch.child_has_own_memory = workspace.child_has_own_memory();
  process.m_programs = workspace.watched_programs(process.m_setup, observers);
  return process;
}

bool WatchedProcess::start() {
  auto watch = ProgramWatch::begin(m_programs);
  if (!watch) {
    m_trouble = watch.error().message;
    return false;
  }
  m_watch = std::move(*watch);
  AdapterLaunch launch = m_launch;
  launch.in_child = [this] {
    if (m_launch.in_child) m_launch.in_child();
    m_watch->in_child();
  };
  auto started = AdapterProcess::start(launch);
  m_unseen_programs = m_watch->trouble();
  if (!started) {
    m_trouble = trouble_of(started.error());
    m_refused = started.error().kind == ErrorKind::unsupported;
    return false;
  }
  m_process = std::move(*started);
  m_id = m_process->id();
  m_hello = m_process->hello();
  if (auto counting = begin_counts(); !counting) {
    m_trouble = counting.error().text();
    return false;
  }
  if (m_setup.kill && m_setup.kill->when != KillPoint::When::file_operation)
    m_killer = std::make_unique<EvidenceKiller>(m_setup, m_evidence_file, m_kernel, m_id);
  return true;
}

// What a tuner stores while it is loaded is no part of a call: Triton's driver compiles a helper.
Result<void> WatchedProcess::begin_counts() const {
  if (m_setup.kill || m_setup.refusal)
    TUNECHECK_CHECK(write_file(m_ready_file, std::string_view()));
  if (!m_setup.counts_trials) return {};
  return start_counting(m_counts_file, m_id, Counted::trials);
}

std::string WatchedProcess::tuner() const {
  return m_hello.tuner.empty() ? "" : m_hello.tuner + " " + m_hello.tuner_version;
}

Result<void> WatchedProcess::ask(WatchedCall& call) {
  call.keeps_artifacts = m_keeps_artifacts;
  call.may_warm_up = m_may_warm_up;
  m_may_search_meanwhile = m_may_search_meanwhile || !call.request.wait;
  TUNECHECK_CHECK(begin_burst(call));
  call.asked_ns = evidence_now_ns();
  auto answer = [&] {
    const Stopwatch asking(call.wall_ns);
    return m_process->call(call.request);
  }();
  if (answer)
    call.answer = std::move(*answer);
  else
    call.trouble = trouble_of(answer.error());
  return end_burst(call);
}

void WatchedProcess::ask_together(const std::vector<WatchedCall*>& calls) {
  std::vector<protocol::CallRequest> requests;
  for (const WatchedCall* const call : calls) {
    m_may_search_meanwhile = m_may_search_meanwhile || !call->request.wait;
    requests.push_back(call->request);
  }
  const std::int64_t asked_ns = evidence_now_ns();
  std::int64_t wall_ns = 0;
  auto answers = [&] {
    const Stopwatch asking(wall_ns);
    return m_process->call_together(requests);
  }();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i]->keeps_artifacts = m_keeps_artifacts;
    calls[i]->may_warm_up = m_may_warm_up;
    calls[i]->asked_ns = asked_ns;
    calls[i]->wall_ns = wall_ns;
    if (answers)
      calls[i]->answer = std::move((*answers)[i]);
    else
      calls[i]->trouble = trouble_of(answers.error());
  }
}

Result<void> WatchedProcess::replace_compilers(CompilerMode mode, const Workspace& workspace,
                                               const AdapterInfo& adapter,
                                               const Observers& observers) {
  m_setup.compiler = mode;
  return m_watch->change_spies(
      [&] { return workspace.install_compilers(m_setup, adapter, observers); });
}

Result<void> WatchedProcess::gather(const std::vector<WatchedCall*>& calls) {
  TUNECHECK_CHECK(m_evidence.give_to(calls, m_id));
  // Of calls that are made at the same moment, each has its own already.
  if (m_may_search_meanwhile && calls.size() == 1) calls.front()->put_real_launch_last(m_id);
  return {};
}

Result<void> WatchedProcess::rest(std::chrono::seconds at_most) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds rested(1);
  constexpr std::chrono::milliseconds between_looks(20);
  const auto end = Clock::now() + at_most;
  auto busy = Clock::now();
  constexpr std::int64_t idle_ns = 2'000'000;  // of processor time between two looks
  std::int64_t cpu_ns = 0;
  std::size_t seen = m_evidence.late_count();
  while (Clock::now() < end && Clock::now() - busy < rested) {
    std::this_thread::sleep_for(between_looks);
    TUNECHECK_CHECK(m_evidence.note_late());
    const std::size_t now = m_evidence.late_count();
    const auto use = process_use(m_id);
    if (!use) return {};  // it has ended: its next call says so
    const bool works = now != seen || use->cpu_ns - cpu_ns > idle_ns || has_children(m_id);
    if (works) busy = Clock::now();
    seen = now;
    cpu_ns = use->cpu_ns;
  }
  return {};
}

Result<void> WatchedProcess::gather_late(const std::vector<WatchedCall*>& calls) {
  if (!is_running()) {
    TUNECHECK_CHECK(m_evidence.note_late());
    if (!m_misled_spy.empty())
      return failure(ErrorKind::untrusted,
                     "nobody knows what was compiled: {}, while the tuner ran", m_misled_spy);
    TUNECHECK_CHECK(check_senders());
  }
  m_evidence.give_late_to(calls);
  return {};
}

// What a compile was is told by the spy in the compiler's place, and by the judge itself about
// others. A library that compiles on a device's behalf is a part of the tuner's own processes.
Result<void> WatchedProcess::check_senders() const {
  if (!m_unseen_programs.empty() || m_compiles_itself) return {};
  for (const int sender : *m_compiled)
    if (sender != ::getpid() && !m_spies.contains(sender))
      return failure(ErrorKind::untrusted,
                     "process {} recorded a compile, and was never started as a compiler spy",
                     sender);
  return {};
}

Result<void> WatchedProcess::begin_burst(WatchedCall& call) const {
  if (!call.request.burst) return {};
  BurstRecord& burst = call.burst.emplace();
  burst.calls = call.request.burst->calls;
  TUNECHECK_CHECK(start_counting(m_counts_file, m_id));
  burst.had_children = has_children(m_id);
  TUNECHECK_TRY(burst.before, process_use(m_id));
  return {};
}

Result<void> WatchedProcess::end_burst(WatchedCall& call) const {
  if (!call.burst) return {};
  call.burst->wall_ns = call.wall_ns;
  TUNECHECK_TRY(call.burst->counts, stop_counting(m_counts_file));
  // A process that has died uses nothing; that it has died is what the call says.
  if (call.answer) {
    TUNECHECK_TRY(call.burst->after, process_use(m_id));
    call.burst->had_children = call.burst->had_children || has_children(m_id);
  }
  return {};
}

AdapterProcess::End WatchedProcess::end() {
  if (!m_process) return {};
  m_killed_ns = killed_ns();
  m_killer.reset();  // that it ends now is not what it was to be killed for
  AdapterProcess::End end = m_process->finish();
  m_process.reset();
  m_misled_spy = m_watch->misled_spy();
  m_spies = m_watch->spies();
  m_watch.reset();  // what it has seen is recorded now
  return end;
}

bool WatchedProcess::leaves_room_in(const std::filesystem::path& folder) const {
  // Its file systems are its own: they are seen by way of its root.
  const std::filesystem::path seen =
      "/proc/" + std::to_string(m_id) + "/root" + std::filesystem::absolute(folder).string();
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(seen, error);
  if (error || space.available == 0) return false;
  for (std::filesystem::recursive_directory_iterator entry(seen, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (entry->is_regular_file(gone) && entry->file_size(gone) > 0 && !gone) return true;
  }
  return false;
}

std::int64_t WatchedProcess::killed_ns() const {
  return m_killer ? m_killer->killed_ns() : m_killed_ns;
}

}  // namespace tunecheck
