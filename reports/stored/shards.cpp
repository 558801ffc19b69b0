#include "reports/stored/shards.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/stored/result_reader.hpp"

namespace tunecheck {
namespace {

tl::unexpected<Error> refusal(const std::string& file, const std::string& message) {
  return failure(Error{ErrorKind::untrusted, message, file, 0, {}});
}

// What parts of one run or audit share, and where it stands.
struct Part {
  const RunResult& run;  // of an audit: of the true tuner
  const ShardOf& of;
  const std::string& file;
};

// "" where there is none.
std::string fact_of(const RunResult& run, const char* name) {
  const auto found = run.environment.find(name);
  return found == run.environment.end() ? "" : found->second;
}

// What all parts share, those of other tuners of a matrix too.
Result<void> check_alike(const Part& first, const Part& other) {
  const std::pair<std::string, std::string> facts[][2] = {
      {{"version of tunecheck", first.run.tunecheck_version}, {"", other.run.tunecheck_version}},
      {{"commit of tunecheck", fact_of(first.run, tunecheck_commit_fact)},
       {"", fact_of(other.run, tunecheck_commit_fact)}},
      {{"backend", first.run.backend}, {"", other.run.backend}},
      {{"seed", std::to_string(first.run.seed)}, {"", std::to_string(other.run.seed)}},
      {{"number of parts", std::to_string(first.of.count)}, {"", std::to_string(other.of.count)}},
      {{"tuners", fmt::format("{}", fmt::join(first.of.tuners, ", "))},
       {"", fmt::format("{}", fmt::join(other.of.tuners, ", "))}}};
  for (const auto& [expected, found] : facts)
    if (expected.second != found.second)
      return refusal(other.file,
                     fmt::format("expected the {} {} of {}, found {}", expected.first,
                                 expected.second.empty() ? "(none)" : expected.second, first.file,
                                 found.second.empty() ? "none" : found.second));
  return {};
}

// What parts of one tuner share besides.
Result<void> check_same_tuner(const Part& first, const Part& other) {
  const std::pair<std::string, std::string> facts[][2] = {
      {{"adapter", first.run.adapter}, {"", other.run.adapter}},
      // A part whose scenarios are all unsupported never heard of the tuner.
      {{"tuner", other.run.tuner.empty() ? "" : first.run.tuner},
       {"", first.run.tuner.empty() ? "" : other.run.tuner}},
      {{"commit of the tuner", fact_of(first.run, "commit")}, {"", fact_of(other.run, "commit")}}};
  for (const auto& [expected, found] : facts)
    if (expected.second != found.second)
      return refusal(other.file,
                     fmt::format("expected the {} {} of {}, found {}", expected.first,
                                 expected.second.empty() ? "(none)" : expected.second, first.file,
                                 found.second.empty() ? "none" : found.second));
  if (first.of.selection != other.of.selection)
    return refusal(other.file,
                   fmt::format("expected the selection of scenarios of {}, found another: "
                               "GLOB, --quick, --exclude, --mutant or the scenarios differ",
                               first.file));
  return {};
}

// "part 2 of 4 is missing"; `of_whom` is " of TUNER", or nothing.
Result<void> check_parts(const std::vector<Part>& shards, const std::string& of_whom) {
  const int count = shards.front().of.count;
  std::map<int, std::string> parts;
  for (const Part& shard : shards)
    if (const auto [known, is_new] = parts.try_emplace(shard.of.number, shard.file); !is_new)
      return refusal(
          shard.file,
          fmt::format("part {} of {}{} is there twice{}", shard.of.number, count, of_whom,
                      known->second == shard.file ? "" : ", also in " + known->second));
  std::vector<int> missing;
  for (int number = 1; number <= count; ++number)
    if (!parts.contains(number)) missing.push_back(number);
  if (!missing.empty())
    return failure(ErrorKind::untrusted, "{} {} of {}{} {} missing",
                   missing.size() == 1 ? "part" : "parts", fmt::join(missing, ", "), count, of_whom,
                   missing.size() == 1 ? "is" : "are");
  return {};
}

// Parts of one tuner, or of one audit.
Result<void> check_whole(const std::vector<Part>& shards, const std::string& of_whom) {
  for (const Part& shard : shards)
    TUNECHECK_CHECK(check_same_tuner(shards.front(), shard));
  return check_parts(shards, of_whom);
}

Result<void> check_count(std::size_t found, const ShardOf& of) {
  if (static_cast<std::int64_t>(found) == of.scenarios) return {};
  return failure(ErrorKind::untrusted, "expected {} scenarios in all parts, found {}", of.scenarios,
                 found);
}

Result<RunResult> join_tuner(std::vector<RunResult> shards, const std::string& of_whom) {
  std::vector<Part> parts;
  for (const RunResult& shard : shards)
    parts.push_back({shard, *shard.shard, shard.file});
  TUNECHECK_CHECK(check_whole(parts, of_whom));
  const ShardOf of = *shards.front().shard;
  std::int64_t wall_ns = 0;
  for (const RunResult& shard : shards)
    wall_ns = std::max(wall_ns, shard.wall_ns);
  std::stable_sort(shards.begin(), shards.end(),
                   [](const RunResult& a, const RunResult& b) { return a.started < b.started; });
  std::string tuner;
  for (const RunResult& shard : shards)
    if (!shard.tuner.empty()) tuner = shard.tuner;
  RunResult whole = std::move(shards.front());
  for (std::size_t i = 1; i < shards.size(); ++i)
    whole = joined(std::move(whole), std::move(shards[i]));
  whole.shard.reset();
  whole.tuner = tuner;
  whole.wall_ns = wall_ns;
  whole.file.clear();
  if (whole.trouble.empty())
    TUNECHECK_CHECK(check_count(whole.scenarios.size() + whole.pending.size(), of));
  return whole;
}

Result<void> check_tuners(const std::map<std::string, std::vector<RunResult>>& by_adapter,
                          const ShardOf& of) {
  for (const std::string& tuner : of.tuners)
    if (!by_adapter.contains(tuner))
      return failure(ErrorKind::untrusted, "expected the parts of the tuners {}, found none of {}",
                     fmt::join(of.tuners, ", "), tuner);
  return {};
}

}  // namespace

Result<std::vector<RunResult>> join_shards(std::vector<RunResult> shards) {
  if (shards.empty()) return failure(ErrorKind::bad_input, "expected parts of a run, found none");
  for (const RunResult& shard : shards) {
    if (!shard.shard)
      return refusal(shard.file, "expected a part of a run (run --shard), found a whole one");
    TUNECHECK_CHECK(check_alike({shards.front(), *shards.front().shard, shards.front().file},
                                {shard, *shard.shard, shard.file}));
  }
  const ShardOf of = *shards.front().shard;
  std::vector<RunResult> wholes;
  if (of.tuners.empty()) {
    TUNECHECK_TRY(RunResult whole, join_tuner(std::move(shards), ""));
    wholes.push_back(std::move(whole));
    return wholes;
  }
  std::map<std::string, std::vector<RunResult>> by_adapter;
  for (RunResult& shard : shards)
    by_adapter[shard.adapter].push_back(std::move(shard));
  TUNECHECK_CHECK(check_tuners(by_adapter, of));
  for (const std::string& tuner : of.tuners) {
    TUNECHECK_TRY(RunResult whole, join_tuner(std::move(by_adapter.at(tuner)), " of " + tuner));
    wholes.push_back(std::move(whole));
  }
  return wholes;
}

Result<AuditResult> join_audits(std::vector<ReportSource<AuditResult>> shards) {
  if (shards.empty())
    return failure(ErrorKind::bad_input, "expected parts of an audit, found none");
  std::vector<Part> parts;
  for (const auto& [file, audit] : shards) {
    if (!audit.shard)
      return refusal(file, "expected a part of an audit (audit --shard), found a whole one");
    parts.push_back({audit.reference, *audit.shard, file});
    TUNECHECK_CHECK(check_alike(parts.front(), parts.back()));
  }
  TUNECHECK_CHECK(check_whole(parts, ""));
  const ShardOf of = *shards.front().content.shard;
  AuditResult whole = std::move(shards.front().content);
  for (std::size_t i = 1; i < shards.size(); ++i) {
    AuditResult& part = shards[i].content;
    whole.wall_ns = std::max(whole.wall_ns, part.wall_ns);
    whole.started = std::min(whole.started, part.started);
    std::move(part.kills.begin(), part.kills.end(), std::back_inserter(whole.kills));
    // What its tuner is called, a part knows that ran it.
    if (part.reference.tuner.empty()) part.reference.tuner = whole.reference.tuner;
    whole.reference = joined(std::move(whole.reference), std::move(part.reference));
  }
  whole.shard.reset();
  whole.reference.file.clear();
  std::stable_sort(whole.kills.begin(), whole.kills.end(), [](const auto& a, const auto& b) {
    return std::pair(a.scenario, a.mutant) < std::pair(b.scenario, b.mutant);
  });
  TUNECHECK_CHECK(check_count(whole.kills.size() + whole.reference.scenarios.size(), of));
  return whole;
}

}  // namespace tunecheck
