// tunecheck-process-speeds: why does a config have another speed in each process, as it seems? Some
// processes that live at the same time take turns in looking at all configs of a kernel, as trials
// of the tuner do, and in other ways, each of which renews something else before each look: the
// tensors' pages, the place of the code, that of the stack. What the looks of a process have in
// common, what all processes have in common at one time, and the rest are then told apart.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>

#include "../backend/forwarding_memory.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "must.hpp"
#include "tune_once.hpp"
#include "tuner/request.hpp"
#include "tuner/trial/trial_arguments.hpp"
#include "tuner/trial/trial_runner.hpp"

namespace tunecheck::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Arguments {
  std::vector<std::string> kernels = {"embedding_grad", "axpy_inplace", "moe_scatter_add",
                                      "gemm_beta", "batchnorm_running_stats"};
  int processes = 8;
  int rounds = 24;
  std::string json;
  std::string measure_artifacts;  // of what this process is for
};

// How a look is taken, and what is new in it.
struct Way {
  std::string name;
  bool forked = true;       // in a child of its own
  bool loads_anew = true;   // the library is loaded for this look
  bool moves_code = false;  // ... to another address
  bool moves_stack = false;
  bool new_tensors = false;  // other pages, at another address
  bool huge_pages = false;   // private ones; what a child writes there would be copied
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {.name = "as a trial"},
      {.name = "library held", .loads_anew = false},
      {.name = "no child, library held", .forked = false, .loads_anew = false},
      {.name = "code elsewhere", .moves_code = true},
      {.name = "stack elsewhere", .moves_stack = true},
      {.name = "new tensors", .new_tensors = true},
      {.name = "all of these", .moves_code = true, .moves_stack = true, .new_tensors = true},
      {.name = "huge pages, no child", .forked = false, .loads_anew = false, .huge_pages = true},
      {.name = "new huge pages, no child",
       .forked = false,
       .loads_anew = false,
       .new_tensors = true,
       .huge_pages = true},
  };
  return all;
}

// The host's memory with another kind of blocks.
class HugeMemory final : public ForwardingMemory {
 public:
  Result<MemoryBlock> allocate(std::size_t bytes) const override {
    constexpr std::size_t page = std::size_t{2} << 20U;
    const std::size_t size = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, size);
    if (memory == nullptr) return failure("there is not enough memory");
    (void)::madvise(memory, size, MADV_HUGEPAGE);
    return MemoryBlock(static_cast<std::byte*>(memory), bytes, [memory] { std::free(memory); });
  }
};

// One process's looks at one kernel.
class Looker {
 public:
  Looker(const std::string& name, const fs::path& artifacts)
      : m_tensors(kernel_named(name)), m_roles(tensor_roles(m_tensors.kernel())) {
    const auto variables = to_variables(m_tensors.kernel().sizes.at(tuned_size));
    for (const Config& config : must(m_tensors.kernel().space.enumerate(variables))) {
      m_artifacts.push_back({must(read_binary_file(artifact_file(artifacts, config)))});
      m_held.push_back(must(m_backend.load(m_artifacts.back())));
    }
    for (std::size_t i = 0; i < m_roles.size(); ++i)
      m_order.push_back(static_cast<int>(i));
  }

  // The medians of a round, in the order of the configs.
  std::vector<double> round(const Way& way) {
    std::vector<double> medians_ns;
    for (std::size_t config = 0; config < m_artifacts.size(); ++config)
      medians_ns.push_back(look(way, config));
    return medians_ns;
  }

 private:
  // Those of earlier looks stay for a while, so that their pages do not come back at once.
  TrialArguments& arguments_for(const Way& way) {
    constexpr std::size_t most_kept = 8;
    auto& kept = m_arguments[way.huge_pages];
    if (kept.empty() || way.new_tensors) {
      LaunchArguments launch = m_tensors.launch();
      if (way.huge_pages) launch.memory = &m_huge_memory;
      kept.push_back(std::make_unique<TrialArguments>(CallArguments{m_roles, launch, m_order}));
      must(kept.back()->take_snapshot());
      if (kept.size() > most_kept + 1) kept.erase(kept.begin() + 1);
    }
    return way.new_tensors ? *kept.back() : *kept.front();
  }

  double look(const Way& way, std::size_t config) {
    TrialArguments& arguments = arguments_for(way);
    arguments.before_trial();
    const std::size_t gap = 1 + m_chance() % 4096, depth = 16 * (1 + m_chance() % 255);
    const auto body = [&](TrialRecord& record) {
      if (way.moves_code)
        (void)::mmap(nullptr, gap * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      std::unique_ptr<Module> loaded;
      if (way.loads_anew) loaded = must(m_backend.load(m_artifacts[config]));
      measure_deep(way.moves_stack ? depth : 16, loaded ? *loaded : *m_held[config], arguments,
                   record);
    };
    const TrialLimits limits{std::chrono::seconds(10), 0};
    const auto outcome = must(way.forked ? m_forked.run(body, limits) : m_direct.run(body, limits));
    if (!outcome.failure.empty() || outcome.record.samples == 0)
      throw std::runtime_error("a look failed: " + outcome.failure);
    return estimate_median(std::span(outcome.record.elapsed_ns)
                               .first(static_cast<std::size_t>(outcome.record.samples)))
        .median_ns;
  }

  [[gnu::noinline]] void measure_deep(std::size_t depth, const Module& module,
                                      TrialArguments& arguments, TrialRecord& record) const {
    volatile char* const space = static_cast<char*>(__builtin_alloca(depth));
    space[0] = 0;
    m_measurement.measure(module, arguments, TunerOptions().measuring_time, record);
  }

  CpuBackend m_backend;
  HugeMemory m_huge_memory;
  CallerTensors m_tensors;
  std::vector<TensorRole> m_roles;
  std::vector<int> m_order;
  std::vector<Artifact> m_artifacts;
  std::vector<std::unique_ptr<Module>> m_held;
  std::map<bool, std::vector<std::unique_ptr<TrialArguments>>> m_arguments;
  IsolatedTrialRunner m_forked;
  InProcessTrialRunner m_direct;
  Measurement m_measurement;
  std::minstd_rand m_chance{std::random_device()()};
};

// For each line on stdin prints a line of JSON: by way, the medians of one round.
void measure_when_asked(const Arguments& arguments) {
  Looker looker(arguments.kernels.front(), arguments.measure_artifacts);
  for (std::string line; std::getline(std::cin, line);) {
    Json round;
    for (const Way& way : ways())
      round[way.name] = looker.round(way);
    std::cout << round.dump() << std::endl;
  }
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - middle) * (value - middle);
  return sum / static_cast<double>(values.size() - 1);
}

using Table = std::vector<std::vector<double>>;  // by process and round

// Variances of a config's time relative to the mean of all that are near the best.
struct Spread {
  double looks = 0;      // one to the next, in the same process
  double processes = 0;  // of what all looks of a process have in common
  double spells = 0;     // of what all processes have in common at one time

  void add(const Spread& other, double share) {
    looks += share * other.looks;
    processes += share * other.processes;
    spells += share * other.spells;
  }
};

// Looks have outliers, which would hide all else: the outer tenths are drawn in.
void draw_in(Table& table) {
  std::vector<double> sorted;
  for (const auto& row : table)
    sorted.insert(sorted.end(), row.begin(), row.end());
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted[sorted.size() / 10],
               high = sorted[sorted.size() - 1 - sorted.size() / 10];
  for (auto& row : table)
    for (double& value : row)
      value = std::clamp(value, low, high);
}

// The two-way analysis of variance, with random effects. A component may come out below 0 where
// there is none.
Spread spread_of(Table table) {
  draw_in(table);
  const auto processes = static_cast<double>(table.size());
  const auto rounds = static_cast<double>(table.front().size());
  std::vector<double> of_processes, of_rounds(table.front().size());
  for (const auto& row : table) {
    of_processes.push_back(mean(row));
    for (std::size_t round = 0; round < row.size(); ++round)
      of_rounds[round] += row[round] / processes;
  }
  const double middle = mean(of_processes);
  double squares = 0;
  for (std::size_t process = 0; process < table.size(); ++process)
    for (std::size_t round = 0; round < of_rounds.size(); ++round) {
      const double rest = table[process][round] - of_processes[process] - of_rounds[round] + middle;
      squares += rest * rest;
    }
  const double looks = squares / ((processes - 1) * (rounds - 1));
  return {looks, variance(of_processes) - looks / rounds, variance(of_rounds) - looks / processes};
}

// The looks of one kernel in all ways: by process, round and way the medians of all configs.
class Looks {
 public:
  explicit Looks(const Json& processes) : m_processes(processes) {}

  // Those that are at most a tenth slower than the fastest, by the middle of all looks.
  [[nodiscard]] std::vector<std::size_t> near_the_best() const {
    std::vector<std::vector<double>> looks;
    for (const Json& process : m_processes)
      for (const Json& round : process) {
        const Json& medians_ns = round.at(ways().front().name);
        looks.resize(medians_ns.size());
        for (std::size_t config = 0; config < medians_ns.size(); ++config)
          looks[config].push_back(medians_ns[config].get<double>());
      }
    std::vector<double> middles;
    for (auto& each : looks) {
      const auto middle = each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2);
      std::nth_element(each.begin(), middle, each.end());
      middles.push_back(*middle);
    }
    const double best = *std::min_element(middles.begin(), middles.end());
    std::vector<std::size_t> near;
    for (std::size_t config = 0; config < middles.size(); ++config)
      if (middles[config] <= 1.1 * best) near.push_back(config);
    return near;
  }

  // The mean of the configs.
  [[nodiscard]] Spread spread(const Way& way, const std::vector<std::size_t>& configs) const {
    std::vector<Table> tables(configs.size());
    for (const Json& process : m_processes) {
      for (Table& table : tables)
        table.emplace_back();
      for (const Json& round : process) {
        std::vector<double> logarithms;
        for (const std::size_t config : configs)
          logarithms.push_back(std::log(round.at(way.name).at(config).get<double>()));
        const double middle = mean(logarithms);
        for (std::size_t i = 0; i < configs.size(); ++i)
          tables[i].back().push_back(logarithms[i] - middle);
      }
    }
    Spread all;
    for (Table& table : tables)
      all.add(spread_of(std::move(table)), 1.0 / static_cast<double>(configs.size()));
    return all;
  }

 private:
  const Json& m_processes;
};

std::string as_percent(double variance) {
  return fmt::format("{:.2f} %", 100 * std::sqrt(std::max(0.0, variance)));
}

void report(const std::string& kernel, const Json& processes) {
  const Looks looks(processes);
  const std::vector<std::size_t> configs = looks.near_the_best();
  if (configs.size() < 2) {
    fmt::print("\n{}: no other config is within 10 % of the fastest\n", kernel);
    return;
  }
  fmt::print(
      "\n| {:24} | looks, s.d. | processes, s.d. | spells, s.d. | variance, trials' = 1 |\n"
      "| :--- | ---: | ---: | ---: | ---: |\n",
      fmt::format("{} ({} configs)", kernel, configs.size()));
  const double as_trials = looks.spread(ways().front(), configs).processes;
  constexpr double hardly_any = 0.002;  // 0.2 %
  const bool has_any = as_trials > hardly_any * hardly_any;
  for (const Way& way : ways()) {
    const Spread spread = looks.spread(way, configs);
    fmt::print("| {:24} | {:>11} | {:>15} | {:>12} | {:>22} |\n", way.name,
               as_percent(spread.looks), as_percent(spread.processes), as_percent(spread.spells),
               has_any ? fmt::format("{:.2f}", spread.processes / as_trials) : "-");
  }
  std::fflush(stdout);
}

// The rounds of all processes of one kernel, which take turns.
Json look_at(const std::string& kernel, const Arguments& arguments, const fs::path& folder) {
  std::vector<LineProcess> processes;
  for (int i = 0; i < arguments.processes; ++i) {
    CommandOptions options;
    options.arguments = {fs::read_symlink("/proc/self/exe").string(), "--measure-once",
                         (folder / kernel).string(), kernel};
    processes.push_back(must(LineProcess::start(options, folder / "process.log")));
  }
  Json rounds(processes.size(), Json::array());
  for (int round = 0; round < arguments.rounds; ++round)
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const bool asked = processes[i].write_line("");
      const auto answer = processes[i].read_line(std::chrono::minutes(1));
      if (!asked || answer.state != LineProcess::ReadState::line)
        throw std::runtime_error(must(read_text_file(folder / "process.log")));
      rounds[i].push_back(parse_json<Json>(answer.line));
    }
  return rounds;
}

void run(const Arguments& arguments) {
  if (!arguments.measure_artifacts.empty()) return measure_when_asked(arguments);
  const TemporaryFolder folder = must(TemporaryFolder::create("tunecheck-speeds"));
  Json all;
  for (const std::string& kernel : arguments.kernels) {
    (void)compile_once(kernel_named(kernel), folder.path() / kernel);
    all[kernel] = look_at(kernel, arguments, folder.path());
    report(kernel, all[kernel]);
  }
  if (!arguments.json.empty())
    must(write_file(arguments.json, std::string_view(all.dump() + "\n")));
}

}  // namespace
}  // namespace tunecheck::bench

int main(int count, char** values) {
  tunecheck::bench::Arguments arguments;
  CLI::App command("Why does a config have another speed in each process?");
  command.add_option("kernels", arguments.kernels, "CPU kernels of tunecheck's own");
  command.add_option("--processes", arguments.processes, "How many processes run each kernel")
      ->check(CLI::Range(2, 1000));
  command
      .add_option("--rounds", arguments.rounds, "Looks at each config in each way by each process")
      ->check(CLI::Range(2, 1000));
  command.add_option("--json", arguments.json, "A file for every look");
  command.add_option("--measure-once", arguments.measure_artifacts)->group("");
  CLI11_PARSE(command, count, values);
  try {
    tunecheck::bench::run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tunecheck-process-speeds: %s\n", error.what());
    return 1;
  }
  return 0;
}
