#include "result/verdict.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/exit_status.hpp"

namespace tunecheck {

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names = {"pass", "fail", "unsupported", "error",
                                                     "known"};
  return names.at(static_cast<std::size_t>(verdict));
}

Stages& Stages::operator+=(const Stages& other) {
  prepare_ns += other.prepare_ns;
  adapter_ns += other.adapter_ns;
  reference_ns += other.reference_ns;
  evidence_ns += other.evidence_ns;
  check_ns += other.check_ns;
  return *this;
}

std::int64_t RunResult::count(Verdict verdict) const {
  return std::count_if(scenarios.begin(), scenarios.end(),
                       [&](const ScenarioResult& scenario) { return scenario.verdict == verdict; });
}

std::map<std::pair<std::string, std::string>, std::size_t> RunResult::not_asked() const {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  for (const ScenarioResult& scenario : scenarios) {
    std::set<std::pair<std::string, std::string>> here;
    for (const CheckResult& check : scenario.checks)
      if (check.verdict == Verdict::unsupported) here.emplace(check.check, check.expected);
    for (const auto& each : here)
      ++counts[each];
  }
  return counts;
}

int RunResult::exit_status() const {
  using namespace status;
  const bool nothing_ran =
      !shard && count(Verdict::pass) + count(Verdict::fail) + count(Verdict::known) == 0;
  const bool is_trusted =
      !nothing_ran && trouble.empty() && pending.empty() && count(Verdict::error) == 0;
  return gravest({is_trusted ? held : untrusted, count(Verdict::fail) > 0 ? failed : held});
}

double RunResult::judge_share() const {
  return stages.total_ns() == 0
             ? 0
             : static_cast<double>(stages.own_ns()) / static_cast<double>(stages.total_ns());
}

bool AuditResult::Kill::is_as_expected() const {
  if (expects.empty()) return !checks.empty();
  if (expects == name_of(Verdict::pass)) return verdict == Verdict::pass;
  if (expects == name_of(Verdict::error)) return verdict == Verdict::error;
  return std::find(checks.begin(), checks.end(), expects) != checks.end();
}

bool AuditResult::is_foreign() const {
  return !reference.adapter.empty() && reference.adapter != "reference";
}

std::size_t AuditResult::adversary_count() const {
  return static_cast<std::size_t>(
      std::count_if(mutants.begin(), mutants.end(),
                    [](const Mutant& mutant) { return mutant.name.starts_with("adversary:"); }));
}

std::vector<std::string> AuditResult::surviving_mutants() const {
  std::vector<std::string> surviving;
  if (shard) return surviving;
  for (const Mutant& mutant : mutants)
    if (std::none_of(kills.begin(), kills.end(), [&](const Kill& kill) {
          return kill.mutant == mutant.name && kill.is_as_expected();
        }))
      surviving.push_back(mutant.name);
  return surviving;
}

std::vector<std::string> AuditResult::unkilled_checks() const {
  std::set<std::string> killed;
  for (const Kill& kill : kills)
    killed.insert(kill.checks.begin(), kill.checks.end());
  std::vector<std::string> unkilled;
  if (shard) return unkilled;
  for (const std::string& check : checks)
    if (!killed.contains(check)) unkilled.push_back(check);
  return unkilled;
}

std::vector<std::string> AuditResult::false_claims() const {
  std::vector<std::string> claims;
  for (const Kill& kill : kills)
    if (kill.is_false_claim()) claims.push_back(kill.mutant + " in " + kill.scenario);
  return claims;
}

bool AuditResult::true_tuner_passes() const {
  if (!shard) return reference.exit_status() == status::held;
  return reference.count(Verdict::fail) + reference.count(Verdict::error) == 0;
}

int AuditResult::exit_status() const {
  const bool complete = surviving_mutants().empty() && unkilled_checks().empty() &&
                        false_claims().empty() && true_tuner_passes();
  return complete && !mutants.empty() ? status::held : status::failed;
}

}  // namespace tunecheck
