#include "gate/history/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "core/digest.hpp"
#include "gate/rule/google_benchmark_json.hpp"

namespace tunecheck::history {
namespace {

// Facts of the context that say nothing about speed, or another thing each time.
bool is_compared(const std::string& fact) {
  constexpr std::array<std::string_view, 8> others = {
      "date",        "executable",      "host_name",           "load_avg",
      "mhz_per_cpu", "library_version", "json_schema_version", "revision"};
  return std::find(others.begin(), others.end(), fact) == others.end();
}

// What one file says: a process.
struct Process {
  MeasuredRun run;
  Fingerprint fingerprint;
  std::map<std::string, double> medians_ns;  // by benchmark
};

Result<void> read_context(const std::map<std::string, std::string>& context, Process& process) {
  for (const char* const fact : {"executable", "date"})
    if (!context.contains(fact))
      return failure(ErrorKind::bad_input,
                     "expected a file that Google Benchmark wrote, with \"{}\" in its context",
                     fact);
  process.run.environment = process.fingerprint = context;
  std::erase_if(process.fingerprint, [](const auto& fact) { return !is_compared(fact.first); });
  process.run.suite = std::filesystem::path(context.at("executable")).filename().string();
  if (const auto found = context.find("revision"); found != context.end())
    process.run.revision = found->second;
  TUNECHECK_TRY(process.run.started, to_utc(context.at("date")));
  return {};
}

Result<Process> process_from(const gate::GoogleBenchmarkRun& run) {
  Process process;
  TUNECHECK_CHECK(read_context(run.context, process));
  for (const auto& [name, times] : run.times) {
    const auto wrong = [&benchmark = name, line = run.lines.at(name)](const std::string& message) {
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("benchmark \"{}\"{}", benchmark, message),
                           {},
                           line,
                           {}});
    };
    if (!times.failure.empty()) return wrong(" has no result: " + times.failure);
    if (std::any_of(times.samples.begin(), times.samples.end(),
                    [](double time) { return !(time > 0); }))
      return wrong(": expected positive times");
    process.medians_ns[name] = gate::median(times.samples);
  }
  return process;
}

Result<Process> read_process(const SourceFile& source) {
  TUNECHECK_TRY(const gate::GoogleBenchmarkRun run,
                gate::parse_google_benchmark(source.text, source.file));
  auto process = process_from(run);
  if (!process)
    return failure(Error{
        ErrorKind::bad_input, process.error().message, source.file, process.error().line, {}});
  return process;
}

Result<void> check_same(const Process& first, const Process& other, const std::string& file) {
  const auto wrong = [&](const std::string& message) {
    return failure(Error{ErrorKind::bad_input, message, file, 0, {}});
  };
  if (const auto same = compatible(first.fingerprint, other.fingerprint); !same)
    return wrong("expected a process of the same run: " + same.error().message);
  if (first.run.suite != other.run.suite || first.run.revision != other.run.revision)
    return wrong("expected a process of the same program and revision");
  return {};
}

}  // namespace

Result<MeasuredRun> read_google_benchmark(const std::vector<SourceFile>& files) {
  std::vector<Process> processes;
  std::string digests;
  std::map<std::string, std::vector<double>> medians;  // by benchmark
  for (const SourceFile& file : files) {
    TUNECHECK_TRY(Process process, read_process(file));
    if (!processes.empty()) TUNECHECK_CHECK(check_same(processes.front(), process, file.file));
    for (const auto& [name, median] : process.medians_ns)
      medians[name].push_back(median);
    digests += artifact_digest(file.text);
    processes.push_back(std::move(process));
  }
  MeasuredRun run = processes.front().run;
  run.digest = key_digest("google_benchmark " + digests);
  for (auto& [name, values] : medians)
    run.sets.push_back({name, Kind::time, "ns", processes.front().fingerprint, std::move(values)});
  return run;
}

}  // namespace tunecheck::history
