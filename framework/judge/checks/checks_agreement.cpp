// Two winners that are both right need not give the same bits, and ranks of one start that launch
// different configs may wait for each other for ever.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

// What a tuner has not promised is told, and not judged.
Answer not_promised(std::string observed, std::string_view why) {
  return {Verdict::unsupported, "policy result bitwise", fmt::format("{}; {}", observed, why)};
}

// Why the adapter's policy does not say that these processes get the same bits, "" where it does.
std::string_view why_not_promised(const CheckContext& context,
                                  const std::vector<const ProcessRecord*>& processes) {
  for (const ProcessRecord* const process : processes)
    if (process->step->cache_folder != context.process.step->cache_folder)
      return "they have cache folders of their own, for which no policy promises anything";
  const auto& policy = context.scenario.adapter->result_policy;
  if (!policy) return "the adapter declares no policy for results";
  return policy == ResultPolicy::bitwise ? "" : "the adapter declares the policy tolerance";
}

std::string launched_config(const CallRecord& call) {
  const LaunchEvent* const real = call.real_launch();
  const std::string config = real == nullptr ? "" : config_or_artifact(*real);
  return config.empty() ? "an unknown config" : config;
}

// The last call of the named process that asked for the same.
const CallRecord* counterpart_of(const CheckContext& context) {
  const ProcessRecord* const process = context.scenario.process(context.parameter);
  if (process == nullptr) return nullptr;
  const CallRecord* last = nullptr;
  for (const CallRecord& call : process->calls)
    if (call.answer && call.answer->done && same_question(call.request, context.call.request))
      last = &call;
  return last;
}

bool is_within_tolerance(const CheckContext& context, const CallRecord& call) {
  for (std::size_t i = 0; i < context.scenario.kernel->tensors.size(); ++i)
    if (context.scenario.kernel->tensors[i].is_result())
      if (const auto& comparison = call.tensors[i].comparison; !comparison || !comparison->equal())
        return false;
  return true;
}

}  // namespace

Answer result_same_bits(const CheckContext& context) {
  const std::string expected =
      fmt::format("the bits that process \"{}\" got from the same call", context.parameter);
  if (!context.call.answer->done) return no_evidence(expected, "this call got no result");
  const CallRecord* const other = counterpart_of(context);
  if (other == nullptr) return no_evidence(expected, "that process got no result of the same call");
  std::vector<std::string> compared, different;
  for (std::size_t i = 0; i < context.scenario.kernel->tensors.size(); ++i) {
    const TensorParameter& tensor = context.scenario.kernel->tensors[i];
    if (!tensor.is_result()) continue;
    const std::string& now = context.call.tensors[i].digest_after;
    const std::string& before = other->tensors[i].digest_after;
    if (now.empty() || before.empty())
      return no_evidence(expected, "what a call left in " + tensor.name + " could not be read");
    compared.push_back(tensor.name);
    if (now != before) different.push_back(tensor.name);
  }
  if (compared.empty()) return no_evidence(expected, "the kernel writes no tensor");
  std::string observed = fmt::format("the same bits in {}", fmt::join(compared, ", "));
  if (!different.empty())
    observed =
        fmt::format("other bits in {}: {} was launched there, {} here", fmt::join(different, ", "),
                    launched_config(*other), launched_config(context.call));
  const std::string_view not_bitwise =
      why_not_promised(context, {context.scenario.process(context.parameter)});
  if (not_bitwise.empty()) return judged(different.empty(), expected, observed);
  if (context.scenario.adapter->result_policy != ResultPolicy::tolerance)
    return not_promised(std::move(observed), not_bitwise);
  return judged(is_within_tolerance(context, context.call) && is_within_tolerance(context, *other),
                fmt::format("both this result and that of process \"{}\" within the tolerance",
                            context.parameter),
                observed);
}

Answer ranks_same_winner(const CheckContext& context) {
  const std::string expected = "every process of the start launches the same config";
  std::map<std::string, std::vector<std::string>> ranks_by_config;
  std::vector<const ProcessRecord*> launched;
  for (const ProcessRecord& process : context.scenario.processes) {
    const bool beside = process.group != nullptr && process.group == context.process.group;
    if (!beside && &process != &context.process) continue;
    bool counts = false;
    for (const CallRecord& call : process.calls) {
      if (!same_question(call.request, context.call.request)) continue;
      const LaunchEvent* const real = call.real_launch();
      if (real == nullptr || config_or_artifact(*real).empty()) continue;
      std::vector<std::string>& ranks = ranks_by_config[config_or_artifact(*real)];
      if (ranks.empty() || ranks.back() != process.step->name) ranks.push_back(process.step->name);
      counts = true;
    }
    if (counts) launched.push_back(&process);
  }
  if (launched.size() < 2)
    return no_evidence(expected, "no two processes of one start were seen to launch for this key");
  std::string observed =
      fmt::format("all {} launched {}", launched.size(), ranks_by_config.begin()->first);
  if (ranks_by_config.size() > 1) {
    std::vector<std::string> parts;
    for (const auto& [config, ranks] : ranks_by_config)
      parts.push_back(fmt::format("{} in {}", config, fmt::join(ranks, ", ")));
    observed = fmt::format("{} configs: {}", ranks_by_config.size(), fmt::join(parts, "; "));
  }
  if (const auto why = why_not_promised(context, launched); !why.empty())
    return not_promised(std::move(observed), why);
  return judged(ranks_by_config.size() == 1, expected, observed);
}

}  // namespace tunecheck::checks
