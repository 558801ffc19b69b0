#include "reports/terminal/verdict_text.hpp"

#include <fmt/format.h>

#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {

std::string why_not_trusted(const RunResult& result) {
  const std::size_t all = result.scenarios.size();
  const std::int64_t errors = result.count(Verdict::error);
  if (!result.trouble.empty()) return "nothing could be run: " + result.trouble;
  if (!result.pending.empty())
    return fmt::format("the run was ended, {} of {} were not run", result.pending.size(),
                       counted(all + result.pending.size(), "scenario"));
  if (all == 0) return "nothing was run";
  if (result.count(Verdict::unsupported) == static_cast<std::int64_t>(all))
    return "all scenarios are unsupported";
  if (errors > 0)
    return fmt::format("{}, {} failed of {}", counted(static_cast<std::size_t>(errors), "error"),
                       result.count(Verdict::fail), all);
  return {};
}

std::string verdict_text(const RunResult& result) {
  if (const std::string reason = why_not_trusted(result); !reason.empty())
    return "NOT TRUSTED: " + reason;
  const std::size_t all = result.scenarios.size();
  if (const std::int64_t failed = result.count(Verdict::fail); failed > 0)
    return fmt::format("FAIL: {} of {} failed", failed, counted(all, "scenario"));
  const std::int64_t known = result.count(Verdict::known);
  return fmt::format("PASS: {} of {}{}", result.count(Verdict::pass), counted(all, "scenario"),
                     known > 0 ? fmt::format(", {} failed as known", known) : "");
}

std::string subject_of(const RunResult& result) {
  const bool says_more = !result.tuner.starts_with(result.adapter);
  return fmt::format("{} on {}", says_more ? result.adapter : result.tuner, result.backend);
}

}  // namespace tunecheck
