#include "gate/rule/google_benchmark_json.hpp"

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck::gate {
namespace {

using Json = nlohmann::json;

Result<double> nanoseconds_in(const Json& unit) {
  if (unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return failure(ErrorKind::bad_input, "\"time_unit\": expected ns, us, ms or s, found {}",
                 unit.dump());
}

// Why there is no time; "" where there is one.
std::string failure_of(const Json& benchmark) {
  if (benchmark.value("error_occurred", false))
    return benchmark.value("error_message", "it failed");
  if (benchmark.value("skipped", false)) return benchmark.value("skip_message", "it was skipped");
  return "";
}

// `key` is "real_time" or "cpu_time".
Result<double> time_ns(const Json& benchmark, const char* key) {
  const Json time = benchmark.value(key, Json());
  if (!time.is_number())
    return failure(ErrorKind::bad_input, "\"{}\": expected a number, found {}", key, time.dump());
  TUNECHECK_TRY(const double unit, nanoseconds_in(benchmark.value("time_unit", Json())));
  return time.get<double>() * unit;
}

Result<void> read_benchmark(const Json& benchmark, GoogleBenchmarkRun& run) {
  if (benchmark.value("run_type", "iteration") != "iteration") return {};
  const auto name =
      benchmark.at(benchmark.contains("run_name") ? "run_name" : "name").get<std::string>();
  const auto [entry, is_new] = run.times.emplace(name, ProcessRun{});
  if (is_new) run.names.push_back(name);
  if (std::string failure = failure_of(benchmark); !failure.empty()) {
    entry->second.failure = std::move(failure);
    return {};
  }
  const auto time = time_ns(benchmark, "real_time");
  if (!time)
    return failure(ErrorKind::bad_input, "benchmark \"{}\": {}", name, time.error().message);
  entry->second.samples.push_back(*time);
  // Not every program that writes this format has it.
  const auto cpu_time = time_ns(benchmark, "cpu_time");
  if (cpu_time && is_about_cpu_time(name)) entry->second.cpu_samples.push_back(*cpu_time);
  return {};
}

Result<GoogleBenchmarkRun> run_from(const Json& json) {
  if (json.is_object() && json.contains("tunecheck_version"))
    return failure(ErrorKind::bad_input,
                   "expected a file that Google Benchmark wrote, found one that tunecheck wrote");
  GoogleBenchmarkRun run;
  const Json context = json.value("context", Json::object());
  for (const auto& [fact, value] : context.items())
    run.context[fact] = value.is_string() ? value.get<std::string>() : value.dump();
  for (const Json& benchmark : json.at("benchmarks"))
    TUNECHECK_CHECK(read_benchmark(benchmark, run));
  if (run.names.empty())
    return failure(ErrorKind::bad_input, "expected repetitions of a benchmark, found none");
  return run;
}

}  // namespace

// UseRealTime() and UseManualTime() are part of the name. With several threads, and with
// MeasureProcessCPUTime(), the CPU time is that of all threads.
bool is_about_cpu_time(const std::string& name) {
  for (const char* const part : {"/real_time", "/manual_time", "/threads:", "/process_time"})
    if (name.find(part) != std::string::npos) return false;
  return true;
}

bool is_google_benchmark(const std::string& text) {
  const Json json = parse_json_or_discard<Json>(text);
  return json.is_object() && json.contains("context") && json.contains("benchmarks");
}

Result<GoogleBenchmarkRun> parse_google_benchmark(const std::string& text,
                                                  const std::filesystem::path& file) {
  const auto wrong = [&](const std::string& message) {
    return failure(Error{ErrorKind::bad_input, message, file.string(), 0, {}});
  };
  try {
    auto run = run_from(parse_json<Json>(text));
    if (!run) return wrong(run.error().message);
    return run;
  } catch (const Json::exception& error) {
    return wrong(
        fmt::format("expected a file that Google Benchmark wrote: {}", json_problem(error)));
  }
}

}  // namespace tunecheck::gate
