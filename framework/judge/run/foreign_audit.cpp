#include "judge/run/foreign_audit.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/shell.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/run/lack.hpp"

namespace tunecheck {
namespace {

bool is_chosen(const ForeignAuditOptions& options, const std::string& mutant) {
  return options.mutants.empty() ||
         std::any_of(options.mutants.begin(), options.mutants.end(),
                     [&](const std::string& glob) { return matches_glob(glob, mutant); });
}

Result<void> not_given(const std::string& mutant, const std::string& scenario) {
  return failure(Error{
      ErrorKind::bad_input,
      fmt::format("the mutant \"{}\" must be caught by the scenario \"{}\", which is not among "
                  "these; expected its file here too, or --mutant for others",
                  mutant, scenario),
      {},
      0,
      "--scenarios"});
}

// Names that the program has of what there is not: a slip that would never be noticed.
Result<void> check_claims(const Catalogue& catalogue, const ForeignAuditOptions& options,
                          const MutantInfo& mutant) {
  const AdapterInfo& adapter = options.adapter;
  const auto slip = [&](const char* what, const std::string& name) {
    return failure(
        Error{ErrorKind::bad_input,
              fmt::format("the mutant \"{}\" must be caught by the {} \"{}\", and there is none",
                          mutant.name, what, name),
              adapter.file.string(), 0, "mutants"});
  };
  for (const auto& [scenario, check] : mutant.caught_by) {
    if (!catalogue.scenarios.contains(scenario)) {
      if (!options.left_out.contains(scenario)) return slip("scenario", scenario);
      if (is_chosen(options, mutant.name)) return not_given(mutant.name, scenario);
    }
    if (find_check(check) == nullptr) return slip("check", check);
  }
  return {};
}

// Why the scenario cannot run with this tuner here, "" if it can.
std::string why_not_here(const Scenario& scenario, const ForeignAuditOptions& options) {
  const DeviceKind backend = options.tasks.backend;
  if (const std::string why = why_left_out(scenario, backend); !why.empty())
    return fmt::format("does not run on {}: {}", name_of(backend), why);
  const auto lack = lack_of(options.adapter, scenario, device_of(scenario, backend));
  return lack ? "is unsupported: " + lack->message : "";
}

// That none of the scenarios that the adapter names can run, and why, or nothing.
Result<void> check_something_runs(const Catalogue& catalogue, const ForeignAuditOptions& options,
                                  const std::vector<MutantInfo>& mutants) {
  std::string reasons;
  for (const MutantInfo& mutant : mutants) {
    if (!is_chosen(options, mutant.name)) continue;
    for (const auto& [name, check] : mutant.caught_by) {
      const std::string why = why_not_here(catalogue.scenarios.at(name), options);
      if (why.empty()) return {};
      reasons += fmt::format("{}\"{}\", which must catch \"{}\", {}", reasons.empty() ? "" : "; ",
                             name, mutant.name, why);
    }
  }
  if (reasons.empty()) return {};
  return failure(ErrorKind::machine, "nothing could be run: {}", reasons);
}

// The same of what the tuner itself refused.
Result<void> check_something_ran(const std::vector<ScenarioResult>& results) {
  if (results.empty()) return {};
  for (const ScenarioResult& result : results)
    if (result.verdict != Verdict::unsupported) return {};
  return failure(ErrorKind::machine, "nothing could be run: \"{}\" is unsupported: {}",
                 results.front().name, results.front().message);
}

// Whether all of the scenarios that must catch it run on other kinds of device.
bool is_elsewhere(const Catalogue& catalogue, const MutantInfo& mutant, DeviceKind backend) {
  return !mutant.caught_by.empty() &&
         std::all_of(mutant.caught_by.begin(), mutant.caught_by.end(), [&](const auto& claim) {
           return !why_left_out(catalogue.scenarios.at(claim.first), backend).empty();
         });
}

// What failed and is not known to fail without the bug.
std::vector<std::string> new_failures(const ScenarioResult& scenario) {
  std::set<std::string> checks;
  for (const CheckResult& check : scenario.checks) {
    if (check.verdict != Verdict::fail) continue;
    if (!scenario.known || !scenario.known->allows(check.check)) checks.insert(check.check);
  }
  return {checks.begin(), checks.end()};
}

}  // namespace

Result<AuditResult> run_foreign_audit(const Catalogue& catalogue,
                                      const ForeignAuditOptions& options) {
  AuditResult audit;
  TUNECHECK_TRY(const std::vector<MutantInfo> mutants, list_mutants_of(options.adapter));
  std::map<std::string, AdapterInfo> planted;  // by the adapter's name with the mutant's
  std::map<std::string, const MutantInfo*> by_adapter;
  for (const MutantInfo& mutant : mutants) {
    TUNECHECK_CHECK(check_claims(catalogue, options, mutant));
    if (!is_chosen(options, mutant.name)) continue;
    if (is_elsewhere(catalogue, mutant, options.tasks.backend)) {
      audit.elsewhere.push_back(mutant.name);
      continue;
    }
    audit.mutants.push_back({mutant.name, mutant.summary});
    TUNECHECK_TRY(AdapterInfo adapter, plant_mutant(options.adapter, mutant.name));
    by_adapter[adapter.name] = &mutant;
    planted[mutant.name] = std::move(adapter);
  }
  if (audit.mutants.empty() && audit.elsewhere.empty())
    return failure(ErrorKind::bad_input, "the adapter \"{}\" can plant no mutant{}",
                   options.adapter.name, options.mutants.empty() ? "" : " that is selected");
  TUNECHECK_CHECK(check_something_runs(catalogue, options, mutants));

  const std::string repeat =
      options.repro_options + " --out " + shell_quoted((options.tasks.out / "repeat").string());
  const auto task = [&](const Scenario& scenario, const AdapterInfo& adapter,
                        const std::string& mutant) {
    const auto mark = options.known.find(scenario.name);
    const std::string argument = options.argument + (mutant.empty() ? "" : ":" + mutant);
    return ScenarioTask{&scenario, &adapter, " --adapter " + shell_quoted(argument) + repeat,
                        mutant.empty() ? "true_tuner" : mutant,
                        mark == options.known.end() ? nullptr : &mark->second};
  };
  std::vector<ScenarioTask> tasks;
  for (const auto& [name, scenario] : catalogue.scenarios) {
    if (!why_left_out(scenario, options.tasks.backend).empty()) continue;
    bool is_claimed = false;
    for (const MutantInfo& mutant : mutants) {
      if (!planted.contains(mutant.name) || !mutant.caught_by.contains(name)) continue;
      if (!is_claimed) tasks.push_back(task(scenario, options.adapter, ""));
      is_claimed = true;
      tasks.push_back(task(scenario, planted.at(mutant.name), mutant.name));
    }
  }
  TUNECHECK_TRY(audit.shard, keep_part(catalogue, options.part, tasks));
  audit.reference = begin_run(options.adapter, options.tasks);
  audit.tunecheck_version = audit.reference.tunecheck_version;
  audit.started = audit.reference.started;
  std::vector<ScenarioResult> results;
  {
    const Stopwatch watch(audit.wall_ns);
    TUNECHECK_TRY(results, run_tasks(catalogue, tasks, options.tasks));
  }
  // Where this is one part of an audit, the others may have run something.
  if (!options.part) TUNECHECK_CHECK(check_something_ran(results));
  for (ScenarioResult& result : results) {
    if (const auto found = by_adapter.find(result.adapter); found != by_adapter.end()) {
      const MutantInfo& mutant = *found->second;
      audit.kills.push_back({mutant.name, result.name, new_failures(result), result.verdict,
                             result.message, mutant.caught_by.at(result.name)});
      continue;
    }
    audit.reference.tuner = result.tuner;
    audit.reference.stages += result.stages;
    audit.reference.scenarios.push_back(std::move(result));
  }
  return audit;
}

}  // namespace tunecheck
