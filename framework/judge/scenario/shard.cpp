#include "judge/scenario/shard.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/digest.hpp"
#include "judge/scenario/quick.hpp"

namespace tunecheck {
namespace {

constexpr int most_shards = 10'000;
// About what a config takes on a CPU: tuners whose times are not known stand beside others whose
// times are.
constexpr double ns_per_cost = 50e6;

std::optional<int> whole(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<Shard> checked(std::optional<int> number, std::optional<int> count, std::string_view name,
                      std::string_view found) {
  if (number && count && *count >= 1 && *count <= most_shards && *number >= 1 && *number <= *count)
    return Shard{*number, *count};
  return failure(
      Error{ErrorKind::bad_input,
            fmt::format("expected a part and the number of all, from 1/1 to {}/{}, found \"{}\"",
                        most_shards, most_shards, found),
            {},
            0,
            std::string(name)});
}

// A scheduler's index and what belongs to it.
struct Scheduler {
  const char* index;
  const char* count;
  const char* first = nullptr;  // the index of the first part; without it, `begins_at`
  const char* step = nullptr;
  int begins_at = 0;
};
constexpr Scheduler schedulers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP", 0},
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", nullptr, nullptr, 1},
    {"JOB_COMPLETION_INDEX", "TUNECHECK_SHARDS", nullptr, nullptr, 0},
};

std::optional<int> value_of(const Variable& variable, const char* name, int otherwise) {
  const char* const text = name != nullptr ? variable(name) : nullptr;
  return text == nullptr || *text == '\0' ? otherwise : whole(text);
}

Result<Shard> shard_by(const Scheduler& scheduler, std::string_view index,
                       const Variable& variable) {
  const char* const count = variable(scheduler.count);
  if (count == nullptr || *count == '\0')
    return failure(
        Error{ErrorKind::bad_input,
              fmt::format("expected the number of all parts in {} next to it", scheduler.count),
              {},
              0,
              scheduler.index});
  const auto at = whole(index);
  const auto first = value_of(variable, scheduler.first, scheduler.begins_at);
  const auto step = value_of(variable, scheduler.step, 1);
  std::optional<int> number;
  if (at && first && step && *step > 0 && (*at - *first) % *step == 0)
    number = (*at - *first) / *step + 1;
  return checked(number, whole(count), scheduler.index, fmt::format("{} of {}", index, count));
}

}  // namespace

Result<Shard> parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == text.npos) return checked({}, {}, "--shard", text);
  return checked(whole(text.substr(0, slash)), whole(text.substr(slash + 1)), "--shard", text);
}

Result<std::optional<Shard>> shard_of_environment(const Variable& variable) {
  if (const char* const own = variable("TUNECHECK_SHARD"); own != nullptr && *own != '\0') {
    auto shard = parse_shard(own);
    if (shard) return std::optional(*shard);
    Error error = shard.error();
    error.key = "TUNECHECK_SHARD";
    return failure(std::move(error));
  }
  for (const Scheduler& scheduler : schedulers) {
    const char* const index = variable(scheduler.index);
    if (index == nullptr || *index == '\0') continue;
    TUNECHECK_TRY(const Shard shard, shard_by(scheduler, index, variable));
    return std::optional(shard);
  }
  return std::optional<Shard>();
}

std::vector<double> expected_times(const Catalogue& catalogue,
                                   const std::vector<const Scenario*>& scenarios,
                                   const ScenarioTimes& times) {
  std::vector<double> costs, all;
  double known_time = 0, known_cost = 0;
  for (const Scenario* const scenario : scenarios) {
    costs.push_back(static_cast<double>(cost_of(*scenario, catalogue.kernel_of(*scenario))));
    const auto time = times.find(scenario->name);
    all.push_back(
        time == times.end() ? 0 : static_cast<double>(std::max<std::int64_t>(time->second, 1)));
    if (time == times.end()) continue;
    known_time += all.back();
    known_cost += costs.back();
  }
  const double per_cost = known_cost > 0 ? known_time / known_cost : ns_per_cost;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] <= 0) all[i] = costs[i] * per_cost;
  return all;
}

std::vector<std::size_t> part_of(const std::vector<double>& times, const Shard& shard) {
  std::vector<std::size_t> longest_first(times.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] > times[b]; });
  std::vector<double> load(static_cast<std::size_t>(shard.count));
  std::vector<std::size_t> mine;
  for (const std::size_t index : longest_first) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += times[index];
    if (least - load.begin() + 1 == shard.number) mine.push_back(index);
  }
  std::sort(mine.begin(), mine.end());
  return mine;
}

Result<void> check_enough_for(const Shard& shard, std::size_t scenarios) {
  if (static_cast<std::size_t>(shard.count) <= scenarios) return {};
  return failure(Error{ErrorKind::bad_input,
                       fmt::format("expected at most as many parts as scenarios, {}, found {}",
                                   scenarios, shard.count),
                       {},
                       0,
                       "--shard"});
}

std::vector<const Scenario*> shard_of(const Catalogue& catalogue,
                                      const std::vector<const Scenario*>& scenarios,
                                      const Shard& shard, const ScenarioTimes& times) {
  std::vector<const Scenario*> mine;
  for (const std::size_t index : part_of(expected_times(catalogue, scenarios, times), shard))
    mine.push_back(scenarios[index]);
  return mine;
}

ShardOf describe_shard(const Shard& shard, const std::vector<std::string>& names) {
  return {shard.number, shard.count, static_cast<std::int64_t>(names.size()),
          key_digest(fmt::format("{}", fmt::join(names, "\n")))};
}

ShardOf describe_shard(const Shard& shard, const std::vector<const Scenario*>& scenarios) {
  std::vector<std::string> names;
  for (const Scenario* const scenario : scenarios)
    names.push_back(scenario->name);
  return describe_shard(shard, names);
}

}  // namespace tunecheck
