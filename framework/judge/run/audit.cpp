#include "judge/run/audit.hpp"

#include <algorithm>
#include <set>

#include "core/info.hpp"
#include "core/shell.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/named_checks.hpp"
#include "judge/scenario/quick.hpp"
#include "observe/programs/program_filter.hpp"

namespace tunecheck {
namespace {

bool selected(const AuditOptions& options, const std::string& mutant) {
  return options.mutants.empty() ||
         std::any_of(options.mutants.begin(), options.mutants.end(),
                     [&](const std::string& glob) { return matches_glob(glob, mutant); });
}

AuditResult::Kill kill_of(const std::string& mutant, const ScenarioResult& scenario) {
  AuditResult::Kill kill{mutant, scenario.name, {}, scenario.verdict, scenario.message};
  std::set<std::string> checks;
  for (const CheckResult& check : scenario.checks)
    if (check.verdict == Verdict::fail) checks.insert(check.check);
  kill.checks.assign(checks.begin(), checks.end());
  return kill;
}

std::vector<std::string> names_of(const std::vector<AuditResult::Mutant>& mutants) {
  std::vector<std::string> names;
  for (const AuditResult::Mutant& mutant : mutants)
    names.push_back(mutant.name);
  return names;
}

// Names in `catches` and `bears` of what there is not: a slip that would never be noticed.
Result<void> check_names(const Catalogue& catalogue,
                         const std::vector<AuditResult::Mutant>& mutants,
                         const std::vector<AuditResult::Mutant>& adversaries) {
  const auto check = [](const Scenario& scenario, const char* key, const char* what,
                        const std::string& name,
                        const std::vector<std::string>& known) -> Result<void> {
    if (std::find(known.begin(), known.end(), name) != known.end()) return {};
    return failure(Error{ErrorKind::bad_input, unknown_word_message(what, name, known),
                         scenario.file.string(), scenario.line, key});
  };
  for (const auto& [name, scenario] : catalogue.scenarios) {
    for (const std::string& caught : scenario.catches)
      TUNECHECK_CHECK(check(scenario, "catches", "mutant", caught, names_of(mutants)));
    for (const auto& [borne, expects] : scenario.bears)
      TUNECHECK_CHECK(check(scenario, "bears", "adversary", std::string(adversary_prefix) + borne,
                            names_of(adversaries)));
  }
  return {};
}

// What an audit on one kind of device is about: the scenarios that run there.
Catalogue on_backend(const Catalogue& catalogue, DeviceKind backend) {
  Catalogue here = catalogue;
  std::erase_if(here.scenarios,
                [&](const auto& each) { return !why_left_out(each.second, backend).empty(); });
  return here;
}

bool claimed(const Catalogue& catalogue, const std::string& mutant) {
  return std::any_of(catalogue.scenarios.begin(), catalogue.scenarios.end(), [&](const auto& each) {
    const auto& names = each.second.catches;
    return std::find(names.begin(), names.end(), mutant) != names.end();
  });
}

bool borne(const Catalogue& catalogue, const std::string& adversary) {
  const std::string name = adversary.substr(adversary_prefix.size());
  return std::any_of(catalogue.scenarios.begin(), catalogue.scenarios.end(),
                     [&](const auto& each) { return each.second.bears.contains(name); });
}

bool named(const Catalogue& catalogue, std::string_view check) {
  return std::any_of(catalogue.scenarios.begin(), catalogue.scenarios.end(),
                     [&](const auto& each) { return named_checks(each.second).contains(check); });
}

// Which scenarios an audit runs: all, or few for the true tuner, and for a quick one also one per
// mutant; where mutants are named, the true tuner has those that they are judged by.
class Plan {
 public:
  Plan(const Catalogue& catalogue, const AuditOptions& options)
      : m_quick(options.quick), m_few(options.quick || options.few_for_true_tuner) {
    if (!m_few) return;
    std::vector<const Scenario*> all;
    for (const auto& [name, scenario] : catalogue.scenarios)
      all.push_back(&scenario);
    for (const Scenario* const scenario : quick_selection(catalogue, all))
      m_reference.insert(scenario);
    if (!m_quick) return;
    std::map<std::string, std::int64_t> least;
    for (const Scenario* const scenario : all) {
      // What the true tuner has run is compiled already.
      const std::int64_t cost = cost_of(*scenario, catalogue.kernel_of(*scenario)) *
                                (m_reference.contains(scenario) ? 1 : 2);
      for (const std::string& mutant : scenario->catches)
        if (const auto found = least.find(mutant); found == least.end() || cost < found->second) {
          least[mutant] = cost;
          m_cheapest[mutant] = scenario;
        }
    }
    if (options.mutants.empty()) return;
    m_reference.clear();
    for (const auto& [mutant, scenario] : m_cheapest)
      if (selected(options, mutant)) m_reference.insert(scenario);
    for (const Scenario* const scenario : all)
      for (const auto& [adversary, expects] : scenario->bears)
        if (selected(options, std::string(adversary_prefix) + adversary))
          m_reference.insert(scenario);
  }

  [[nodiscard]] bool judges_reference(const Scenario& scenario) const {
    return !m_few || m_reference.contains(&scenario);
  }
  [[nodiscard]] bool judges(const std::string& mutant, const Scenario& scenario) const {
    return !m_quick || m_cheapest.at(mutant) == &scenario;
  }

 private:
  bool m_quick;
  bool m_few;
  std::set<const Scenario*> m_reference;
  std::map<std::string, const Scenario*> m_cheapest;
};

}  // namespace

Result<AuditResult> run_audit(const Catalogue& everything, const AuditOptions& options) {
  AuditResult audit;
  const Catalogue catalogue = on_backend(everything, options.tasks.backend);
  TUNECHECK_TRY(const std::vector<MutantInfo> mutants, list_mutants());
  std::vector<AuditResult::Mutant> all;
  for (const MutantInfo& mutant : mutants)
    all.push_back({mutant.name, mutant.summary});
  TUNECHECK_TRY(const std::vector<MutantInfo> listed, list_adversaries());
  std::vector<AuditResult::Mutant> adversaries;
  for (const MutantInfo& each : listed)
    adversaries.push_back({std::string(adversary_prefix) + each.name, each.summary});
  TUNECHECK_CHECK(check_names(everything, all, adversaries));
  for (const AuditResult::Mutant& mutant : all) {
    if (!selected(options, mutant.name)) continue;
    if (options.named_alone && !claimed(everything, mutant.name)) continue;
    // Claimed by nobody at all, it survives here as well.
    if (claimed(everything, mutant.name) && !claimed(catalogue, mutant.name))
      audit.elsewhere.push_back(mutant.name);
    else
      audit.mutants.push_back(mutant);
  }
  // What they do to observers on the CPU, no GPU knows. And where programs are not seen, most of
  // them come out otherwise, and one of them would end the judge.
  const bool sees = why_programs_are_not_seen().empty();
  const bool bears = options.tasks.backend == DeviceKind::cpu && sees;
  for (const AuditResult::Mutant& adversary : adversaries) {
    if (!selected(options, adversary.name)) continue;
    if (options.named_alone && !borne(everything, adversary.name)) continue;
    if (bears || !borne(everything, adversary.name))
      audit.mutants.push_back(adversary);
    else
      audit.elsewhere.push_back(adversary.name);
  }
  if (audit.mutants.empty() && options.named_alone && audit.elsewhere.empty())
    return failure(
        ErrorKind::bad_input,
        "the scenarios name no mutant in \"catches\"{}: nothing shows that they can fail",
        options.mutants.empty() ? "" : " that is selected");
  if (audit.mutants.empty())
    return failure("no mutant matches{}",
                   audit.elsewhere.empty() ? "" : " that a scenario on this kind of device names");
  audit.quick = options.quick;
  if (options.mutants.empty() && !options.quick && !options.named_alone)
    for (const Check& check : all_checks())
      if ((sees || check.always != Always::seen_call) &&
          (!named(everything, check.name) || named(catalogue, check.name)))
        audit.checks.emplace_back(check.name);

  TUNECHECK_TRY(const AdapterInfo reference, find_adapter("reference"));
  std::map<std::string, AdapterInfo> adapters;
  std::vector<ScenarioTask> tasks;
  const std::string repeat =
      options.repro_options + " --out " + shell_quoted((options.tasks.out / "repeat").string());
  const Plan plan(catalogue, options);
  for (const auto& [name, scenario] : catalogue.scenarios) {
    if (plan.judges_reference(scenario))
      tasks.push_back({&scenario, &reference, repeat, "reference", nullptr});
    for (const std::string& mutant : scenario.catches) {
      if (!selected(options, mutant) || !plan.judges(mutant, scenario)) continue;
      if (!adapters.contains(mutant)) {
        TUNECHECK_TRY(adapters[mutant], find_adapter("mutant:" + mutant));
      }
      tasks.push_back(
          {&scenario, &adapters[mutant], " --adapter mutant:" + mutant + repeat, mutant, nullptr});
    }
    for (const auto& [bare_name, expects] : scenario.bears) {
      const std::string adversary = std::string(adversary_prefix) + bare_name;
      if (!bears || !selected(options, adversary)) continue;
      TUNECHECK_TRY(adapters[adversary], find_adapter(adversary));
      tasks.push_back({&scenario, &adapters[adversary], " --adapter " + adversary + repeat,
                       adversary, nullptr});
    }
  }
  TUNECHECK_TRY(audit.shard, keep_part(catalogue, options.part, tasks));
  audit.reference = begin_run(reference, options.tasks);
  audit.tunecheck_version = audit.reference.tunecheck_version;
  audit.started = audit.reference.started;
  std::vector<ScenarioResult> results;
  {
    const Stopwatch watch(audit.wall_ns);
    TUNECHECK_TRY(results, run_tasks(catalogue, tasks, options.tasks));
  }
  for (ScenarioResult& result : results) {
    if (result.adapter != reference.name) {
      const bool is_mutant = result.adapter.starts_with(mutant_prefix);
      audit.kills.push_back(kill_of(
          is_mutant ? result.adapter.substr(mutant_prefix.size()) : result.adapter, result));
      if (!is_mutant)
        audit.kills.back().expects = catalogue.scenarios.at(result.name)
                                         .bears.at(result.adapter.substr(adversary_prefix.size()));
      continue;
    }
    audit.reference.tuner = result.tuner;
    audit.reference.stages += result.stages;
    audit.reference.scenarios.push_back(std::move(result));
  }
  return audit;
}

}  // namespace tunecheck
