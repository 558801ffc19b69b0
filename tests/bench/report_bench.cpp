// Reports of 10,000 scenarios with a million samples, from the file to the text.
#include <unistd.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "reports/report_formats.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::bench {
namespace {

constexpr int scenarios = 10'000;
constexpr int configs = 4;   // of each scenario
constexpr int samples = 25;  // of each config

ScenarioResult scenario_number(int number) {
  ScenarioResult scenario;
  scenario.family = fmt::format("family_{}", number % 10);
  scenario.name = fmt::format("{}.scenario_{:05}", scenario.family, number);
  scenario.file = "scenarios/" + scenario.family + ".info";
  scenario.line = number + 1;
  scenario.because = "a kernel that ran on its own output looked faster than it is";
  scenario.kernel = "axpy_inplace";
  scenario.adapter = "reference";
  scenario.tuner = "tunecheck reference 0.1.0";
  scenario.verdict = number % 10 == 0 ? Verdict::fail : Verdict::pass;
  scenario.repro = "tunecheck run " + scenario.name + " --adapter reference --keep";
  for (const char* const name : {"output.reference", "inputs.pristine", "guard.intact"})
    scenario.checks.push_back({.check = name,
                               .verdict = scenario.verdict,
                               .process = "cold",
                               .call = 1,
                               .line = number + 9,
                               .expected = "every launch sees the caller's content",
                               .observed = "83 of 84 launches saw another one",
                               .evidence = {"work/cold/evidence.jsonl", "work/cold/adapter.log"}});
  ProcessSummary& process = scenario.processes.emplace_back();
  process.name = "cold";
  process.log = "work/cold/adapter.log";
  CallSummary& call = process.calls.emplace_back();
  call.number = 1;
  call.outcome = "done";
  call.cache = "miss";
  call.winner = "block=0";
  call.sizes = {{"n", 4096}};
  for (int c = 0; c < configs; ++c) {
    ConfigSummary& config = call.configs.emplace_back();
    config.config = fmt::format("block={}", c);
    config.is_winner = c == 0;
    config.median_ns = 1000 + c;
    for (int i = 0; i < samples; ++i)
      config.samples_ns.push_back(1000 + 10 * c + i);
    CallEvent& event = call.events.emplace_back();
    event.kind = "trials";
    event.config = config.config;
    event.count = samples;
  }
  return scenario;
}

void write_result(const std::filesystem::path& file) {
  RunResult result;
  result.started = "2026-11-22T00:00:00Z";
  result.adapter = "reference";
  result.backend = "cpu";
  for (int number = 0; number < scenarios; ++number)
    result.scenarios.push_back(scenario_number(number));
  if (const auto written = write_json(result, file); !written)
    throw std::runtime_error(written.error().text());
}

// A million samples in all. Written by a process of its own: a program that this one starts is
// counted with the memory that this one has.
const std::filesystem::path& result_file() {
  static const TemporaryFolder folder = TemporaryFolder::create("tunecheck-bench").value();
  static const std::filesystem::path file = [] {
    const std::filesystem::path path = folder.path() / "result.json";
    const pid_t child = ::fork();
    if (child == 0) {
      write_result(path);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return path;
  }();
  return file;
}

// As a user makes it: by the program, into a file.
void report(benchmark::State& state, std::string_view format) {
  const std::filesystem::path& file = result_file();
  const std::filesystem::path out = file.parent_path() / format;
  CommandOptions command;
  command.arguments = {TUNECHECK_PROGRAM, "report", std::string(format), file, "--out", out};
  std::int64_t peak_memory_kib = 0;
  for (auto _ : state) {
    const CommandResult ran = run_command(command).value();
    if (!ran.end.success()) return state.SkipWithError(ran.output.c_str());
    peak_memory_kib = std::max(peak_memory_kib, ran.end.peak_memory_kib);
  }
  const auto mib = [](double bytes) { return bytes / (1 << 20); };
  state.counters["peak_MiB"] = static_cast<double>(peak_memory_kib) / 1024;
  state.counters["result_MiB"] = mib(static_cast<double>(std::filesystem::file_size(file)));
  state.counters["report_MiB"] = mib(static_cast<double>(std::filesystem::file_size(out)));
}

const bool registered = [] {
  for (const ReportFormat& format : report_formats())
    benchmark::RegisterBenchmark(("report/10000/" + std::string(format.name)).c_str(), report,
                                 format.name)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace tunecheck::bench
