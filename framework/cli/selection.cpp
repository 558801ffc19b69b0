#include "cli/selection.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/division.hpp"
#include "core/text.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/run/lack.hpp"
#include "judge/scenario/name_list.hpp"
#include "judge/scenario/quick.hpp"
#include "judge/scenario/scenario_filter.hpp"
#include "reports/stored/result_reader.hpp"

namespace tunecheck::cli {
namespace {

using Scenarios = std::vector<const Scenario*>;

tl::unexpected<Error> refusal(const std::string& option, const std::string& message,
                              const std::string& file = {}) {
  return failure(Error{ErrorKind::bad_input, message, file, 0, option});
}

// The checks that this tuner is not asked in any scenario.
std::set<std::string_view> not_asked(const AdapterInfo& adapter) {
  std::set<std::string_view> checks;
  for (const Check& check : all_checks())
    if (adapter.unseen.contains(std::string(check.name)) ||
        (!check.capability.empty() && !adapter.has(check.capability)))
      checks.insert(check.name);
  return checks;
}

// Few scenarios are to ask much of this tuner, and so none is chosen that it cannot be asked; all
// are where it can be asked none.
std::vector<const Scenario*> quick_for(const TunerRun& run,
                                       std::vector<const Scenario*> scenarios) {
  const AdapterInfo& adapter = run.options.adapter;
  const DeviceKind backend = run.options.tasks.backend;
  std::vector<const Scenario*> asked;
  std::copy_if(scenarios.begin(), scenarios.end(), std::back_inserter(asked),
               [&](const Scenario* const scenario) {
                 return !lack_of(adapter, *scenario, device_of(*scenario, backend));
               });
  if (asked.empty()) return quick_selection(run.catalogue, scenarios);
  return quick_selection(run.catalogue, asked, not_asked(adapter));
}

// The result that the last run into this folder left; it must be of the same tuner and device.
Result<RunResult> last_result(const RunArguments& arguments, const TunerRun& run,
                              const char* option) {
  const std::string file = (std::filesystem::path(arguments.out) / "result.json").string();
  TUNECHECK_TRY(RunResult result, read_result(file));
  const auto backend = name_of(arguments.backend);
  if (result.adapter != run.options.adapter.name || result.backend != backend)
    return refusal(option,
                   fmt::format("expected a result of {} on {}, found one of {} on {}",
                               run.options.adapter.name, backend, result.adapter, result.backend),
                   file);
  return result;
}

Scenarios named(const Scenarios& scenarios, const std::set<std::string>& names) {
  Scenarios some;
  std::copy_if(scenarios.begin(), scenarios.end(), std::back_inserter(some),
               [&](const Scenario* scenario) { return names.contains(scenario->name); });
  return some;
}

Result<Scenarios> failed_last(const RunArguments& arguments, const TunerRun& run,
                              const Scenarios& scenarios) {
  TUNECHECK_TRY(const RunResult result, last_result(arguments, run, "--last-failed"));
  std::set<std::string> names;
  for (const ScenarioResult& scenario : result.scenarios)
    if (scenario.verdict == Verdict::fail || scenario.verdict == Verdict::error)
      names.insert(scenario.name);
  Scenarios some = named(scenarios, names);
  if (some.empty())
    return refusal("--last-failed", "expected a scenario that failed, found none", result.file);
  return some;
}

Result<Scenarios> not_reached(const RunArguments& arguments, TunerRun& run,
                              const Scenarios& scenarios) {
  TUNECHECK_TRY(RunResult result, last_result(arguments, run, "--resume"));
  if (result.seed != arguments.seed)
    return refusal("--resume",
                   fmt::format("expected a result with seed {}, found one with seed {}",
                               arguments.seed, result.seed),
                   result.file);
  std::set<std::string> names(result.pending.begin(), result.pending.end());
  for (const LeftOut& scenario : result.left_out)
    if (was_stopped_before(scenario)) names.insert(scenario.name);
  if (names.empty())
    return refusal("--resume", "expected a run that was interrupted, found one that ended",
                   result.file);
  Scenarios some = named(scenarios, names);
  if (some.empty())
    return refusal("--resume",
                   fmt::format("expected a selection with some of the {} scenarios that are "
                               "pending, found none",
                               names.size()),
                   result.file);
  // What is not selected stays pending.
  for (const Scenario* const scenario : some)
    std::erase(result.pending, scenario->name);
  result.file.clear();
  run.before = std::move(result);
  return some;
}

// A part of a run stays the part that it is: a job that is tried again is given the same one.
Result<void> check_part(const RunArguments& arguments, const TunerRun& run, const Shard& shard) {
  if (arguments.last_failed)
    return refusal("--last-failed", "expected no part of a run: TUNECHECK_SHARD is set");
  const std::optional<ShardOf>& was = run.before->shard;
  if (was && was->number == shard.number && was->count == shard.count) return {};
  return refusal("--resume",
                 fmt::format("expected part {} of {}, as {} says, found {}", shard.number,
                             shard.count, arguments.shard.empty() ? "TUNECHECK_SHARD" : "--shard",
                             was ? fmt::format("part {} of {}", was->number, was->count)
                                 : "a run that is not divided"),
                 (std::filesystem::path(arguments.out) / "result.json").string());
}

Result<Scenarios> own_part(const RunArguments& arguments, TunerRun& run, const Scenarios& scenarios,
                           const Shard& shard) {
  TUNECHECK_CHECK(check_enough_for(shard, scenarios.size()));
  TUNECHECK_TRY(const ScenarioTimes times, times_of(arguments.times, ""));
  run.options.shard = describe_shard(shard, scenarios);
  return shard_of(run.catalogue, scenarios, shard, times);
}

// The names in a file that is given as @FILE, and what is given itself. A name that a file holds
// and nobody has is a mistake in that line.
Result<std::vector<std::string>> with_files(const std::vector<std::string>& given,
                                            const Catalogue& catalogue) {
  std::vector<std::string> globs;
  for (const std::string& glob : given) {
    if (!glob.starts_with('@')) {
      globs.push_back(glob);
      continue;
    }
    const std::string file = glob.substr(1);
    TUNECHECK_TRY(const std::vector<ListedName> listed, read_name_list(file));
    for (const ListedName& name : listed) {
      TUNECHECK_CHECK(select_scenarios(catalogue, {name.name}).map_error([&](Error error) {
        error.file = file;
        error.line = name.line;
        return error;
      }));
      globs.push_back(name.name);
    }
  }
  return globs;
}

// What is excluded for good, in a file of options, need not be in every selection.
Result<void> exclude(const std::vector<std::string>& globs, const Catalogue& catalogue,
                     Scenarios& scenarios) {
  for (const std::string& given : globs) {
    const std::string glob = scenario_glob(given, catalogue);
    const auto matches = [&](const std::string& name) { return matches_glob(glob, name); };
    if (std::none_of(catalogue.scenarios.begin(), catalogue.scenarios.end(),
                     [&](const auto& each) { return matches(each.first); }))
      return refusal("--exclude", no_scenario_matches(given, catalogue));
    std::erase_if(scenarios, [&](const Scenario* scenario) { return matches(scenario->name); });
  }
  if (scenarios.empty()) return refusal("--exclude", "expected to leave some scenario to run");
  return {};
}

// Why nothing of what was asked for runs on this kind of device.
Result<void> check_device(const Selection& selection, DeviceKind backend) {
  if (!selection.scenarios.empty() || selection.left_out.empty()) return {};
  const LeftOut& first = selection.left_out.front();
  const std::size_t count = selection.left_out.size();
  return refusal(
      "--backend",
      fmt::format("{} on {}: {}{}; expected a kind of device that {} run{} on",
                  count == 1 ? fmt::format("\"{}\" does not run", first.name)
                             : fmt::format("none of {} runs", counted(count, "scenario")),
                  name_of(backend), count == 1 ? "" : fmt::format("\"{}\": ", first.name),
                  first.reason, count == 1 ? "it" : "some of them", count == 1 ? "s" : ""));
}

}  // namespace

void add_where(CLI::App& command, std::string& where) {
  command
      .add_option(
          "--where", where,
          "Only scenarios of which this is true: FIELD:VALUE with \"and\", \"or\", \"not\"\n"
          "and parentheses. FIELD is " +
              fmt::format("{}", fmt::join(filter_fields(), ", ")) + ";\nVALUE may have * and ?")
      ->check(not_empty("a condition"))
      ->type_name("CONDITION");
}

Result<void> keep_where(const std::string& where, const Catalogue& catalogue,
                        Scenarios& scenarios) {
  if (where.empty()) return {};
  const auto filter = ScenarioFilter::parse(where, catalogue);
  if (!filter) return refusal("--where", filter.error().message);
  std::erase_if(scenarios, [&](const Scenario* scenario) { return !filter->matches(*scenario); });
  if (scenarios.empty())
    return refusal("--where", "expected a scenario of which it is true, found none");
  return {};
}

void add_selection_options(CLI::App& command, RunArguments& arguments) {
  add_repeatable(command, "--exclude", arguments.excluded,
                 "Names of scenarios that are not run, with * and ?, or @FILE with one per\n"
                 "line; may be given several times",
                 "GLOB");
  add_where(command, arguments.where);
  command.add_flag("--last-failed", arguments.last_failed,
                   "Run only those that failed according to result.json in the folder of\n"
                   "--out");
  command.add_flag("--resume", arguments.resumes,
                   "Go on with the run that was interrupted in the folder of --out; the new\n"
                   "result.json has what both found");
  add_shard_option(command, arguments.shard, "scenarios");
  add_times_option(command, arguments.times);
}

Result<void> check_selection(const RunArguments& arguments) {
  if (arguments.last_failed && arguments.resumes)
    return refusal("--resume", "expected no --last-failed next to it");
  if (arguments.last_failed && !arguments.shard.empty())
    return refusal("--shard", "expected no --last-failed next to it");
  return {};
}

Result<void> select_whole(const RunArguments& arguments, TunerRun& run) {
  TUNECHECK_CHECK(check_selection(arguments));
  TUNECHECK_TRY(const auto globs, with_files(arguments.globs, run.catalogue));
  TUNECHECK_TRY(auto matching, select_scenarios(run.catalogue, globs));
  TUNECHECK_CHECK(keep_where(arguments.where, run.catalogue, matching));
  Selection selection = for_backend(matching, arguments.backend);
  TUNECHECK_CHECK(check_device(selection, arguments.backend));
  run.scenarios = arguments.quick ? quick_for(run, std::move(selection.scenarios))
                                  : std::move(selection.scenarios);
  TUNECHECK_TRY(const auto excluded, with_files(arguments.excluded, run.catalogue));
  TUNECHECK_CHECK(exclude(excluded, run.catalogue, run.scenarios));
  run.options.left_out = std::move(selection.left_out);
  run.most_failures = arguments.most_failures;
  if (arguments.last_failed) {
    TUNECHECK_TRY(run.scenarios, failed_last(arguments, run, run.scenarios));
  } else if (arguments.resumes) {
    TUNECHECK_TRY(run.scenarios, not_reached(arguments, run, run.scenarios));
  }
  return {};
}

Result<void> select(const RunArguments& arguments, TunerRun& run) {
  TUNECHECK_CHECK(select_whole(arguments, run));
  TUNECHECK_TRY(const auto shard, shard_asked(arguments.shard));
  TUNECHECK_CHECK(check_times(arguments.times, shard));
  if (shard && (arguments.last_failed || arguments.resumes)) {
    TUNECHECK_CHECK(check_part(arguments, run, *shard));
  } else if (shard) {
    TUNECHECK_TRY(run.scenarios, own_part(arguments, run, run.scenarios, *shard));
  }
  return {};
}

}  // namespace tunecheck::cli
