#include <algorithm>
#include <cmath>

#include "core/byte_size.hpp"
#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

double cpu_ns_a_call(const BurstRecord& burst) {
  return static_cast<double>(burst.after.cpu_ns - burst.before.cpu_ns) /
         static_cast<double>(burst.calls);
}

// The last burst of the process that a check names.
const BurstRecord* burst_of(const CheckContext& context) {
  const ProcessRecord* const process = context.scenario.process(context.parameter);
  if (process == nullptr) return nullptr;
  const BurstRecord* last = nullptr;
  for (const CallRecord& call : process->calls)
    if (call.burst) last = &*call.burst;
  return last;
}

bool holds(const FolderSnapshot& snapshot, const FileRecord& file) {
  return std::any_of(snapshot.files.begin(), snapshot.files.end(), [&](const FileRecord& each) {
    return each.path == file.path && each.digest == file.digest;
  });
}

bool is_whole(const BurstRecord& burst) {
  return burst.counts.launches >= static_cast<std::uint64_t>(burst.calls);
}

}  // namespace

Answer cache_bounded(const CheckContext& context) {
  const std::uint64_t limit = parse_byte_size(context.parameter).value_or(0);
  const CallRecord& call = context.call;
  const std::string expected = fmt::format(
      "at most {} in the cache folder, including the entry in use", byte_size_text(limit));
  std::uint64_t bytes = 0;
  for (const FileRecord& file : call.cache_after.files)
    bytes += file.size;
  const std::string size =
      fmt::format("{} files, {} in all", call.cache_after.files.size(), byte_size_text(bytes));
  if (bytes > limit) return judged(false, expected, size);
  if (call.burst) {
    if (!is_whole(*call.burst)) return no_evidence(expected, "the probe saw too few launches");
    return judged(!call.cache_after.files.empty(), expected, size);
  }
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || real->module.empty())
    return no_evidence(expected, "the probe could not read the artifact that was launched");
  const auto& files = call.cache_after.files;
  if (std::none_of(files.begin(), files.end(),
                   [&](const FileRecord& file) { return file.holds(real->module); }))
    return judged(false, expected, size + ", and the artifact that was launched is not among them");
  // Another key's artifact may have the same bytes: of this one's something must be new.
  if (call.tuned() && std::all_of(files.begin(), files.end(), [&](const FileRecord& file) {
        return holds(call.cache_before, file);
      }))
    return judged(false, expected, size + ", and nothing that this call wrote is left");
  return judged(true, expected, size + ", including the launched artifact");
}

// Processor time and not the clock on the wall: other processes of the machine have no part in it.
Answer lookup_flat(const CheckContext& context) {
  constexpr double most_times = 3;
  constexpr double slack_ns = 20'000;
  const BurstRecord* const base = burst_of(context);
  const std::string expected =
      fmt::format("at most {} times the processor time per call of process \"{}\", plus {:.0f} us",
                  most_times, context.parameter, slack_ns / 1e3);
  if (!context.call.burst || base == nullptr)
    return no_evidence(expected, "there was no burst to compare with");
  const BurstRecord& burst = *context.call.burst;
  if (!is_whole(burst) || !is_whole(*base))
    return no_evidence(expected, "the probe saw fewer launches than calls");
  const double now_ns = cpu_ns_a_call(burst);
  const double base_ns = cpu_ns_a_call(*base);
  return judged(now_ns <= most_times * base_ns + slack_ns, expected,
                fmt::format("{:.1f} us per call, {:.1f} us in process \"{}\"", now_ns / 1e3,
                            base_ns / 1e3, context.parameter));
}

Answer memory_flat(const CheckContext& context) {
  const std::uint64_t limit = parse_byte_size(context.parameter).value_or(0);
  const std::string expected =
      fmt::format("at most {} more resident memory after the burst", byte_size_text(limit));
  if (!context.call.burst) return no_evidence(expected, "there was no burst");
  const BurstRecord& burst = *context.call.burst;
  if (!is_whole(burst)) return no_evidence(expected, "the probe saw fewer launches than calls");
  const std::int64_t more = burst.after.resident_kib - burst.before.resident_kib;
  return judged(more <= static_cast<std::int64_t>(limit / 1024), expected,
                fmt::format("{} KiB before {} calls, {} KiB after them", burst.before.resident_kib,
                            burst.calls, burst.after.resident_kib));
}

// On a machine where others are at work, the time on the wall is theirs as well as the tuner's.
Answer dispatch_overhead(const CheckContext& context) {
  const double limit_us = parse_number(context.parameter).value_or(0);
  const std::string expected =
      fmt::format("at most {} us per call besides the kernel", context.parameter);
  if (!context.call.burst) return no_evidence(expected, "there was no burst");
  const BurstRecord& burst = *context.call.burst;
  if (!is_whole(burst)) return no_evidence(expected, "the probe saw fewer launches than calls");
  if (context.call.tuned())
    return no_evidence(expected, "the burst tuned, so its calls are not hits");
  const double calls = static_cast<double>(burst.calls);
  const double kernel_us = static_cast<double>(burst.counts.elapsed_ns) / calls / 1e3;
  const double call_us = static_cast<double>(burst.wall_ns) / calls / 1e3;
  const double waiting_us = static_cast<double>(burst.kept_waiting_ns()) / calls / 1e3;
  return judged(call_us - kernel_us - waiting_us <= limit_us, expected,
                fmt::format("{:.2f} us per call, of which {:.2f} us in the kernel and {:.2f} us "
                            "without a processor, over {} calls",
                            call_us, kernel_us, waiting_us, burst.calls));
}

}  // namespace tunecheck::checks
