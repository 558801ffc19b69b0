// LATE: tuned, or compiled, when there was no time for it any more.
#include <algorithm>

#include <fmt/format.h>

#include "watch/rule_parts.hpp"

namespace tunecheck::watch {
namespace {

using Finding = WatchResult::Finding;

std::string place_of(const Group& group, int pid) {
  const BurstEvent* const burst = last_burst(group, pid);
  return burst != nullptr ? burst->place : "";
}

// Trials on a stream that is captured: the graph launches them again, each time.
void ask_captured(const ProgramRun& run, std::size_t number, const Tunings& tunings,
                  const GroupKey& key, const Group& group, std::vector<Finding>& findings) {
  for (const TotalEvent* const total : group.totals) {
    std::int64_t captured = 0;
    std::int64_t losers = 0;
    for (const CodeLaunches& code : total->codes) {
      captured += code.captured;
      if (code.code != total->last_code && code.captured > 0) ++losers;
    }
    if (losers == 0 || tunings.is_tuning(number, key, *total) != Tuned::yes) continue;
    Finding& finding = findings.emplace_back(
        finding_of(WatchWord::late, true, run, key, place_of(group, total->pid)));
    finding.text = fmt::format("tuned inside the capture of a graph: {} were recorded into it",
                               launches_text(captured));
  }
}

// "1.25 s"
std::string seconds_since(std::int64_t moment_ns, std::int64_t time_ns) {
  return fmt::format("{:.2f} s", static_cast<double>(time_ns - moment_ns) / 1e9);
}

void add_tuned(const ProgramRun& run, const GroupKey& key, const std::vector<CodeLaunches>& trials,
               const std::string& place, std::vector<Finding>& findings) {
  std::int64_t first_ns = trials.front().first_ns;
  std::int64_t launches = 0;
  for (const CodeLaunches& code : trials) {
    first_ns = std::min(first_ns, code.first_ns);
    launches += code.launches;
  }
  Finding& finding = findings.emplace_back(finding_of(WatchWord::late, true, run, key, place));
  finding.text = fmt::format(
      "tuned {} after the program was ready: {}, {} in all", seconds_since(*run.ready_ns, first_ns),
      counted(static_cast<std::int64_t>(trials.size()), "code", "codes"), launches_text(launches));
}

// A tuning that had begun before is not late.
void ask_after_ready(const ProgramRun& run, std::size_t number, const Tunings& tunings,
                     const GroupKey& key, const Group& group, std::vector<Finding>& findings) {
  for (const BurstEvent* const burst : group.bursts)
    if (burst->codes.size() > 1 && burst->first_ns >= *run.ready_ns &&
        tunings.is_tuning(number, key, *burst) == Tuned::yes)
      return add_tuned(run, key, burst->codes, burst->place, findings);
  // Trials that each had arguments of their own.
  for (const TotalEvent* const total : group.totals) {
    std::vector<CodeLaunches> late;
    for (const CodeLaunches& code : total->codes)
      if (code.code != total->last_code && code.first_ns >= *run.ready_ns) late.push_back(code);
    if (!late.empty() && tunings.is_tuning(number, key, *total) == Tuned::yes)
      return add_tuned(run, key, late, place_of(group, total->pid), findings);
  }
}

void ask_compiled_after_ready(const ProgramRun& run, std::vector<Finding>& findings) {
  std::vector<const ProgramCompile*> late;
  for (const ProgramCompile& compile : run.compiles)
    if (compile.time_ns >= *run.ready_ns) late.push_back(&compile);
  if (late.empty()) return;
  Finding& finding = findings.emplace_back(finding_of_compiles(WatchWord::late, run, late));
  finding.text = fmt::format("compiled {} after the program was ready: it ran {}",
                             seconds_since(*run.ready_ns, late.front()->time_ns), tools_text(late));
  finding.details.push_back("first: " + command_text(*late.front()));
}

}  // namespace

std::vector<Finding> find_late(const std::vector<ProgramRun>& runs, const Tunings& tunings) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].start != Start::usual) continue;
    for (const auto& [key, group] : tunings.groups(i)) {
      ask_captured(runs[i], i, tunings, key, group, findings);
      if (runs[i].ready_ns) ask_after_ready(runs[i], i, tunings, key, group, findings);
    }
    if (runs[i].ready_ns) ask_compiled_after_ready(runs[i], findings);
  }
  return findings;
}

}  // namespace tunecheck::watch
