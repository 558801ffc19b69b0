#include "cli/gate_calibrate_real.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <set>
#include <thread>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "cli/console.hpp"
#include "cli/division.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "gate/measure/kernel_benchmarks.hpp"
#include "gate/measure/planted_loop.hpp"
#include "gate/measure/real_calibration.hpp"
#include "gate/measure/run_session.hpp"
#include "gate/rule/real_rates.hpp"
#include "judge/run/session.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/terminal/real_rates_page.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// Keeps every core busy while it lives.
class Load {
 public:
  Load() {
    for (std::size_t i = 0; i < worker_count(0); ++i)
      m_threads.emplace_back([](const std::stop_token& stop) {
        volatile unsigned spun = 0;
        while (!stop.stop_requested())
          spun = spun + 1;
      });
  }

 private:
  std::vector<std::jthread> m_threads;
};

Result<void> check_kernels(const gate::Build& build, const std::vector<std::string>& kernels,
                           const std::vector<std::string>& sizes) {
  std::vector<std::string> known;
  for (const auto& [name, kernel] : build.kernels)
    known.push_back(name);
  for (const std::string& name : kernels) {
    const auto found = build.kernels.find(name);
    if (found == build.kernels.end())
      return failure(Error{
          ErrorKind::bad_input, unknown_word_message("kernel", name, known), {}, 0, "--kernel"});
    for (const std::string& size : sizes) {
      if (found->second.sizes.contains(size)) continue;
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("the kernel \"{}\" has no size \"{}\"", name, size),
                           {},
                           0,
                           "--size"});
    }
  }
  return {};
}

Result<std::optional<gate::SessionPart>> part_asked(const RealArguments& arguments) {
  TUNECHECK_TRY(const auto shard, shard_asked(arguments.shard));
  if (!shard) return std::optional<gate::SessionPart>();
  const gate::SessionPart part{static_cast<std::size_t>(shard->number),
                               static_cast<std::size_t>(shard->count), arguments.sessions};
  if (part.count <= part.sessions) return std::optional(part);
  return failure(Error{ErrorKind::bad_input,
                       fmt::format("expected at most as many parts as sessions, {}, found {}",
                                   part.sessions, part.count),
                       {},
                       0,
                       "--shard"});
}

// A head that is slower in no time that is measured would be called missed in every session.
Result<void> check_slowdowns(const gate::Build& build, const std::vector<std::string>& kernels,
                             const std::vector<std::string>& metrics, DeviceKind backend) {
  const auto refused = [](std::string message, std::string key) {
    return failure(Error{ErrorKind::bad_input, std::move(message), {}, 0, std::move(key)});
  };
  for (const std::string& metric : metrics) {
    const std::string_view how = gate::how_slowed(metric, backend);
    if (how.empty())
      return refused(fmt::format("expected a metric that --plant can slow down on {}, found \"{}\"",
                                 name_of(backend), metric),
                     "--metric");
    if (how != gate::slowed_by::loop) continue;
    for (const std::string& kernel : kernels)
      if (std::string why = gate::why_no_planted_loop(build.kernels.at(kernel)); !why.empty())
        return refused("--plant needs a loop in the kernel's source: " + std::move(why),
                       "--kernel");
  }
  return {};
}

Result<gate::RealCalibrationOptions> options_of(const RealArguments& arguments) {
  if (!(arguments.delta < arguments.tolerance))
    return failure(Error{ErrorKind::bad_input,
                         fmt::format("expected more than --delta, {:g} %, found {:g} %",
                                     100 * arguments.delta, 100 * arguments.tolerance),
                         {},
                         0,
                         "--tolerance"});
  gate::RealCalibrationOptions options;
  TUNECHECK_TRY(options.build,
                gate::open_build(arguments.build.empty() ? program_folder().parent_path()
                                                         : fs::path(arguments.build),
                                 "reference", {}));
  if (!arguments.kernels.empty()) options.kernels = arguments.kernels;
  if (!arguments.metrics.empty()) options.metrics = arguments.metrics;
  if (!arguments.sizes.empty()) options.sizes = arguments.sizes;
  TUNECHECK_CHECK(check_kernels(options.build, options.kernels, options.sizes));
  if (arguments.head > 0)
    TUNECHECK_CHECK(
        check_slowdowns(options.build, options.kernels, options.metrics, arguments.backend));
  options.is_whole = arguments.is_whole;
  options.head = arguments.head;
  options.is_loaded = arguments.load == "busy";
  options.sessions = arguments.sessions;
  TUNECHECK_TRY(options.part, part_asked(arguments));
  // There are never more sessions beside one than there are sessions.
  options.at_once = std::min(arguments.at_once, gate::sessions_asked(options));
  options.seed = arguments.seed;
  options.out = arguments.out;
  options.begun.tunecheck_version = version();
  options.begun.adapter = "reference";
  options.begun.backend = name_of(arguments.backend);
  options.begun.settings = gate::settings_with(arguments.delta, arguments.tolerance);
  options.begun.environment = describe_machine();
  options.begun.base.given = options.begun.head.given = options.build.given;
  options.machine = machine_name(options.begun.environment, is_gpu(arguments.backend));
  if (const std::size_t cpus = worker_count(0); cpus < std::thread::hardware_concurrency())
    options.machine += fmt::format(", {} of the cores", cpus);
  options.progress = [](const std::string& line) {
    print(line + "\n");
    (void)flushed(held);
  };
  options.wrong = [out = options.out](const gate::GateResult& session, const std::string& name) {
    const fs::path file = out / (name + ".json");
    print(fmt::format("a wrong answer, {}: {}\n", to_string(session.answer), file.string()));
    return GateFile(file).update(session);
  };
  return options;
}

// The signals by which somebody ends the command, and the one that says that a process has ended,
// are held back in this process while it lives: it waits for them.
class HeldSignals {
 public:
  HeldSignals() {
    ::sigemptyset(&m_set);
    ::sigaddset(&m_set, SIGCHLD);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now {};
      // Somebody who lets a signal be ignored (nohup) means this process too.
      if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
        ::sigaddset(&m_set, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &m_set, &m_before);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { release(); }

  void release() const { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  /// Waits for the next one.
  [[nodiscard]] int next() const {
    int number = 0;
    while (::sigwait(&m_set, &number) != 0) {
    }
    return number;
  }

 private:
  sigset_t m_set{}, m_before{};
};

// Plays sessions in a process of its own, which ends with this one. -1 where none can be made.
pid_t play_in_a_process(const gate::RealCalibrationOptions& options, const HeldSignals& signals) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  signals.release();
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(untrusted);
  const auto played = gate::play_sessions(options);
  ::_exit(flushed(played ? static_cast<int>(held) : report(played.error())));
}

int machine_trouble(std::string message) {
  return report(Error{ErrorKind::machine, std::move(message), {}, 0, {}});
}

int status_of_end(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return machine_trouble(
      fmt::format("signal {} ended a process that played sessions", WTERMSIG(status)));
}

// What came of those that have ended, which are taken out of `children`.
int take_ended(std::set<pid_t>& children) {
  int gravest_status = held;
  for (auto child = children.begin(); child != children.end();) {
    int status = 0;
    if (::waitpid(*child, &status, WNOHANG) != *child) {
      ++child;
      continue;
    }
    gravest_status = std::max(gravest_status, status_of_end(status));
    child = children.erase(child);
  }
  return gravest_status;
}

// Each ends those that it has started.
void end_all(const std::set<pid_t>& children) {
  for (const pid_t child : children)
    ::kill(child, SIGTERM);
  for (const pid_t child : children)
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// Says what is kept, and ends as a program does that does not know the signal.
void end_interrupted(const gate::RealCalibrationOptions& options, int number) {
  (void)flushed(held);
  const auto kept = gate::kept_sessions(options);
  (void)report(Error{ErrorKind::untrusted,
                     kept
                         ? fmt::format("interrupted: {} of {} kept in {}; the same command goes on",
                                       *kept, counted(gate::sessions_asked(options), "session"),
                                       gate::sessions_file(options.out).string())
                         : "interrupted: " + kept.error().text(),
                     {},
                     0,
                     {}});
  ::signal(number, SIG_DFL);
  ::raise(number);
}

// As many processes as sessions are played at once, and what keeps cores busy, which is in none of
// them: it is other work than theirs.
int play_at_once(const gate::RealCalibrationOptions& options) {
  (void)flushed(held);        // what is not written yet would be written by each process
  const HeldSignals signals;  // also of the threads that are started below
  std::set<pid_t> children;
  int status = held;
  while (status == held && children.size() < options.at_once) {
    const pid_t child = play_in_a_process(options, signals);
    if (child < 0)
      status = machine_trouble("cannot start a process: " + last_system_error());
    else
      children.insert(child);
  }
  const auto load = options.is_loaded ? std::make_unique<Load>() : nullptr;
  while (!children.empty()) {
    const int number = signals.next();
    if (number == SIGCHLD) {
      status = std::max(status, take_ended(children));
      continue;
    }
    end_all(children);
    end_interrupted(options, number);  // which waits until signals are released
    return untrusted;
  }
  return status;
}

}  // namespace

int show_rates(const std::vector<gate::RealSession>& sessions) {
  print(real_rates_page(sessions));
  const std::vector<gate::Goal> goals = gate::real_goals(sessions);
  const bool all_kept = std::none_of(goals.begin(), goals.end(), [](const gate::Goal& goal) {
    return goal.state == gate::GoalState::broken;
  });
  return all_kept ? held : failed;
}

int calibrate_on_this_machine(const RealArguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return report(options.error());
  const auto lock = lock_out(options->out, OutUse::shared);
  if (!lock) return report(lock.error());
  // What is wrong with the file is said once, not by every process.
  if (const auto usable = gate::check_sessions(*options); !usable) return report(usable.error());
  if (const int status = play_at_once(*options); status != held) return status;
  print("\n");
  // What a part shows of a rate, the whole decides.
  if (options->part) {
    print(fmt::format("{}: `tunecheck merge` puts the parts together\n",
                      gate::text_of(options->part)));
    return held;
  }
  return show_sessions({gate::sessions_file(options->out).string()});
}

int show_sessions(const std::vector<std::string>& files) {
  std::vector<gate::RealSession> sessions;
  std::set<std::string> known;
  for (const std::string& name : files) {
    auto file = gate::read_sessions(name);
    if (!file) return report(file.error());
    if (file->cut_bytes > 0)
      (void)report(
          {ErrorKind::bad_input,
           fmt::format("left out the last line, which was cut after {} bytes", file->cut_bytes),
           name, static_cast<int>(file->sessions.size()) + 1, ""});
    for (std::size_t i = 0; i < file->sessions.size(); ++i)
      if (!known.insert(gate::identity(file->sessions[i])).second)
        return report({ErrorKind::bad_input,
                       fmt::format("expected each session once, found number {} of these files a "
                                   "second time",
                                   file->sessions[i].number),
                       name, file->lines[i], ""});
    sessions.insert(sessions.end(), file->sessions.begin(), file->sessions.end());
  }
  return show_rates(sessions);
}

}  // namespace tunecheck::cli
