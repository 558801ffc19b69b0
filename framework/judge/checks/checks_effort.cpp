// What becomes of a winner that was searched with less than a call asks for.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

// 0 is no limit.
bool is_smaller(const std::optional<protocol::Search>& budget,
                const std::optional<protocol::Search>& than) {
  const std::int64_t trials = budget ? budget->trials : 0;
  const std::int64_t most = than ? than->trials : 0;
  return trials > 0 && (most == 0 || trials < most);
}

std::size_t rank_of(const std::string& effort) {
  return static_cast<std::size_t>(std::find(effort_names.begin(), effort_names.end(), effort) -
                                  effort_names.begin());
}

// The call of the process that asked with less: a smaller budget in the call, or less effort of the
// process.
bool asked_for_less(const ProcessRecord& other, const CallRecord& before,
                    const CheckContext& context) {
  if (is_smaller(before.request.search, context.call.request.search)) return true;
  const std::string& effort = context.process.step->settings.effort;
  const std::string& less = other.step->settings.effort;
  return !effort.empty() && !less.empty() && rank_of(less) < rank_of(effort);
}

// The last call of the named process, if it tuned the same with less; else why it is none.
struct Before {
  const CallRecord* call = nullptr;
  std::string trouble;
};
Before smaller_search(const CheckContext& context) {
  const ProcessRecord* const other = context.scenario.process(context.parameter);
  if (other == nullptr || other->calls.empty() || !other->calls.back().tuned())
    return {nullptr, "that process did not tune"};
  const CallRecord& before = other->calls.back();
  if (!same_question(before.request, context.call.request) ||
      !asked_for_less(*other, before, context))
    return {nullptr, "that process did not make the same call with a smaller budget"};
  return {&before, {}};
}

std::set<std::string> tried_in(const CallRecord& call) {
  std::set<std::string> tried;
  for (const LaunchEvent& launch : call.trial_launches())
    if (const std::string config = config_or_artifact(launch); !config.empty())
      tried.insert(config);
  return tried;
}

std::size_t in_both(const std::set<std::string>& a, const std::set<std::string>& b) {
  return static_cast<std::size_t>(std::count_if(
      a.begin(), a.end(), [&](const std::string& config) { return b.contains(config); }));
}

}  // namespace

Answer effort_policy(const CheckContext& context) {
  const std::optional<SearchEffort>& policy = context.scenario.adapter->search_effort;
  if (!policy)
    return {Verdict::unsupported, "the policy search_effort", "the adapter does not declare it"};
  const bool tunes = *policy != SearchEffort::ignored;
  const std::string expected =
      fmt::format("with a larger budget than that of process \"{}\", {}", context.parameter,
                  tunes ? "the call tunes again" : "the call uses its winner all the same");
  const CallRecord& call = context.call;
  if (const Before before = smaller_search(context); before.call == nullptr)
    return no_evidence(expected, before.trouble);
  if (call.launches.empty()) return no_evidence(expected, "the probe saw no launch");
  return judged(call.tuned() == tunes, expected,
                fmt::format("{} and {} trial launches",
                            counted(static_cast<std::size_t>(call.compile_count()), "compile"),
                            call.trial_launch_count()));
}

Answer effort_widens(const CheckContext& context) {
  const std::string expected = fmt::format(
      "configs are tried that process \"{}\", with less effort, had not tried", context.parameter);
  const Before before = smaller_search(context);
  if (before.call == nullptr) return no_evidence(expected, before.trouble);
  const CallRecord& call = context.call;
  if (call.launches.empty()) return no_evidence(expected, "the probe saw no launch");
  const std::set<std::string> now = tried_in(call);
  const std::size_t again = in_both(now, tried_in(*before.call));
  return judged(
      now.size() > again, expected,
      fmt::format("{} configs were tried, {} of them in that process too", now.size(), again));
}

Answer search_goes_on(const CheckContext& context) {
  const std::string expected = fmt::format(
      "at most half of the configs that process \"{}\" tried are tried again", context.parameter);
  const Before before = smaller_search(context);
  if (before.call == nullptr) return no_evidence(expected, before.trouble);
  const std::set<std::string> now = tried_in(context.call);
  if (now.empty()) return no_evidence(expected, "observers saw no config being tried");
  const std::set<std::string> then = tried_in(*before.call);
  const std::size_t again = in_both(then, now);
  return judged(again * 2 <= then.size(), expected,
                fmt::format("{} of {} were tried again, and {} others", again, then.size(),
                            now.size() - again));
}

}  // namespace tunecheck::checks
