// A tuner tunes a key when it is first asked for it, and not in the middle of what comes later.
#include <algorithm>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

// How often the process had been answered for the key when it made this call. Calls of one moment
// come one as early as the other.
std::int64_t calls_before(const ProcessRecord& process, const CallRecord& call) {
  return std::count_if(process.calls.begin(), process.calls.end(), [&](const CallRecord& earlier) {
    const bool together = earlier.group != nullptr && earlier.group == call.group;
    return earlier.number < call.number && !together && earlier.answer &&
           same_key(call.request, earlier.request);
  });
}

}  // namespace

Answer tuning_in_turn(const CheckContext& context) {
  const std::int64_t allowed = context.scenario.adapter->tuning_calls;
  const std::string expected =
      allowed == 1 ? "a key is tuned in the process's first call for it, and never again"
                   : fmt::format(
                         "a key is tuned in the process's first {} calls for it, and never "
                         "again",
                         allowed);
  if (calls_before(context.process, context.call) < allowed) {
    if (allowed > 1)
      return {Verdict::unsupported, fmt::format("policy tuning_calls below {}", allowed),
              "the process has made no later call for the key"};
    return no_evidence(expected, "this is the process's first call for the key");
  }
  if (context.call.launch_count() == 0) return no_evidence(expected, "the probe saw no launch");
  std::int64_t asked = 0;
  std::vector<const CallRecord*> late;
  for (const CallRecord& call : context.process.calls) {
    if (call.number > context.call.number || !same_key(context.call.request, call.request))
      continue;
    ++asked;
    if (call.tuned() && calls_before(context.process, call) >= allowed) late.push_back(&call);
  }
  if (late.empty())
    return judged(true, expected, fmt::format("{} calls, none of them late", asked));
  return judged(
      false, expected,
      fmt::format("{} of {} calls tuned late; the first is call {}: {} and {} trial "
                  "launches",
                  late.size(), asked, late.front()->number,
                  counted(static_cast<std::size_t>(late.front()->compile_count()), "compile"),
                  late.front()->trial_launch_count()));
}

Answer default_launched(const CheckContext& context) {
  const std::string expected = "the default config is launched, and none is tried";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || real->config.empty())
    return no_evidence(expected, "the probe saw no launch that names its config");
  const Config& chosen = call.request.facts.default_config;
  if (chosen.empty())
    return no_evidence(expected,
                       "the kernel has no default config among those that the call allows");
  const std::string config = to_string(chosen);
  return judged(real->config == config && call.trial_launch_count() == 0, expected,
                fmt::format("{} was launched after {} trial launches; the default is {}",
                            real->config, call.trial_launch_count(), config));
}

}  // namespace tunecheck::checks
