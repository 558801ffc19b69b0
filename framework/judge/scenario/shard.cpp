#include "judge/scenario/shard.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/digest.hpp"
#include "judge/scenario/quick.hpp"

namespace tunecheck {
namespace {

constexpr int most_shards = 10'000;

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
              fmt::format("expected the number of all parts in {} beside it", scheduler.count),
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

std::vector<const Scenario*> shard_of(const Catalogue& catalogue,
                                      const std::vector<const Scenario*>& scenarios,
                                      const Shard& shard, const ScenarioTimes& times) {
  struct Weighed {
    const Scenario* scenario;
    double cost = 0, time = 0;
  };
  std::vector<Weighed> all;
  double known_time = 0, known_cost = 0;
  for (const Scenario* const scenario : scenarios) {
    Weighed& one = all.emplace_back(Weighed{scenario});
    one.cost = static_cast<double>(cost_of(*scenario, catalogue.kernel_of(*scenario)));
    const auto time = times.find(scenario->name);
    if (time == times.end()) continue;
    one.time = static_cast<double>(std::max<std::int64_t>(time->second, 1));
    known_time += one.time;
    known_cost += one.cost;
  }
  const double per_cost = known_cost > 0 ? known_time / known_cost : 1;
  for (Weighed& one : all)
    if (one.time <= 0) one.time = one.cost * per_cost;
  std::stable_sort(all.begin(), all.end(),
                   [](const Weighed& a, const Weighed& b) { return a.time > b.time; });
  std::vector<double> load(static_cast<std::size_t>(shard.count));
  std::vector<const Scenario*> mine;
  for (const Weighed& one : all) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += one.time;
    if (least - load.begin() + 1 == shard.number) mine.push_back(one.scenario);
  }
  std::sort(mine.begin(), mine.end(),
            [](const Scenario* a, const Scenario* b) { return a->name < b->name; });
  return mine;
}

ShardOf describe_shard(const Shard& shard, const std::vector<const Scenario*>& scenarios) {
  std::vector<std::string> names;
  for (const Scenario* const scenario : scenarios)
    names.push_back(scenario->name);
  return {shard.number, shard.count, static_cast<std::int64_t>(names.size()),
          key_digest(fmt::format("{}", fmt::join(names, "\n")))};
}

}  // namespace tunecheck
