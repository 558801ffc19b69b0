// Calls that do not wait for a search: they get another config at once, and the winner later.
#include <algorithm>
#include <set>
#include <string>

#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

bool is_given_another(const CallRecord& call) {
  return call.answer && (call.answer->cache == protocol::CacheState::pending ||
                         call.answer->cache == protocol::CacheState::unchecked);
}

bool is_in(const FolderSnapshot& folder, const std::string& artifact) {
  return std::any_of(folder.files.begin(), folder.files.end(),
                     [&](const FileRecord& file) { return file.holds(artifact); });
}

// What of a search had happened before the launch for the caller, and whether it went on after the
// answer.
struct SearchSeen {
  std::int64_t trials_before = 0;
  std::size_t binaries_before = 0;
  bool goes_on = false;
};

bool works_after(const CallRecord& call, std::int64_t moment_ns) {
  const auto trials = call.trial_launches();
  return std::any_of(trials.begin(), trials.end(),
                     [&](const LaunchEvent& trial) { return trial.time_ns > moment_ns; }) ||
         std::any_of(call.compiles.begin(), call.compiles.end(), [&](const CompileEvent& compile) {
           return compile.time_ns + compile.wall_ns > moment_ns;
         });
}

// It may go on beside later calls of the process.
SearchSeen search_beside(const CheckContext& context, const LaunchEvent& real) {
  const CallRecord& call = context.call;
  SearchSeen seen;
  for (const LaunchEvent& trial : call.trial_launches())
    seen.trials_before += trial.time_ns < real.time_ns ? 1 : 0;
  std::set<std::string> binaries;
  for (const CompileEvent& compile : call.compiles)
    if (compile.time_ns + compile.wall_ns < real.time_ns) binaries.insert(compile.output_digest);
  seen.binaries_before = binaries.size();
  for (const CallRecord& other : context.process.calls)
    seen.goes_on = seen.goes_on || (other.number >= call.number && !other.request.wait &&
                                    same_key(call.request, other.request) &&
                                    works_after(other, call.answered_ns()));
  return seen;
}

// What earlier calls of the process for this key have tried, beside them or after their answers.
std::set<std::string> tried_before(const CheckContext& context) {
  std::set<std::string> tried;
  for (const CallRecord& call : context.process.calls) {
    if (call.number >= context.call.number || call.request.wait ||
        !same_key(context.call.request, call.request))
      continue;
    for (const LaunchEvent& trial : call.trial_launches())
      tried.insert(config_or_artifact(trial));
  }
  return tried;
}

}  // namespace

Answer pending_answered_first(const CheckContext& context) {
  const std::string expected =
      "the default config or a stored winner is launched before anything is tried, and the search "
      "goes on after the answer";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (call.request.wait) return no_evidence(expected, "the caller waits for the search");
  if (real == nullptr || real->config.empty())
    return no_evidence(expected, "the probe saw no launch that names its config");
  const SearchSeen seen = search_beside(context, *real);
  const bool is_last = &call == &context.process.calls.back();
  if (seen.trials_before == 0 && seen.binaries_before <= 1 && !seen.goes_on && is_last)
    return no_evidence(expected, "observers saw no search before the process ended");
  const Config& chosen = call.request.facts.default_config;
  const bool is_default = !chosen.empty() && real->config == to_string(chosen);
  const bool is_stored = is_in(call.cache_before, real->module);
  const bool is_first = seen.trials_before == 0 && seen.binaries_before <= 1;
  return judged(
      is_first && seen.goes_on && (is_default || is_stored), expected,
      fmt::format("{}, {}, was launched after {} trial launches and {} compiled binaries; the "
                  "search {} after the answer",
                  real->config,
                  is_default  ? "the default"
                  : is_stored ? "which is stored"
                              : "neither the default nor stored",
                  seen.trials_before, seen.binaries_before,
                  seen.goes_on ? "went on" : "did nothing"));
}

Answer pending_delivered(const CheckContext& context) {
  const std::string expected =
      "the stored winner of the search that earlier calls did not wait for is launched";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  const std::set<std::string> tried = tried_before(context);
  if (tried.empty()) return no_evidence(expected, "observers saw no search of an earlier call");
  const std::string launched = config_or_artifact(*real);
  const bool says_hit = call.answer->cache == protocol::CacheState::hit;
  const bool was_tried = tried.contains(launched);
  const bool is_stored = !call.keeps_artifacts || is_in(call.cache_after, real->module);
  return judged(says_hit && was_tried && is_stored, expected,
                fmt::format("it reports {}; {} was launched, which was {}tried and is {}stored",
                            name_of(call.answer->cache), launched, was_tried ? "" : "not ",
                            is_stored ? "" : "not "));
}

Answer pending_counted(const CheckContext& context) {
  const std::string expected = "the answer counts the calls that got another config meanwhile";
  const std::int64_t count = std::count_if(
      context.process.calls.begin(), context.process.calls.end(), [&](const CallRecord& call) {
        return call.number <= context.call.number && is_given_another(call) &&
               same_key(context.call.request, call.request);
      });
  if (count == 0) return no_evidence(expected, "no call was given another config");
  const auto& said = context.call.answer->given_meanwhile;
  return judged(
      said == count, expected,
      fmt::format("there were {}; it says {}", count, said ? std::to_string(*said) : "nothing"));
}

Answer pending_trouble_told(const CheckContext& context) {
  const std::string expected =
      "the answer says that the search has failed, and why, and another config is launched";
  const CallRecord& call = context.call;
  if (!call.answer) return no_evidence(expected, "there is no answer");
  const std::string& failure = call.answer->search_failure;
  return judged(call.answer->done && is_given_another(call) && !failure.empty() &&
                    !call.answer->message.empty(),
                expected,
                fmt::format("it reports {}; of the search it says {}", name_of(call.answer->cache),
                            failure.empty() ? "nothing" : "\"" + failure + "\""));
}

}  // namespace tunecheck::checks
