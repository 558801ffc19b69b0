#include "gate/measure/real_calibration.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "gate/measure/compare_builds.hpp"
#include "gate/measure/other_work.hpp"
#include "gate/measure/session_log.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t digits_of_a_build = 12;

void note_winners(const KernelSide& side, SideResult& result) {
  for (std::size_t i = 0; i < side.tunings().size(); ++i)
    result.environment[fmt::format("{} at {}, winner of tuning {}", side.kernel().name, side.size(),
                                   i + 1)] = side.tunings()[i].winner;
}

// The adapter that was measured, and the programs that measured it.
Result<std::string> digest_of(const Build& build) {
  std::string digests;
  for (const auto& [what, digest] : describe(build))
    digests += what + digest;
  TUNECHECK_TRY(const fs::path runner, find_own_file("tunecheck-runner"));
  for (const fs::path& file : {fs::path("/proc/self/exe"), runner}) {
    TUNECHECK_TRY(const auto bytes, read_binary_file(file));
    digests += artifact_digest(bytes);
  }
  return key_digest(digests).substr(0, digits_of_a_build);
}

constexpr std::string_view work_prefix = "process-";

// What a process that was killed left behind. Folders of processes that still play stay.
void remove_work_of_dead_processes(const fs::path& out) {
  std::error_code error;
  std::vector<fs::path> dead;
  for (const auto& entry : fs::directory_iterator(out, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(work_prefix)) continue;
    const auto process = parse_integer(name.substr(work_prefix.size()));
    if (process && *process > 0 && ::kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH)
      dead.push_back(entry.path());
  }
  for (const fs::path& folder : dead)
    fs::remove_all(folder, error);
}

// Where no tuning has a winner, the adapter cannot run here, and no session can.
Result<void> check_tuned(const GateResult& result) {
  if (!result.base.environment.empty() || !result.head.environment.empty()) return {};
  for (const BenchmarkResult& benchmark : result.benchmarks)
    if (benchmark.finding.answer == Answer::invalid)
      return failure(ErrorKind::machine, "{}: {}", benchmark.subject.name,
                     benchmark.finding.reason);
  return {};
}

// Plays the sessions of one process. play() is called once: it claims a session, plays it and
// appends it until none is left. An error loses the session that is being played, and nothing else.
class Playing {
 public:
  Playing(const RealCalibrationOptions& options, SessionKind kind, SessionLog log)
      : m_options(options), m_kind(std::move(kind)), m_log(std::move(log)) {}

  Result<void> play() {
    // Of this process: others play in the same folder.
    m_work = fs::absolute(m_options.out) / fmt::format("{}{}", work_prefix, ::getpid());
    const auto played = play_all();
    std::error_code ignored;
    fs::remove_all(m_work, ignored);
    return played;
  }

 private:
  Result<void> play_all() {
    while (true) {
      TUNECHECK_TRY(const auto number, m_log.claim(m_options.sessions));
      if (!number) return {};
      TUNECHECK_TRY(const RealSession session, play_one(*number));
      TUNECHECK_CHECK(m_log.append(session));
      say(fmt::format("{} of {}: {}", m_log.played(), sessions_asked(m_options),
                      to_string(session.answer)));
    }
  }

  void say(const std::string& line) const {
    if (m_options.progress) m_options.progress(line);
  }

  Result<RealSession> play_one(std::size_t number) {
    RealSession session;
    session.kind = m_kind;
    session.number = number;
    session.seed = m_options.seed + number;
    session.started =
        fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
    GateResult result = m_options.begun;
    result.seed = session.seed;
    result.started = session.started;
    result.backend = m_kind.backend;
    const OtherWork other;
    {
      const Stopwatch watch(result.wall_ns);
      TUNECHECK_CHECK(compare_builds(compared(result), result));
    }
    TUNECHECK_CHECK(check_tuned(result));
    m_has_played = true;
    const OtherWork::Cpus busy = other.cpus();
    session.other_work = busy.here;
    session.elsewhere = busy.elsewhere;
    session.seconds = static_cast<double>(result.wall_ns) / 1e9;
    take_findings(result, session);
    TUNECHECK_CHECK(hand_over(session, result));
    return session;
  }

  [[nodiscard]] CompareOptions compared(GateResult& result) const {
    CompareOptions options;
    options.base = options.head = m_options.build;
    options.kernels = m_options.kernels;
    options.sizes = m_options.sizes;
    options.metrics = m_options.metrics;
    options.out = m_work;
    options.store = fs::absolute(m_options.out) / "compile-store";
    options.slower_head = m_kind.head;
    options.is_whole = m_kind.is_whole;
    options.is_loop_tried = m_has_played;
    options.tuned = [&result](const KernelSide& base, const KernelSide& head) {
      note_winners(base, result.base);
      note_winners(head, result.head);
    };
    return options;
  }

  [[nodiscard]] Result<void> hand_over(const RealSession& session, const GateResult& result) const {
    const bool is_missed =
        m_kind.head > 0 && m_kind.head >= m_kind.tolerance && session.answer == Answer::pass;
    if (!m_options.wrong || !(session.is_false_alarm() || is_missed)) return {};
    return m_options.wrong(
        result, fmt::format("{}-{:g}-{}-{}-{}", is_missed ? "missed" : "alarm", 100 * m_kind.head,
                            m_kind.is_loaded ? "busy" : "idle", m_kind.at_once, session.number));
  }

  const RealCalibrationOptions& m_options;
  SessionKind m_kind;
  SessionLog m_log;
  fs::path m_work;
  bool m_has_played = false;
};

}  // namespace

namespace {

Result<SessionLog> open_log(const RealCalibrationOptions& options) {
  TUNECHECK_TRY(const SessionKind kind, kind_of(options));
  TUNECHECK_CHECK(create_folders(options.out));
  remove_work_of_dead_processes(options.out);
  return SessionLog::open(sessions_file(options.out), kind);
}

}  // namespace

fs::path sessions_file(const fs::path& out) {
  return out / "sessions.jsonl";
}

std::size_t sessions_asked(const RealCalibrationOptions& options) {
  return options.part ? options.part->size() : options.sessions;
}

Result<SessionKind> kind_of(const RealCalibrationOptions& options) {
  SessionKind kind;
  TUNECHECK_TRY(kind.build, digest_of(options.build));
  kind.machine = options.machine;
  kind.kernels = fmt::format("{}", fmt::join(options.kernels, ", "));
  kind.size = fmt::format("{}", fmt::join(options.sizes, ", "));
  kind.metrics = fmt::format("{}", fmt::join(options.metrics, ", "));
  kind.backend = options.begun.backend;
  kind.is_whole = options.is_whole;
  kind.delta = options.begun.settings.delta;
  kind.tolerance = options.begun.settings.tolerance;
  kind.head = options.head;
  kind.is_loaded = options.is_loaded;
  kind.at_once = options.at_once;
  kind.part = options.part;
  return kind;
}

Result<void> check_sessions(const RealCalibrationOptions& options) {
  TUNECHECK_TRY(const SessionLog log, open_log(options));
  if (!log.removed().empty() && options.progress) options.progress(log.removed());
  return {};
}

Result<std::size_t> kept_sessions(const RealCalibrationOptions& options) {
  TUNECHECK_TRY(const SessionLog log, open_log(options));
  return log.played();
}

Result<void> play_sessions(const RealCalibrationOptions& options) {
  TUNECHECK_TRY(SessionKind kind, kind_of(options));
  TUNECHECK_CHECK(check_sessions(options));
  TUNECHECK_TRY(SessionLog log, SessionLog::open(sessions_file(options.out), kind));
  return Playing(options, std::move(kind), std::move(log)).play();
}

}  // namespace tunecheck::gate
