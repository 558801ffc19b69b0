// A program that understands as much of Google Benchmark's command line as the gate uses, and
// really measures: rounds of additions. --work=N sets how many, --sleep=N lets it sleep for N ms
// after them, of the first N benchmarks alone if there is --sleepy=N; --elsewhere adds in another
// thread, --repetitions=N measures N times; --fail=NAME makes a benchmark fail.
// --gaps: how much of 300 ms it did not run, in percent.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

#include <fmt/format.h>

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  bool list = false;
  std::string filter = ".", out, fail, extra;
  unsigned work = 100'000, sleep_ms = 0;
  int repetitions = 5;
  std::size_t sleepy = 100;
  bool elsewhere = false;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const auto value = [&](const std::string& name) {
      return argument.starts_with(name) ? argument.substr(name.size()) : std::string();
    };
    if (argument == "--benchmark_list_tests=true") options.list = true;
    if (const auto text = value("--benchmark_filter="); !text.empty()) options.filter = text;
    if (const auto text = value("--benchmark_out="); !text.empty()) options.out = text;
    if (const auto text = value("--fail="); !text.empty()) options.fail = text;
    if (const auto text = value("--extra="); !text.empty()) options.extra = text;
    if (const auto text = value("--work="); !text.empty())
      options.work = static_cast<unsigned>(std::stoul(text));
    if (argument == "--elsewhere") options.elsewhere = true;
    if (const auto text = value("--repetitions="); !text.empty())
      options.repetitions = std::stoi(text);
    if (const auto text = value("--sleepy="); !text.empty()) options.sleepy = std::stoul(text);
    if (const auto text = value("--sleep="); !text.empty())
      options.sleep_ms = static_cast<unsigned>(std::stoul(text));
  }
  return options;
}

struct Measured {
  double wall_ns, cpu_ns;
};

double cpu_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

Measured measured(const Options& options) {
  const auto begun = Clock::now();
  const double cpu_begun = cpu_ns();
  const auto work = [&options] {
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < options.work; ++i)
      sum = sum + i;
  };
  if (options.elsewhere)
    std::thread(work).join();
  else
    work();
  if (options.sleep_ms > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(options.sleep_ms));
  return {static_cast<double>(std::chrono::nanoseconds(Clock::now() - begun).count()),
          cpu_ns() - cpu_begun};
}

double gap_percent() {
  const auto begun = Clock::now(), end = begun + std::chrono::milliseconds(300);
  std::chrono::duration<double> gaps{0};
  auto last = begun;
  while (last < end) {
    const auto now = Clock::now();
    if (now - last > std::chrono::microseconds(200)) gaps += now - last;
    last = now;
  }
  return 100 * gaps.count() / std::chrono::duration<double>(last - begun).count();
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "--gaps") {
    fmt::print("{}\n", gap_percent());
    return 0;
  }
  Options options = parse(count, arguments);
  const unsigned sleep_ms = options.sleep_ms;
  std::vector<std::string> names = {"add<int>/1", "add<int>/10"};
  if (!options.extra.empty()) names.push_back(options.extra);
  std::string results;
  for (std::size_t number = 0; number < names.size(); ++number) {
    const std::string& name = names[number];
    options.sleep_ms = number < options.sleepy ? sleep_ms : 0;
    if (!std::regex_search(name, std::regex(options.filter, std::regex::extended))) continue;
    if (options.list) {
      fmt::print("{}\n", name);
      continue;
    }
    if (name == options.fail) return 7;
    for (int i = 0; i < options.repetitions; ++i) {
      const Measured time = measured(options);
      results += fmt::format(
          "{}{{\"name\": \"{}\", \"run_name\": \"{}\", \"run_type\": \"iteration\", "
          "\"repetition_index\": {}, \"real_time\": {}, \"cpu_time\": {}, \"time_unit\": \"us\"}}",
          results.empty() ? "" : ",\n", name, name, i, time.wall_ns / 1000, time.cpu_ns / 1000);
    }
  }
  if (!options.out.empty())
    std::ofstream(options.out) << "{\"context\": {}, \"benchmarks\": [" << results << "]}\n";
  return 0;
}
