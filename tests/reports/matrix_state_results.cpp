#include "matrix_state_results.hpp"

namespace tunecheck::test {
namespace {

MatrixScenario scenario(const std::string& name, Verdict verdict,
                        const std::vector<std::string>& failed) {
  MatrixScenario result;
  result.name = name;
  result.started = "2024-05-01T08:00:00Z";
  result.verdict = verdict;
  result.checks["guard.intact"] = Verdict::pass;
  for (const std::string& check : failed) {
    result.checks[check] = verdict;
    result.troubles.push_back({check, verdict, "a thing", "another thing in " + name});
  }
  if (verdict == Verdict::known)
    result.mark = {"a mark's reason", "https://example.org/mark", "2027-03-31", ""};
  return result;
}

TunerCause cause(const std::string& name, CauseKind kind, const std::string& scenarios,
                 const std::vector<std::string>& checks) {
  TunerCause result;
  result.name = name;
  result.title = "what " + name + " does";
  result.kind = kind;
  if (!scenarios.empty()) result.scenarios = {scenarios};
  result.checks = checks;
  return result;
}

}  // namespace

MatrixTuner explained_tuner() {
  MatrixTuner tuner;
  tuner.adapter = "toy";
  tuner.tuner = "Toy Tuner 2.0";
  tuner.backend = "cuda";
  tuner.device = "NVIDIA H200";
  tuner.tunecheck_version = "0.1.0";
  tuner.first_started = tuner.last_started = "2024-05-01T08:00:00Z";
  const auto add = [&](MatrixScenario each) { tuner.scenarios.emplace(each.name, each); };
  add(scenario("restore.drift", Verdict::known, {"inputs.pristine"}));
  add(scenario("faults.cut", Verdict::known, {"corrupt.is_miss", "key.must_hit"}));
  add(scenario("reload.again", Verdict::known, {"key.must_hit"}));
  add(scenario("faults.power", Verdict::known, {"store.synced"}));
  add(scenario("validity.wrong", Verdict::fail, {"winner.correct"}));
  add(scenario("growth.blind", Verdict::error, {"memory.flat"}));
  MatrixScenario fine = scenario("reload.fine", Verdict::pass, {});
  fine.checks["key.must_hit"] = Verdict::pass;
  add(fine);
  MatrixScenario lacking = scenario("invalidation.told", Verdict::unsupported, {});
  lacking.checks = {{"key.explained", Verdict::unsupported}};
  lacking.lacks = "capability explain";
  add(lacking);
  const auto explain = [&](const TunerCause& each) { tuner.causes.emplace(each.name, each); };
  explain(cause("drifts", CauseKind::other_policy, "restore.*", {}));
  explain(cause("raises", CauseKind::never_said, "faults.cut", {"corrupt.is_miss"}));
  TunerCause again =
      cause("searches_again", CauseKind::broken_promise, "*", {"key.must_hit", "corrupt.healed"});
  again.scenarios = {"faults.cut", "reload.*"};
  again.promise = "it says so";
  again.finding = "toy/again.md";
  again.scripts = {"toy/again.py"};
  again.looked_at = "2024-05-02";
  again.upstream = {{"https://example.org/issues/7", "open", "about it"}};
  explain(again);
  TunerCause fixed = cause("fixed_one", CauseKind::never_said, "", {});
  fixed.since = "1.0";
  fixed.fixed_in = "1.1";
  explain(fixed);
  return tuner;
}

}  // namespace tunecheck::test
