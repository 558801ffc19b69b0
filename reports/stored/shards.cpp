#include "reports/stored/shards.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/stored/result_reader.hpp"

namespace tunecheck {
namespace {

tl::unexpected<Error> refusal(const RunResult& result, const std::string& message) {
  return failure(Error{ErrorKind::untrusted, message, result.file, 0, {}});
}

// Both must be parts of one run.
Result<void> check_alike(const RunResult& first, const RunResult& other) {
  const std::pair<std::string, std::string> facts[][2] = {
      {{"version of tunecheck", first.tunecheck_version}, {"", other.tunecheck_version}},
      {{"adapter", first.adapter}, {"", other.adapter}},
      {{"backend", first.backend}, {"", other.backend}},
      {{"seed", std::to_string(first.seed)}, {"", std::to_string(other.seed)}},
      {{"number of parts", std::to_string(first.shard->count)},
       {"", std::to_string(other.shard->count)}},
      // A part whose scenarios are all unsupported never heard of the tuner.
      {{"tuner", other.tuner.empty() ? "" : first.tuner},
       {"", first.tuner.empty() ? "" : other.tuner}}};
  for (const auto& [expected, found] : facts)
    if (expected.second != found.second)
      return refusal(other, fmt::format("expected the {} {} of {}, found {}", expected.first,
                                        expected.second, first.file, found.second));
  if (first.shard->selection != other.shard->selection)
    return refusal(other, fmt::format("expected the selection of scenarios of {}, found another: "
                                      "GLOB, --quick, --exclude or the scenarios differ",
                                      first.file));
  return {};
}

Result<void> check_parts(const std::vector<RunResult>& shards) {
  const int count = shards.front().shard->count;
  std::map<int, const RunResult*> parts;
  for (const RunResult& shard : shards)
    if (const auto [known, is_new] = parts.try_emplace(shard.shard->number, &shard); !is_new)
      return refusal(
          shard,
          fmt::format("part {} of {} is there twice{}", shard.shard->number, count,
                      known->second->file == shard.file ? "" : ", also in " + known->second->file));
  std::vector<int> missing;
  for (int number = 1; number <= count; ++number)
    if (!parts.contains(number)) missing.push_back(number);
  if (!missing.empty())
    return failure(ErrorKind::untrusted, "{} {} of {} {} missing",
                   missing.size() == 1 ? "part" : "parts", fmt::join(missing, ", "), count,
                   missing.size() == 1 ? "is" : "are");
  return {};
}

}  // namespace

Result<RunResult> join_shards(std::vector<RunResult> shards) {
  if (shards.empty()) return failure(ErrorKind::bad_input, "expected parts of a run, found none");
  for (const RunResult& shard : shards) {
    if (!shard.shard)
      return refusal(shard, "expected a part of a run (run --shard), found a whole one");
    TUNECHECK_CHECK(check_alike(shards.front(), shard));
  }
  TUNECHECK_CHECK(check_parts(shards));
  const ShardOf of = *shards.front().shard;
  std::int64_t wall_ns = 0;
  for (const RunResult& shard : shards)
    wall_ns = std::max(wall_ns, shard.wall_ns);
  std::stable_sort(shards.begin(), shards.end(),
                   [](const RunResult& a, const RunResult& b) { return a.started < b.started; });
  RunResult whole = std::move(shards.front());
  for (std::size_t i = 1; i < shards.size(); ++i)
    whole = joined(std::move(whole), std::move(shards[i]));
  whole.shard.reset();
  whole.wall_ns = wall_ns;
  whole.file.clear();
  const auto found = static_cast<std::int64_t>(whole.scenarios.size() + whole.pending.size());
  if (found != of.scenarios && whole.trouble.empty())
    return failure(ErrorKind::untrusted, "expected {} scenarios in all parts, found {}",
                   of.scenarios, found);
  return whole;
}

}  // namespace tunecheck
