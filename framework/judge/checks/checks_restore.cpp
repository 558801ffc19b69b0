#include <set>

#include "judge/checks/checks.hpp"
#include "judge/checks/expected_digest.hpp"

namespace tunecheck::checks {
namespace {

// What the real call sees in an argument named in reset_to_zero, by the adapter's declared policy.
bool real_call_sees_zeros(const CheckContext& context) {
  switch (context.scenario.adapter->reset_policy) {
    case ResetPolicy::every_call:
      return true;
    case ResetPolicy::tuned_call:
      return context.call.tuned();
    case ResetPolicy::trials_only:
      return false;
  }
  return true;
}

std::string place(std::size_t launch, std::size_t launches, const LaunchEvent& event) {
  return fmt::format("launch {} of {} (config {})", launch + 1, launches,
                     event.config.empty() ? "unknown" : event.config);
}

}  // namespace

Answer output_reference(const CheckContext& context) {
  const std::string expected = "the result of a single clean run on the caller's arguments";
  if (!context.call.answer->done)
    return judged(false, expected, "the call failed: " + context.call.answer->message);
  std::string wrong;
  bool compared = false;
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i) {
    const auto& comparison = context.call.tensors[i].comparison;
    if (!comparison) continue;
    compared = true;
    if (!comparison->equal())
      wrong += fmt::format("{}\"{}\": {}", wrong.empty() ? "" : "; ",
                           context.scenario.kernel->tensors[i].name, comparison->text());
  }
  if (!compared) return no_evidence(expected, "no tensor was compared");
  return judged(wrong.empty(), expected, wrong.empty() ? "all outputs as expected" : wrong);
}

Answer inputs_pristine(const CheckContext& context) {
  const std::string expected = "every launch sees the caller's content, and zeros in reset tensors";
  const CallRecord& call = context.call;
  if (!context.scenario.scenario->watch)
    return no_evidence(expected, "the arguments are not watched in this scenario");
  if (call.launches.empty()) return no_evidence(expected, "the probe saw no launch");
  std::string first;
  std::int64_t spoilt = 0;
  std::set<std::vector<std::string>> inputs;
  for (std::size_t n = 0; n < call.launches.size(); ++n) {
    const LaunchEvent& launch = call.launches[n];
    if (launch.digests.size() != call.tensors.size())
      return no_evidence(expected, "the probe digested no arguments");
    bool pristine = true;
    std::vector<std::string> input;
    for (std::size_t i = 0; i < call.tensors.size(); ++i) {
      const std::string want = expected_digest(context, i, &launch == call.real_launch());
      // Where any content will do, it does not make another input.
      input.push_back(want.empty() ? call.tensors[i].digest_zero : launch.digests[i]);
      if (want.empty() || launch.digests[i] == want) continue;
      pristine = false;
      if (first.empty())
        first = fmt::format("{} saw different content in \"{}\"",
                            place(n, call.launches.size(), launch),
                            context.scenario.kernel->tensors[i].name);
    }
    if (!pristine) ++spoilt;
    inputs.insert(input);
  }
  if (spoilt == 0)
    return judged(true, expected,
                  fmt::format("{} launches, all with the same input", call.launches.size()));
  return judged(false, expected,
                fmt::format("{} of {} launches ran on spoilt arguments ({} different inputs); the "
                            "first: {}",
                            spoilt, call.launches.size(), inputs.size(), first));
}

Answer output_launched(const CheckContext& context) {
  const std::string expected = "the caller gets what the launch for it left in its arguments";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  if (real->left.size() != call.tensors.size())
    return no_evidence(expected, "the probe digested no arguments after the launch");
  for (std::size_t i = 0; i < call.tensors.size(); ++i)
    if (!real->left[i].empty() && real->left[i] != call.tensors[i].digest_after)
      return judged(false, expected,
                    fmt::format("\"{}\" holds something else than {} left in it",
                                context.scenario.kernel->tensors[i].name,
                                real->config.empty() ? "the kernel" : real->config));
  return judged(true, expected, "the same content");
}

Answer inputs_read_only_untouched(const CheckContext& context) {
  const std::string expected = "read-only arguments keep every byte";
  if (context.call.tensors.empty()) return no_evidence(expected, "no tensor was read back");
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i)
    if (context.call.tensors[i].is_read_only && !context.call.tensors[i].unchanged)
      return judged(false, expected,
                    fmt::format("\"{}\" was changed: {}", context.scenario.kernel->tensors[i].name,
                                context.call.tensors[i].first_difference));
  return judged(true, expected, "unchanged");
}

Answer guard_intact(const CheckContext& context) {
  const std::string expected = "nothing is written outside the elements of the tensors";
  if (context.call.tensors.empty()) return no_evidence(expected, "no tensor was read back");
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i)
    if (const std::string& damage = context.call.tensors[i].canary_damage; !damage.empty())
      return judged(false, expected,
                    fmt::format("around \"{}\" a canary was overwritten: {}",
                                context.scenario.kernel->tensors[i].name, damage));
  return judged(true, expected, "all canaries intact");
}

Answer caller_unharmed(const CheckContext& context) {
  const std::string expected = "the call fails and leaves the caller's arguments unchanged";
  if (context.call.answer->done) return judged(false, expected, "the call succeeded");
  if (context.call.tensors.empty()) return no_evidence(expected, "no tensor was read back");
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i)
    if (!context.call.tensors[i].unchanged)
      return judged(false, expected,
                    fmt::format("the call failed, and \"{}\" was changed: {}",
                                context.scenario.kernel->tensors[i].name,
                                context.call.tensors[i].first_difference));
  return judged(true, expected, "the call failed, and every byte is unchanged");
}

Answer reset_policy(const CheckContext& context) {
  const bool zeros = real_call_sees_zeros(context);
  const std::string expected = fmt::format("the real call sees {} in the tensors of reset_to_zero",
                                           zeros ? "zeros" : "the caller's content");
  const LaunchEvent* const real = context.call.real_launch();
  if (real == nullptr || real->digests.size() != context.call.tensors.size())
    return no_evidence(expected, "the probe saw no real call");
  bool any = false;
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i) {
    const std::string& name = context.scenario.kernel->tensors[i].name;
    if (!context.scenario.kernel->resets(name)) continue;
    any = true;
    const TensorRecord& tensor = context.call.tensors[i];
    if (real->digests[i] != (zeros ? tensor.digest_zero : tensor.digest_before))
      return judged(false, expected,
                    fmt::format("\"{}\" held {}", name,
                                real->digests[i] == tensor.digest_before ? "the caller's content"
                                : real->digests[i] == tensor.digest_zero ? "zeros"
                                                                         : "something else"));
  }
  if (!any) return no_evidence(expected, "the kernel resets nothing");
  return judged(true, expected, "it did");
}

}  // namespace tunecheck::checks
