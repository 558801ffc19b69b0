// What only a GPU has: streams that are captured, contexts, device memory, caches to be emptied.
#include <algorithm>
#include <cmath>

#include "core/byte_size.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

std::string first_wrong(const CallRecord& call) {
  for (const TensorRecord& tensor : call.tensors)
    if (tensor.comparison && !tensor.comparison->equal()) return tensor.comparison->text();
  return {};
}

// Bytes of what the tuner must be able to put back while it tunes.
std::int64_t bytes_to_restore(const CheckContext& context) {
  std::int64_t bytes = 0;
  for (const protocol::Tensor& tensor : context.call.request.tensors)
    if (context.scenario.kernel->restores(tensor.name))
      bytes += tensor.layout.count() * static_cast<std::int64_t>(size_of(tensor.dtype));
  return bytes;
}

}  // namespace

Answer capture_hit_replays(const CheckContext& context) {
  const CallRecord& call = context.call;
  const std::string expected =
      "one launch is captured; it runs only when the graph is launched, and its result is right";
  if (!call.answer->done)
    return judged(false, expected, "the call failed: " + call.answer->message);
  if (call.captured.empty() && call.launches.empty())
    return no_evidence(expected, "the probe saw no launch, captured or not");
  if (call.answer->capture_valid == false)
    return judged(false, expected, "the capture could not be ended");
  const auto run = std::count_if(call.launches.begin(), call.launches.end(),
                                 [](const LaunchEvent& launch) { return launch.graph; });
  const auto beside = static_cast<std::ptrdiff_t>(call.launches.size()) - run;
  const std::string wrong = first_wrong(call);
  return judged(
      call.captured.size() == 1 && run == 1 && beside == 0 && wrong.empty(), expected,
      fmt::format("{} captured, {} run by a graph, {} run otherwise; {}", call.captured.size(), run,
                  beside, wrong.empty() ? "the result is right" : wrong));
}

Answer capture_miss_refused(const CheckContext& context) {
  const CallRecord& call = context.call;
  const std::string expected =
      "an error that mentions the capture, no launch, and a capture that goes on";
  if (call.answer->done) return judged(false, expected, "the call succeeded");
  if (!call.answer->capture_valid)
    return no_evidence(expected, "the adapter does not say what became of the capture");
  const bool is_named = call.answer->message.find("captur") != std::string::npos;
  const std::size_t launches = call.launches.size() + call.captured.size();
  return judged(is_named && launches == 0 && *call.answer->capture_valid, expected,
                fmt::format("\"{}\", {} launches, the capture {}", call.answer->message, launches,
                            *call.answer->capture_valid ? "went on" : "was broken"));
}

// Workers have processes, and so contexts, of their own; a process that two calls share is the one
// that was asked.
Answer context_used(const CheckContext& context) {
  const int asked = context.call.request.gpu.context;
  const std::string expected = fmt::format(
      "calls that ask for a context other than number {} are launched in another one", asked);
  bool compared = false;
  for (const CallRecord& other : context.process.calls) {
    if (other.request.gpu.context == asked) continue;
    for (const LaunchEvent& theirs : other.launches)
      for (const LaunchEvent& ours : context.call.launches) {
        if (theirs.pid != ours.pid) continue;
        compared = true;
        if (theirs.context == ours.context)
          return judged(
              false, expected,
              fmt::format("call {} asked for another context and was launched in the same one",
                          other.number));
      }
  }
  if (!compared)
    return no_evidence(expected, "the probe saw no two launches of the process to compare");
  return judged(true, expected, "no call that asked for another context was launched in this one");
}

// The judge's own measurement says what cold and hot caches make of each config. The geometric
// middle divides them: a report belongs to the side that it is on.
Answer timing_l2_cold(const CheckContext& context) {
  constexpr double least_apart = 1.5;
  const std::string expected = "reported times are those with cold caches";
  const auto& measurement = context.call.measurement;
  if (!measurement || !measurement->trouble.empty())
    return no_evidence(expected, measurement ? measurement->trouble : "nothing was measured");
  std::int64_t compared = 0, hot = 0;
  std::string example;
  for (const protocol::Trial& trial : context.call.answer->trials) {
    const std::string config = to_string(trial.config);
    const auto cold_ns = measurement->median_ns.find(config);
    const auto hot_ns = measurement->hot_median_ns.find(config);
    if (!trial.failure.empty() || cold_ns == measurement->median_ns.end() ||
        hot_ns == measurement->hot_median_ns.end() ||
        cold_ns->second < least_apart * hot_ns->second)
      continue;
    ++compared;
    if (trial.median_ns >= std::sqrt(cold_ns->second * hot_ns->second)) continue;
    ++hot;
    example = fmt::format(
        "{} is reported as {:.1f} us and takes {:.1f} us with cold caches, {:.1f} us with hot ones",
        config, trial.median_ns / 1e3, cold_ns->second / 1e3, hot_ns->second / 1e3);
  }
  if (compared == 0)
    return no_evidence(expected,
                       "no config whose times with cold and hot caches can be told apart");
  return judged(2 * hot <= compared, expected,
                fmt::format("{} of {} configs are reported with hot-cache times{}{}", hot, compared,
                            example.empty() ? "" : ": ", example));
}

Answer memory_snapshot_reported(const CheckContext& context) {
  const CallRecord& call = context.call;
  const std::int64_t bytes = bytes_to_restore(context);
  const std::string expected =
      fmt::format("the tuner reports at least {}, the size of the arguments that it must restore",
                  byte_size_text(static_cast<std::uint64_t>(bytes)));
  if (!call.tuned() || bytes == 0)
    return no_evidence(expected, "nothing had to be restored in this call");
  const std::int64_t reported = call.answer->snapshot_bytes.value_or(0);
  return judged(
      reported >= bytes, expected,
      fmt::format("{} reported",
                  byte_size_text(static_cast<std::uint64_t>(std::max<std::int64_t>(0, reported)))));
}

Answer memory_device_flat(const CheckContext& context) {
  const std::uint64_t allowed = parse_byte_size(context.parameter).value_or(0);
  const std::string expected =
      fmt::format("at most {} more device memory in use after the call", byte_size_text(allowed));
  const auto& memory = context.call.device_memory;
  if (!memory || !memory->trouble.empty())
    return no_evidence(expected, memory ? memory->trouble : "device memory was not read");
  const std::int64_t more = std::max<std::int64_t>(0, memory->after - memory->before);
  return judged(more <= static_cast<std::int64_t>(allowed), expected,
                fmt::format("{} more", byte_size_text(static_cast<std::uint64_t>(more))));
}

}  // namespace tunecheck::checks
