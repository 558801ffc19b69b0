// tunecheck-noise-bench: does the reference tuner choose well while something disturbs it? Kernels
// are tuned in processes of their own, undisturbed, next to a process that counts on the same core,
// and while a compiler runs on every core. Before and after, the judge's runner times every config
// in rounds of fresh processes. Unlike noise_regret there is no adapter and no observer, and
// everything is compiled once, so that hundreds of tunings take minutes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sched.h>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"
#include "core/parse_json.hpp"
#include "core/resources.hpp"
#include "harness/kernel/proof_case.hpp"
#include "must.hpp"
#include "noise_rates.hpp"
#include "tune_once.hpp"

namespace tunecheck::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr const char* own_side = "this build";
constexpr const char* other_side = "the other";

struct Arguments {
  std::vector<std::string> kernels;
  std::vector<std::string> noises = {"none", "core", "compilers"};
  int tunings = 10;
  int rounds = 12;
  double seconds = 0;  // 0: no limit, and `tunings` decides
  std::string cpus;
  fs::path against;  // the other side's program
  fs::path against_root;
  std::string record;
  std::string json;
  std::string tune_artifacts, compile_artifacts;  // of what this process is for
};

// What runs next to the tunings. Ends with the object, and by itself after some minutes.
class Noise {
 public:
  Noise(const std::string& kind, const fs::path& folder, int core) {
    if (kind == "core")
      start(fmt::format("exec timeout 170 taskset -c {} sh -c 'while :; do :; done'", core),
            folder);
    for (std::size_t i = 0; kind == "compilers" && i < allowed_cpus().size(); ++i)
      start("exec timeout 170 sh -c 'while :; do c++ -O2 -c compiled.cpp -o /dev/null; done'",
            folder);
  }

 private:
  void start(const std::string& command, const fs::path& folder) {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", command};
    options.folder = folder;
    m_processes.push_back(must(LineProcess::start(options, folder / "noise.log")));
  }
  std::vector<LineProcess> m_processes;
};

// A program that tunes with artifacts of its own: this one, or `--against`.
class Side {
 public:
  Side(fs::path program, fs::path root, fs::path artifacts)
      : m_program(std::move(program)), m_root(std::move(root)), m_artifacts(std::move(artifacts)) {}

  void compile(const std::string& kernel) const {
    (void)run({m_program.string(), "--compile-once", artifacts_of(kernel).string(), kernel});
  }
  [[nodiscard]] Tuned tune(const std::string& kernel, std::optional<int> core) const {
    std::vector<std::string> command;
    if (core) command = {"taskset", "-c", std::to_string(*core)};
    command.insert(command.end(),
                   {m_program.string(), "--tune-once", artifacts_of(kernel).string(), kernel});
    Tuned tuned;
    tuned.line = run(command);
    const Json told = parse_json<Json>(tuned.line);
    tuned.winner = told.at("winner").get<std::string>();
    tuned.seconds = told.at("seconds").get<double>();
    return tuned;
  }
  [[nodiscard]] fs::path artifacts_of(const std::string& kernel) const {
    return m_artifacts / kernel;
  }

 private:
  [[nodiscard]] std::string run(const std::vector<std::string>& command) const {
    CommandOptions options;
    options.arguments = command;
    options.time_limit = std::chrono::minutes(5);
    if (!m_root.empty()) {
      options.environment = current_environment();
      (*options.environment)["TUNECHECK_ROOT"] = m_root.string();
    }
    const CommandResult result = must(run_command(options));
    if (!result.end.success()) throw std::runtime_error(result.output);
    return result.output;
  }

  fs::path m_program, m_root, m_artifacts;
};

// One kernel with the judge's times of its configs.
class Subject {
 public:
  Subject(const std::string& name, const Side& side, const fs::path& folder)
      : m_kernel(kernel_named(name)), m_folder(folder / name) {
    must(create_folders(m_folder));
    m_configs = compile_once(m_kernel, side.artifacts_of(name));
    ProofChoice choice{tuned_size};
    choice.aligned = true;
    const ProofCase arguments = must(ProofCase::make(m_kernel, choice, 1, m_folder / "tensors"));
    for (std::size_t i = 0; i < m_configs.size(); ++i) {
      const auto bytes =
          must(read_binary_file(artifact_file(side.artifacts_of(name), m_configs[i])));
      m_runs.push_back(must(arguments.prepare(Artifact{bytes}, {}, i)));
      m_runs.back().measure = true;
      m_runs.back().enough = std::chrono::milliseconds(20);
      m_times.configs.push_back(to_string(m_configs[i]));
    }
  }

  // Adds a round of either kind, in which each config is timed by a process of its own.
  void time_all() {
    std::vector<double> usual_ns, as_trials_ns;
    for (IsolatedRun run : m_runs) {
      usual_ns.push_back(quantile(must(run_isolated(run, m_folder)).samples_ns, 0.5));
      run.as_trials = true;
      run.enough = std::chrono::milliseconds(0);
      as_trials_ns.push_back(quantile(must(run_isolated(run, m_folder)).samples_ns, 0.5));
    }
    m_times.usual_ns.push_back(std::move(usual_ns));
    m_times.as_trials_ns.push_back(std::move(as_trials_ns));
  }

  [[nodiscard]] const std::string& name() const { return m_kernel.name; }
  [[nodiscard]] const JudgeTimes& times() const { return m_times; }
  [[nodiscard]] std::optional<std::size_t> place_of(const std::string& config) const {
    const auto& configs = m_times.configs;
    const auto found = std::find(configs.begin(), configs.end(), config);
    if (found == configs.end()) return std::nullopt;
    return static_cast<std::size_t>(found - configs.begin());
  }

 private:
  KernelDefinition m_kernel;
  fs::path m_folder;
  std::vector<Config> m_configs;
  std::vector<IsolatedRun> m_runs;
  JudgeTimes m_times;
};

std::vector<std::string> kernels_with_cpu_sources() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(find_resources().kernels))
    if (fs::exists(entry.path() / "cpu.cpp")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// All kernels, noises and sides in turn, so that what the machine does meets all of them alike.
// run() is called once: it compiles, times, tunes in passes until there are enough tunings or the
// time is over, times once more, and reports.
class Bench {
 public:
  Bench(const Arguments& arguments, const fs::path& folder)
      : m_arguments(arguments),
        m_folder(folder),
        m_began(Clock::now()),
        m_started(std::chrono::system_clock::now()) {
    m_sides.emplace(own_side, Side(fs::read_symlink("/proc/self/exe"), {}, folder / "own"));
    if (!arguments.against.empty())
      m_sides.emplace(other_side,
                      Side(arguments.against, arguments.against_root, folder / "other"));
    must(write_file(folder / "compiled.cpp",
                    std::string_view("#include <regex>\n#include <string>\nbool f(const "
                                     "std::string& s) { return std::regex_match(s, "
                                     "std::regex(s)); }\n")));
  }

  void run() {
    prepare();
    const double timing_s = time_first();
    for (int pass = 0; pass < m_arguments.tunings || m_arguments.seconds > 0; ++pass) {
      const auto began = Clock::now();
      for (const std::string& noise : m_arguments.noises)
        tune_all(noise);
      if (m_arguments.seconds > 0 &&
          seconds_since(m_began) + seconds_since(began) + timing_s > m_arguments.seconds)
        break;
    }
    time_rounds(m_arguments.rounds / 2);
    report();
  }

 private:
  static double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
  }

  void prepare() {
    for (const std::string& kernel :
         m_arguments.kernels.empty() ? kernels_with_cpu_sources() : m_arguments.kernels) {
      m_subjects.push_back(std::make_unique<Subject>(kernel, m_sides.at(own_side), m_folder));
      if (m_sides.contains(other_side)) compile_other(kernel);
    }
    fmt::print("compiled after {:.0f} s\n", seconds_since(m_began));
    std::fflush(stdout);
  }

  // An older tuner may not have the kernel.
  void compile_other(const std::string& kernel) {
    try {
      m_sides.at(other_side).compile(kernel);
    } catch (const std::exception& error) {
      fmt::print("{}: left out for the other: {}\n", kernel, error.what());
      m_unknown_to_other.push_back(kernel);
    }
  }

  void time_rounds(int rounds) {
    for (int round = 0; round < rounds; ++round)
      for (const auto& subject : m_subjects)
        subject->time_all();
  }

  // How long as many rounds will take after the tunings. Kernels that ask nothing are left out.
  double time_first() {
    time_rounds((m_arguments.rounds + 1) / 2);
    std::erase_if(m_subjects, [&](const auto& subject) {
      const bool is_easy =
          clearly_different(subject->times()) < least_different && m_arguments.kernels.empty();
      if (is_easy) fmt::print("{}: fewer than three clearly different configs\n", subject->name());
      return is_easy;
    });
    const auto began = Clock::now();
    time_rounds(1);
    fmt::print("timed once after {:.0f} s\n", seconds_since(m_began));
    std::fflush(stdout);
    return seconds_since(began) * m_arguments.rounds / 2;
  }

  void tune_all(const std::string& kind) {
    const int core = allowed_cpus().back();
    const Noise noise(kind, m_folder, core);
    for (const auto& subject : m_subjects)
      for (const auto& [side, program] : m_sides) {
        if (side == other_side && is_unknown_to_other(subject->name())) continue;
        Tuned tuned = program.tune(subject->name(),
                                   kind == "core" ? std::optional(core) : std::optional<int>());
        tuned.kernel = subject->name();
        tuned.noise = kind;
        tuned.side = side;
        if (m_arguments.record.empty()) tuned.line.clear();
        m_tunings.push_back(std::move(tuned));
      }
  }

  [[nodiscard]] bool is_unknown_to_other(const std::string& kernel) const {
    return std::find(m_unknown_to_other.begin(), m_unknown_to_other.end(), kernel) !=
           m_unknown_to_other.end();
  }

  void report() {
    Json kernels = Json::array();
    for (const auto& subject : m_subjects) {
      judge(*subject);
      kernels.push_back(to_json(subject->name(), subject->times()));
    }
    fmt::print("{}", rates_page(m_tunings));
    if (m_arguments.json.empty()) return;
    Json tunings = Json::array();
    for (const Tuned& tuned : m_tunings)
      tunings.push_back(to_json(tuned));
    const Json all = {{"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(m_started))},
                      {"seconds", seconds_since(m_began)},
                      {"machine", processor_name()},
                      {"cpus", allowed_cpus()},
                      {"kernels", kernels},
                      {"tunings", tunings}};
    must(write_file(m_arguments.json, std::string_view(all.dump(1) + "\n")));
  }

  void judge(const Subject& subject) {
    const auto regrets = regrets_of(subject.times());
    int number = 0;
    for (Tuned& tuned : m_tunings) {
      if (tuned.kernel != subject.name()) continue;
      // An older tuner's kernel may have other configs.
      const auto place = subject.place_of(tuned.winner);
      if (!place) continue;
      tuned.regret = regrets[*place];
      if (tuned.line.empty()) continue;
      must(write_file(fs::path(m_arguments.record) /
                          fmt::format("{}-{}-{}.json", subject.name(), tuned.noise, ++number),
                      std::string_view(tuned.line)));
    }
  }

  const Arguments& m_arguments;
  fs::path m_folder;
  Clock::time_point m_began;
  std::chrono::system_clock::time_point m_started;
  std::map<std::string, Side> m_sides;
  std::vector<std::unique_ptr<Subject>> m_subjects;
  std::vector<std::string> m_unknown_to_other;
  std::vector<Tuned> m_tunings;
};

// "0-3,6" for this process and those that it starts.
void stay_on(const std::string& cpus) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : must(parse_cpus(cpus)))
    CPU_SET(cpu, &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0)
    throw std::runtime_error(fmt::format("cannot stay on the CPUs {}", cpus));
}

void run(const Arguments& arguments) {
  if (!arguments.compile_artifacts.empty()) {
    (void)compile_once(kernel_named(arguments.kernels.front()), arguments.compile_artifacts);
    return;
  }
  if (!arguments.tune_artifacts.empty())
    return tune_once(arguments.kernels.front(), arguments.tune_artifacts);
  stay_on(arguments.cpus);
  const TemporaryFolder folder = must(TemporaryFolder::create("tunecheck-noise"));
  Bench(arguments, folder.path()).run();
}

}  // namespace
}  // namespace tunecheck::bench

int main(int count, char** values) {
  tunecheck::bench::Arguments arguments;
  CLI::App command("How good is what the reference tuner chooses while something disturbs it?");
  command.add_option("kernels", arguments.kernels,
                     "CPU kernels of tunecheck's own; all with three or more clearly different\n"
                     "configs if none is given");
  command.add_option("--tunings", arguments.tunings, "Of each kernel next to each noise")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--seconds", arguments.seconds,
                  "As many tunings as fit into this time, compilers and judge included")
      ->check(CLI::PositiveNumber);
  command.add_option("--rounds", arguments.rounds, "So often the judge times each config")
      ->check(CLI::Range(2, 1000));
  command.add_option("--noise", arguments.noises, "\"none\", \"core\", \"compilers\"")
      ->check(CLI::IsMember({"none", "core", "compilers"}))
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--cpus", arguments.cpus, "Use these CPUs alone, as \"0-3,6\"");
  command
      .add_option("--against", arguments.against,
                  "Another version's program, which tunes in turn with this one")
      ->check(CLI::ExistingFile);
  command
      .add_option("--against-root", arguments.against_root, "TUNECHECK_ROOT for the other program")
      ->check(CLI::ExistingDirectory);
  command.add_option("--record", arguments.record, "A folder for all looks of all tunings")
      ->check(CLI::ExistingDirectory);
  command.add_option("--json", arguments.json, "A file for every time and every tuning");
  command.add_option("--tune-once", arguments.tune_artifacts)->group("");
  command.add_option("--compile-once", arguments.compile_artifacts)->group("");
  CLI11_PARSE(command, count, values);
  try {
    tunecheck::bench::run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tunecheck-noise-bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
