#include <algorithm>
#include <set>
#include <string>

#include <fmt/ranges.h>

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

namespace {

constexpr const char* not_read_back = "not all tensors were read back";

// Each of them: the judge stops at the first one that it cannot read.
bool were_read_back(const CallRecord& call) {
  return !call.tensors.empty() &&
         std::none_of(call.tensors.begin(), call.tensors.end(),
                      [](const TensorRecord& tensor) { return tensor.digest_after.empty(); });
}

}  // namespace

Answer output_launched(const CheckContext& context) {
  const std::string expected = "the caller gets what the launch for it left in its arguments";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  if (real->left.size() != call.tensors.size())
    return no_evidence(expected, "the probe digested no arguments after the launch");
  if (!were_read_back(call)) return no_evidence(expected, not_read_back);
  for (std::size_t i = 0; i < call.tensors.size(); ++i)
    if (!real->left[i].empty() && real->left[i] != call.tensors[i].digest_after)
      return judged(false, expected,
                    fmt::format("\"{}\" holds something else than {} left in it",
                                context.scenario.kernel->tensors[i].name,
                                real->config.empty() ? "the kernel" : real->config));
  return judged(true, expected, "the same content");
}

namespace {

// By how many bytes its first element is aligned, up to 64.
int alignment_of(const TensorPlace& place) {
  constexpr int most = 64;
  return place.address_mod_64 == 0 ? most : place.address_mod_64 & -place.address_mod_64;
}

// The stride of a dimension of one element, or of a tensor without any, is never used.
bool same_strides(const TensorPlace& a, const TensorPlace& b) {
  if (std::count(a.shape.begin(), a.shape.end(), 0) > 0) return true;
  for (std::size_t d = 0; d < a.shape.size(); ++d)
    if (a.shape[d] > 1 && a.strides[d] != b.strides[d]) return false;
  return true;
}

// How a trial's tensor lies otherwise than the call's, in words; "" where it does not. One that is
// aligned worse is slower than the call at most; on one that is aligned better, a config that would
// not run on the call's can win.
std::string difference(const TensorPlace& trial, const TensorPlace& call) {
  if (trial.shape != call.shape)
    return fmt::format("of the shape [{}], in the call [{}]", fmt::join(trial.shape, ", "),
                       fmt::join(call.shape, ", "));
  if (!same_strides(trial, call))
    return fmt::format("with the strides [{}], in the call [{}]", fmt::join(trial.strides, ", "),
                       fmt::join(call.strides, ", "));
  if (alignment_of(trial) > alignment_of(call))
    return fmt::format("aligned to {} bytes, in the call to {}", alignment_of(trial),
                       alignment_of(call));
  return "";
}

}  // namespace

Answer trials_like_the_call(const CheckContext& context) {
  const std::string expected =
      "every trial gets the call's shapes and strides, and no better alignment";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  const std::size_t tensors = context.scenario.kernel->tensors.size();
  std::size_t n = 0;
  for (const LaunchEvent& trial : call.trial_launches()) {
    if (trial.places.size() != tensors || real->places.size() != tensors)
      return no_evidence(expected, "the probe did not see where the arguments of a launch lie");
    for (std::size_t i = 0; i < tensors; ++i)
      if (const std::string other = difference(trial.places[i], real->places[i]); !other.empty())
        return judged(false, expected,
                      fmt::format("{} got \"{}\" {}", place(n, call.launches.size(), trial),
                                  context.scenario.kernel->tensors[i].name, other));
    ++n;
  }
  return judged(true, expected, n == 0 ? "no trial" : fmt::format("{} trial launches", n));
}

Answer inputs_read_only_untouched(const CheckContext& context) {
  const std::string expected = "read-only arguments keep every byte";
  if (!were_read_back(context.call)) return no_evidence(expected, not_read_back);
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i)
    if (context.call.tensors[i].is_read_only && !context.call.tensors[i].unchanged)
      return judged(false, expected,
                    fmt::format("\"{}\" was changed: {}", context.scenario.kernel->tensors[i].name,
                                context.call.tensors[i].first_difference));
  return judged(true, expected, "unchanged");
}

Answer guard_intact(const CheckContext& context) {
  const std::string expected = "nothing is written outside the elements of the tensors";
  if (!were_read_back(context.call)) return no_evidence(expected, not_read_back);
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i)
    if (const std::string& damage = context.call.tensors[i].canary_damage; !damage.empty())
      return judged(false, expected,
                    fmt::format("around \"{}\" a canary was overwritten: {}",
                                context.scenario.kernel->tensors[i].name, damage));
  return judged(true, expected, "all canaries intact");
}

Answer arguments_left_alone(const CheckContext& context) {
  const std::string expected = "once a call is answered, nothing changes its arguments";
  for (std::size_t i = 0; i < context.call.tensors.size(); ++i) {
    const auto& changed = context.call.tensors[i].changed_later;
    if (!changed) return no_evidence(expected, "nobody looked at the arguments again");
    if (!changed->empty())
      return judged(false, expected,
                    fmt::format("\"{}\" was changed after the answer: {}",
                                context.scenario.kernel->tensors[i].name, *changed));
  }
  return judged(true, expected, "at the end of the process, they are as when it was answered");
}

Answer caller_unharmed(const CheckContext& context) {
  const std::string expected = "the call fails and leaves the caller's arguments unchanged";
  if (context.call.answer->done) return judged(false, expected, "the call succeeded");
  if (!were_read_back(context.call)) return no_evidence(expected, not_read_back);
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
