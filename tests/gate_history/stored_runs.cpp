#include "stored_runs.hpp"

#include <stdexcept>

#include <fmt/chrono.h>

namespace tunecheck::test {
namespace {

constexpr std::time_t first_minute = 1'714'521'600;  // 2024-05-01T00:00:00Z

}  // namespace

history::SampleSet time_of(const std::string& benchmark, double time_ns) {
  return {benchmark, history::Kind::time, "ns", {{"cpu", "Toy CPU"}}, {time_ns}};
}

history::MeasuredRun run_of_minute(int minute) {
  history::MeasuredRun run;
  run.suite = "gate";
  run.source = "out/gate.json";
  run.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(first_minute + 60 * minute));
  run.revision = fmt::format("{:040x}", minute);
  run.tuner = "toy 1.0";
  run.tunecheck_version = "0.1.0";
  run.environment = {{"cpu", "Toy CPU"}, {"host", "here"}};
  run.digest = fmt::format("run {}", minute);
  for (const char* name : {"axpy/small", "axpy/large", "sum/small"}) {
    run.sets.push_back(time_of(name, 100.5 + minute));
    run.sets.back().processes = {100.5 + minute, 101.25, 99};
  }
  return run;
}

history::History Place::open() const {
  auto opened = history::History::open_or_create(file());
  if (!opened) throw std::runtime_error(opened.error().text());
  return std::move(*opened);
}

void Place::fill(int runs) const {
  history::History history = open();
  for (int i = 0; i < runs; ++i)
    if (const auto added = history.add(run_of_minute(i)); !added)
      throw std::runtime_error(added.error().text());
}

}  // namespace tunecheck::test
