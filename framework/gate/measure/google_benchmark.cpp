#include "gate/measure/google_benchmark.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>

#include "core/command.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "gate/measure/pinning.hpp"
#include "gate/measure/run_session.hpp"
#include "gate/measure/slowdown.hpp"
#include "gate/measure/throttle.hpp"
#include "gate/rule/google_benchmark_json.hpp"
#include "gate/rule/name_changes.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

constexpr auto time_limit = std::chrono::minutes(10);  // of one process

// Exactly this one: names are full of what means something in a regular expression.
std::string filter_for(const std::string& name) {
  std::string filter = "^";
  for (const char c : name) {
    if (std::string_view(".^$|()[]{}*+?\\").find(c) != std::string_view::npos) filter += '\\';
    filter += c;
  }
  return filter + "$";
}

// How the head of a canary is made slower.
enum class Slowed { no, by_stops, by_work };

std::string text_of(Slowed slowed) {
  return std::string(slowed == Slowed::by_work ? slowed_by::work : slowed_by::stops);
}

// How long a process's first thread neither worked nor waited for a core, as a share of its CPU
// time. NaN where the system does not say.
double waited_share(const ProcessEnd& end) {
  if (end.ready_ns < 0 || end.cpu_ns <= 0) return std::numeric_limits<double>::quiet_NaN();
  return std::max(
      0.0, static_cast<double>(end.wall_ns - end.ready_ns) / static_cast<double>(end.cpu_ns));
}

// A program of Google Benchmark: list() says what it has, and measure() runs one of its benchmarks
// in a fresh process. They may be called in any order, but one at a time, also for two programs:
// all processes write one file. It is removed before each run, so that a process that writes
// nothing is not credited with the times of the one before it.
class Program {
 public:
  Program(fs::path file, const ProgramOptions& options, double planted, const CpuLease& cpu)
      : m_file(std::move(file)), m_options(options), m_planted(planted), m_cpu(cpu) {}

  [[nodiscard]] Result<std::vector<std::string>> list() const {
    CommandOptions listing = command();
    listing.arguments.emplace_back("--benchmark_list_tests=true");
    if (!m_options.filter.empty())
      listing.arguments.push_back("--benchmark_filter=" + m_options.filter);
    TUNECHECK_TRY(const CommandResult listed, run_command(listing));
    if (!listed.end.success())
      return failure(Error{
          ErrorKind::bad_input,
          "expected a program of Google Benchmark: --benchmark_list_tests: " + listed.end.text(),
          m_file.string(),
          0,
          {}});
    std::vector<std::string> names;
    std::istringstream lines(listed.output);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) names.push_back(line);
    return names;
  }

  // Whether the slowdown by work takes effect, and the program works on the CPU alone: then CPU
  // time may decide, and the canary must be slower by that too. One process of a few is enough:
  // what else the machine does can make a process wait, and cannot make one work all the time.
  [[nodiscard]] Result<bool> is_of_cpu_alone(const std::string& name) const {
    constexpr int most_processes = 3;
    for (int process = 0; process < most_processes; ++process) {
      bool was_applied = false;
      TUNECHECK_TRY(const ProcessRun run, measure(name, Slowed::by_work, &was_applied));
      if (run.cpu_samples.empty()) return false;
      if (was_applied && run.waited <= most_waited && run.waits <= most_waits) return true;
    }
    return false;
  }

  // `was_applied` is set if not null: of the slowdown by work.
  [[nodiscard]] Result<ProcessRun> measure(const std::string& name, Slowed slowed,
                                           bool* was_applied = nullptr) const {
    const fs::path written = m_options.out / "work" / "benchmark.json";
    std::error_code ignored;
    fs::remove(written, ignored);
    CommandOptions options = command();
    options.arguments.push_back("--benchmark_filter=" + filter_for(name));
    options.arguments.push_back("--benchmark_out=" + fs::absolute(written).string());
    options.arguments.emplace_back("--benchmark_out_format=json");
    std::unique_ptr<Throttle> throttle;
    std::optional<Slowdown> slowdown;
    if (slowed == Slowed::by_stops) {
      TUNECHECK_TRY(throttle, Throttle::create(m_planted));
      options.in_child = throttle->in_child();
    }
    if (slowed == Slowed::by_work) {
      TUNECHECK_TRY(slowdown, Slowdown::create(m_planted, m_options.out / "work" / "added_ns"));
      slowdown->add_to(options.environment.emplace(current_environment()));
    }
    const Pinning pinning(m_cpu);
    TUNECHECK_TRY(const CommandResult ran, run_command(options));
    throttle.reset();
    if (was_applied != nullptr) *was_applied = slowdown && slowdown->was_applied(ran.end);
    if (!ran.end.success()) return ProcessRun{{}, ran.end.text()};
    const auto text = read_text_file(written);
    const auto run = text ? parse_google_benchmark(*text, written)
                          : Result<GoogleBenchmarkRun>(failure(text.error()));
    if (!run) return ProcessRun{{}, run.error().text()};
    const auto found = run->times.find(name);
    if (found == run->times.end()) return ProcessRun{{}, "the program did not run it"};
    ProcessRun process = found->second;
    process.waited = waited_share(ran.end);
    process.waits = ran.end.waits;
    if (!uses_cpu_time) process.cpu_samples.clear();
    return process;
  }

  /// Whether CPU time is kept, so that it may decide.
  bool uses_cpu_time = true;

 private:
  [[nodiscard]] CommandOptions command() const {
    CommandOptions options;
    options.arguments = {fs::absolute(m_file).string()};
    options.arguments.insert(options.arguments.end(), m_options.arguments.begin(),
                             m_options.arguments.end());
    options.time_limit = time_limit;
    return options;
  }

  fs::path m_file;
  const ProgramOptions& m_options;
  double m_planted;
  const CpuLease& m_cpu;
};

// The first of these for which the slowdown by work takes effect and CPU time may decide. What it
// costs is a few processes each, so that only a few are tried; none may be so.
Result<std::optional<std::size_t>> one_of_cpu_alone(const Program& base,
                                                    const std::vector<Runnable>& runnables) {
  constexpr int most_tried = 3;
  int tried = 0;
  for (std::size_t i = 0; i < runnables.size() && tried < most_tried; ++i) {
    const std::string& name = runnables[i].subject.name;
    if (!is_about_cpu_time(name)) continue;
    ++tried;
    TUNECHECK_TRY(const bool is_of_cpu_alone, base.is_of_cpu_alone(name));
    if (is_of_cpu_alone) return std::optional(i);
  }
  return std::optional<std::size_t>();
}

// Which benchmark the slowed canary is of, and how it is slowed down.
struct Choice {
  std::size_t benchmark = 0;  // index
  Slowed slowed = Slowed::by_stops;
};

// Where no canary can show that CPU time tells a slowdown, it decides about nothing.
Result<Choice> choose_canary(const Program& base, const std::vector<Runnable>& runnables) {
  TUNECHECK_TRY(const auto of_cpu_alone, one_of_cpu_alone(base, runnables));
  return of_cpu_alone ? Choice{*of_cpu_alone, Slowed::by_work} : Choice{};
}

// That of a session that is resumed: what chooses looks at processes, and would not always choose
// the same.
Result<Choice> earlier_choice(const BenchmarkResult& canary,
                              const std::vector<Runnable>& runnables) {
  const CanaryOf& of = canary.canary_of;
  const auto found = std::find_if(runnables.begin(), runnables.end(), [&](const Runnable& each) {
    return each.subject.name == of.benchmark;
  });
  const bool is_by_work = of.slowed_by == slowed_by::work;
  if (found == runnables.end() || !(is_by_work || of.slowed_by == slowed_by::stops))
    return failure(ErrorKind::bad_input,
                   "the session cannot be resumed: it does not say of which benchmark of these "
                   "programs \"{}\" is, or how it is slowed down",
                   canary.subject.name);
  return Choice{static_cast<std::size_t>(found - runnables.begin()),
                is_by_work ? Slowed::by_work : Slowed::by_stops};
}

Result<Choice> canary_for(const Program& base, const std::vector<Runnable>& runnables,
                          const GateResult& result) {
  for (const BenchmarkResult& earlier : result.benchmarks)
    if (earlier.role == Role::slowed) return earlier_choice(earlier, runnables);
  return choose_canary(base, runnables);
}

Subject subject_of(const std::string& name) {
  return {name, "real_time", "", "", std::string(name_of(DeviceKind::cpu)), "ns"};
}

}  // namespace

Result<void> compare_programs(const ProgramOptions& options, GateResult& result) {
  TUNECHECK_CHECK(create_folders(options.out / "work"));
  const CpuLease cpu = CpuLease::take();
  result.pinning = cpu.text();
  Program base(options.base, options, result.settings.planted, cpu);
  Program head(options.head, options, result.settings.planted, cpu);
  TUNECHECK_TRY(const std::vector<std::string> in_base, base.list());
  TUNECHECK_TRY(const std::vector<std::string> in_head, head.list());
  result.added.clear();
  result.removed.clear();
  result.renamed.clear();
  note_names(in_base, in_head, result);
  Slowed slowed = Slowed::by_stops;
  std::vector<Runnable> runnables;
  for (const std::string& name : in_base)
    if (std::find(in_head.begin(), in_head.end(), name) != in_head.end())
      runnables.push_back({subject_of(name),
                           Role::measured,
                           [&, name](Side side, std::size_t, bool is_slowed) {
                             return (side == Side::base ? base : head)
                                 .measure(name, is_slowed ? slowed : Slowed::no);
                           },
                           {}});
  if (runnables.empty())
    return failure(ErrorKind::bad_input, "the programs have no benchmark in common");
  const Runnable first = runnables.front();
  TUNECHECK_TRY(const Choice choice, canary_for(base, runnables, result));
  slowed = choice.slowed;
  Runnable slow = runnables[choice.benchmark];
  slow.slowed_by = text_of(slowed);
  base.uses_cpu_time = head.uses_cpu_time = slowed == Slowed::by_work;
  runnables.push_back(same_canary(of_base_alone(first), ""));
  runnables.push_back(slowed_canary(slow, {slow}));
  SessionHooks hooks;
  hooks.so_far = options.so_far;
  return run_session(runnables, hooks, result);
}

}  // namespace tunecheck::gate
