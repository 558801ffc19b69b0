#include "gate/rule/google_benchmark_json.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
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

// From 1, of this byte.
int line_at(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  return static_cast<int>(1 + std::count(before.begin(), before.end(), '\n'));
}

// The bytes at which the elements of the document's list "benchmarks" begin. `text` is a JSON
// object, and a parser does not say where in it a value stands.
std::vector<std::size_t> places_of_benchmarks(std::string_view text) {
  constexpr std::string_view key = "\"benchmarks\"";
  std::vector<std::size_t> places;
  std::size_t depth = 0;
  bool is_key = false, is_in_list = false, is_next = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (std::string_view(" \t\r\n").find(letter) != std::string_view::npos) continue;
    if (is_next && letter != ']') places.push_back(at);
    is_next = false;
    if (letter == '"') {
      const std::size_t begun = at;
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
      if (depth == 1) is_key = text.substr(begun, at + 1 - begun) == key;
    } else if (letter == '[' || letter == '{') {
      if (depth++ != 1 || !is_key) continue;
      is_in_list = is_next = true;
      places.clear();  // of two with this key, the last one counts
    } else if (letter == ']' || letter == '}') {
      if (--depth == 1) is_in_list = false;
    } else if (letter == ',') {
      if (depth == 2 && is_in_list) is_next = true;
      if (depth == 1) is_key = false;
    }
  }
  return places;
}

std::string no_such_file(const std::exception& error) {
  return fmt::format("expected a file that Google Benchmark wrote: {}", json_problem(error));
}

// The error has its line.
Result<void> read_benchmarks(const Json& json, std::string_view text, GoogleBenchmarkRun& run) {
  const std::vector<std::size_t> places = places_of_benchmarks(text);
  std::size_t number = 0;
  for (const Json& benchmark : json.at("benchmarks")) {
    const int line = number < places.size() ? line_at(text, places[number]) : 0;
    ++number;
    const auto wrong = [&](const std::string& message) {
      return failure(Error{ErrorKind::bad_input, message, {}, line, {}});
    };
    try {
      const std::size_t before = run.names.size();
      if (const auto read = read_benchmark(benchmark, run); !read)
        return wrong(read.error().message);
      if (run.names.size() > before) run.lines[run.names.back()] = line;
    } catch (const Json::exception& error) {
      return wrong(no_such_file(error));
    }
  }
  return {};
}

Result<GoogleBenchmarkRun> run_from(const Json& json, std::string_view text) {
  if (json.is_object() && json.contains("tunecheck_version"))
    return failure(ErrorKind::bad_input,
                   "expected a file that Google Benchmark wrote, found one that tunecheck wrote");
  GoogleBenchmarkRun run;
  const Json context = json.value("context", Json::object());
  for (const auto& [fact, value] : context.items())
    run.context[fact] = value.is_string() ? value.get<std::string>() : value.dump();
  TUNECHECK_CHECK(read_benchmarks(json, text, run));
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
  const auto wrong = [&](const std::string& message, int line) {
    return failure(Error{ErrorKind::bad_input, message, file.string(), line, {}});
  };
  try {
    auto run = run_from(parse_json<Json>(text), text);
    if (!run) return wrong(run.error().message, run.error().line);
    return run;
  } catch (const Json::parse_error& error) {
    return wrong(no_such_file(error), line_at(text, error.byte));
  } catch (const Json::exception& error) {
    return wrong(no_such_file(error), 0);
  }
}

}  // namespace tunecheck::gate
