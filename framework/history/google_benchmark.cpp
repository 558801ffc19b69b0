#include "history/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "gate/pair.hpp"

namespace tunecheck::history {
namespace {

using Json = nlohmann::json;

// Facts of the context that say nothing about speed, or another thing each time.
bool is_compared(const std::string& fact) {
  constexpr std::array<std::string_view, 8> others = {
      "date",        "executable",      "host_name",           "load_avg",
      "mhz_per_cpu", "library_version", "json_schema_version", "revision"};
  return std::find(others.begin(), others.end(), fact) == others.end();
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

double nanoseconds_of(const std::string& unit) {
  static const std::map<std::string, double> known = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  return known.at(unit);
}

bool has(const Json& json, const char* flag) {
  return json.value(flag, false);
}

// What one file says: a process.
struct Process {
  MeasuredRun run;
  Fingerprint fingerprint;
  std::map<std::string, std::vector<double>> samples_ns;  // by benchmark
};

void read_context(const Json& context, Process& process) {
  for (const auto& [fact, value] : context.items()) {
    process.run.environment[fact] = text_of(value);
    if (is_compared(fact)) process.fingerprint[fact] = text_of(value);
  }
  process.run.suite =
      std::filesystem::path(context.at("executable").get<std::string>()).filename().string();
  process.run.revision = context.value("revision", std::string());
}

Result<void> read_benchmark(const Json& json, Process& process) {
  const std::string name = json.value("run_name", json.at("name").get<std::string>());
  if (has(json, "error_occurred") || has(json, "skipped"))
    return failure("benchmark \"{}\" has no result: {}", name,
                   json.value("error_message", json.value("skip_message", std::string("skipped"))));
  // Aggregates are made from repetitions, which are in the file as well.
  if (json.value("run_type", std::string("iteration")) != "iteration") return {};
  process.samples_ns[name].push_back(json.at("real_time").get<double>() *
                                     nanoseconds_of(json.at("time_unit").get<std::string>()));
  return {};
}

Result<Process> process_from(const std::string& text) {
  const Json json = Json::parse(text);
  Process process;
  read_context(json.at("context"), process);
  TUNECHECK_TRY(process.run.started, to_utc(json.at("context").at("date").get<std::string>()));
  for (const Json& benchmark : json.at("benchmarks"))
    TUNECHECK_CHECK(read_benchmark(benchmark, process));
  if (process.samples_ns.empty()) return failure("expected repetitions of a benchmark, found none");
  for (const auto& [name, samples] : process.samples_ns)
    if (std::any_of(samples.begin(), samples.end(), [](double time) { return !(time > 0); }))
      return failure("benchmark \"{}\": expected positive times", name);
  return process;
}

Result<Process> read_process(const SourceFile& source) {
  const auto wrong = [&](const std::string& message) {
    return failure(Error{message, source.file, 0, {}});
  };
  try {
    auto process = process_from(source.text);
    if (!process) return wrong(process.error().message);
    return process;
  } catch (const Json::exception& error) {
    return wrong(fmt::format("expected what Google Benchmark wrote: {}", error.what()));
  } catch (const std::out_of_range&) {
    return wrong("expected times in ns, us, ms or s");
  }
}

Result<void> check_same(const Process& first, const Process& other, const std::string& file) {
  const auto wrong = [&](const std::string& message) {
    return failure(Error{message, file, 0, {}});
  };
  if (const auto same = compatible(first.fingerprint, other.fingerprint); !same)
    return wrong("expected a process of the same run: " + same.error().message);
  if (first.run.suite != other.run.suite || first.run.revision != other.run.revision)
    return wrong("expected a process of the same program and revision");
  return {};
}

}  // namespace

bool is_google_benchmark(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("context") && json.contains("benchmarks");
}

Result<MeasuredRun> read_google_benchmark(const std::vector<SourceFile>& files) {
  std::vector<Process> processes;
  std::string digests;
  std::map<std::string, std::vector<double>> medians;  // by benchmark
  for (const SourceFile& file : files) {
    TUNECHECK_TRY(Process process, read_process(file));
    if (!processes.empty()) TUNECHECK_CHECK(check_same(processes.front(), process, file.file));
    for (const auto& [name, samples] : process.samples_ns)
      medians[name].push_back(gate::median(samples));
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
