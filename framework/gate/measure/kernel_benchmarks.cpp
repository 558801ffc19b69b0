#include "gate/measure/kernel_benchmarks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/files.hpp"
#include "gate/measure/common_configs.hpp"
#include "gate/measure/run_session.hpp"

namespace tunecheck::gate {
namespace {

constexpr std::string_view warm_prefix = "warm_";

std::vector<std::int64_t> of_tunings(const KernelSide& side, std::int64_t Tuning::*what) {
  std::vector<std::int64_t> counts;
  for (const Tuning& tuning : side.tunings())
    counts.push_back(tuning.*what);
  return counts;
}

std::map<std::string, std::int64_t> votes(const KernelSide& side) {
  std::map<std::string, std::int64_t> votes;
  for (const Tuning& tuning : side.tunings())
    ++votes[tuning.winner];
  return votes;
}

std::string favourite(const std::map<std::string, std::int64_t>& votes) {
  return std::max_element(votes.begin(), votes.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all = {
      {"winner_time", "a launch of a config that the tuner chose, measured by the judge"},
      {"winner_choice", "a launch of what a fresh tuning chose, with the base's kernel"},
      {"tuning_time", "from a call with an empty cache to its answer"},
      {"warm_start", "from the start of a process to the answer of a call that hits"},
      {"dispatch", "a call that hits, besides the kernel's own time"},
  };
  return all;
}

std::string case_name(const CaseName& name) {
  return fmt::format("{}/{}/{}", name.kernel, name.size, name_of(name.backend));
}

Subject subject_of(const CaseName& name, std::string_view metric, const std::string& unit) {
  return {case_name(name) + "/" + std::string(metric),
          std::string(metric),
          name.kernel,
          name.size,
          std::string(name_of(name.backend)),
          unit};
}

std::string why_not(const KernelSide& side, std::string_view metric) {
  return metric == "dispatch" ? side.why_no_dispatch() : "";
}

std::string_view how_slowed(std::string_view metric, DeviceKind backend) {
  if (metric == "warm_start") return slowed_by::answer;
  if (metric != "winner_time") return "";
  if (!is_gpu(backend)) return slowed_by::launch;
  // A loop counts cycles in the words of CUDA.
  return backend == DeviceKind::cuda ? slowed_by::loop : "";
}

Result<ProcessRun> measure(KernelSide& side, std::string_view metric, std::size_t number,
                           bool is_slowed) {
  if (metric == "winner_time") return side.winner_time(number, is_slowed);
  if (metric == "winner_choice") return choice_time(side, side);
  if (metric == "tuning_time") return side.tuning_time();
  if (metric == "warm_start") return side.warm_start(number, is_slowed);
  return side.dispatch(number);
}

WinnerChange winners_of(const CaseName& name, const KernelSide& base, const KernelSide& head) {
  WinnerChange winners{name.kernel, name.size, std::string(name_of(name.backend)),
                       "",          "",        votes(base),
                       votes(head), "",        ""};
  winners.base = favourite(winners.base_winners);
  winners.head = favourite(winners.head_winners);
  return winners;
}

std::vector<Counted> counts_of(const KernelSide& side, const CaseName& name) {
  return {
      {subject_of(name, "warm_compiles", "compiles"), side.warm_compiles()},
      {subject_of(name, "warm_launches", "launches"), side.warm_launches()},
      {subject_of(name, "tuning_compiles", "compiles"), of_tunings(side, &Tuning::compiles)},
      {subject_of(name, "trials", "configs"), of_tunings(side, &Tuning::trials)},
      {subject_of(name, "artifacts", "files"), of_tunings(side, &Tuning::artifacts)},
  };
}

std::string_view metric_that_counts(std::string_view count) {
  return count.starts_with(warm_prefix) ? "warm_start" : "";
}

Result<Bench> make_bench(const std::filesystem::path& out, GateResult& result,
                         std::filesystem::path store) {
  if (store.empty()) store = out / "compile-store";
  TUNECHECK_CHECK(create_folders(store));
  Bench bench;
  bench.work = std::filesystem::absolute(out / "work");
  TUNECHECK_TRY(bench.backend, parse_device_kind(result.backend, real_device_kinds));
  TUNECHECK_TRY(bench.observers, find_observers(std::filesystem::absolute(store),
                                                bench.work / "spies", bench.backend));
  bench.planted = result.settings.planted;
  bench.cpu = CpuLease::take();
  result.pinning = bench.cpu.text();
  return bench;
}

}  // namespace tunecheck::gate
