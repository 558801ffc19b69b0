#include "reports/summary/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/exit_status.hpp"
#include "core/text.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck {
namespace {

std::size_t size_of(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

// "; 9 held; 21 known failures; 126 not testable here", as much of it as there is.
std::string others_text(const RunResult& run, bool with_held) {
  std::string text;
  if (const std::int64_t held = run.count(Verdict::pass); with_held && held > 0)
    text += fmt::format("; {} held", held);
  if (const std::int64_t known = run.count(Verdict::known); known > 0)
    text += "; " + counted(size_of(known), "known failure");
  if (const std::int64_t lacking = run.count(Verdict::unsupported); lacking > 0)
    text += fmt::format("; {} not testable here", lacking);
  return text;
}

Standing standing_of(gate::Answer answer) {
  switch (answer) {
    case gate::Answer::pass:
    case gate::Answer::improved:
      return Standing::good;
    case gate::Answer::inconclusive:
      return Standing::open;
    case gate::Answer::regression:
      return Standing::bad;
    case gate::Answer::invalid:
      break;
  }
  return Standing::untrusted;
}

// "5 benchmarks and 2 counts": what a session compared.
std::string compared_text(const gate::GateResult& session) {
  const auto benchmarks = std::count_if(session.benchmarks.begin(), session.benchmarks.end(),
                                        [](const gate::BenchmarkResult& benchmark) {
                                          return benchmark.role == gate::Role::measured;
                                        });
  return fmt::format("{} and {}", counted(size_of(benchmarks), "benchmark"),
                     counted(session.counts.size(), "count"));
}

// "3 worse, 1 inconclusive of ", "" where all passed.
std::string answers_text(const gate::GateResult& session) {
  std::size_t worse = 0, open = 0, better = 0;
  for (const GateFinding& finding : findings_of(session)) {
    worse += finding.answer == gate::Answer::regression ? 1U : 0U;
    open += finding.answer == gate::Answer::inconclusive ? 1U : 0U;
    better += finding.answer == gate::Answer::improved ? 1U : 0U;
  }
  std::string text;
  for (const auto& [count, word] :
       {std::pair(worse, "worse"), std::pair(open, "inconclusive"), std::pair(better, "better")})
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  return text.empty() ? "" : text + " of ";
}

// How small a slowdown would have been found.
std::string power_text(const gate::GateResult& session) {
  if (session.kind == "stored")
    return "a stored run cannot show a regression of a time, see docs/gate.md";
  if (!std::isfinite(session.detectable()))
    return "it is not known what slowdown would have been found";
  return fmt::format("a slowdown of {:.1f} % would have been found {:.0f} times in 100",
                     100 * session.detectable(), 100 * session.settings.stated_power);
}

std::size_t failing(const WatchResult& result) {
  return static_cast<std::size_t>(
      std::count_if(result.findings.begin(), result.findings.end(),
                    [](const WatchResult::Finding& finding) { return finding.fails(); }));
}

// How many do not fail for a reason that the user gave.
std::size_t excused(const WatchResult& result) {
  return static_cast<std::size_t>(std::count_if(
      result.findings.begin(), result.findings.end(),
      [](const WatchResult::Finding& finding) { return finding.is_certain && !finding.fails(); }));
}

// "17 of 97 scenarios fail", "1 of 2 scenarios fails, and 3 are flaky"; "" where all hold.
std::string failing_text(const VerdictCounts& verdicts) {
  const auto verb = [](std::size_t count, std::string_view one, std::string_view many) {
    return count == 1 ? one : many;
  };
  const std::string of = " of " + verdicts.scenarios_text();
  std::string text;
  if (verdicts.failing > 0)
    text = fmt::format("{}{} {}", verdicts.failing, of, verb(verdicts.failing, "fails", "fail"));
  if (verdicts.flaky > 0)
    text += fmt::format("{}{}{} {} flaky", text.empty() ? "" : ", and ", verdicts.flaky,
                        text.empty() ? of : "", verb(verdicts.flaky, "is", "are"));
  return text;
}

// What a history tells where it has verdicts, and no benchmark became slower.
VerdictLine verdicts_line(const VerdictCounts& verdicts, const std::string& runs) {
  if (verdicts.failing + verdicts.flaky > 0)
    return {Standing::open, status::held, verdicts.failing > 0 ? "FAILING" : "FLAKY",
            fmt::format("{}, in {}", failing_text(verdicts), runs)};
  if (verdicts.mended > 0)
    return {Standing::good, status::held, "MENDED",
            fmt::format("{} of {} failed and no longer {}, in {}", verdicts.mended,
                        verdicts.scenarios_text(), verdicts.mended == 1 ? "fails" : "fail", runs)};
  return {Standing::good, status::held, "STEADY",
          fmt::format("no verdict of {} changed, in {}", verdicts.scenarios_text(), runs)};
}

}  // namespace

std::string why_not_trusted(const WatchResult& watch) {
  if (watch.is_trusted()) return {};
  if (watch.is_interrupted) return "the watch was ended before its runs were";
  if (watch.was_never_ready)
    return "the program never became ready, so that nobody knows what was late";
  const bool ran = std::any_of(watch.runs.begin(), watch.runs.end(),
                               [](const WatchResult::Run& run) { return run.succeeded; });
  if (!ran) return "no run of the program ended with status 0";
  return "no compiler and no launch of a kernel was seen";
}

std::string_view name_of(Standing standing) {
  constexpr std::array<std::string_view, 5> names = {"good", "known", "open", "bad", "untrusted"};
  return names.at(static_cast<std::size_t>(standing));
}

std::string VerdictLine::text() const {
  return word + ": " + sentence;
}

VerdictLine verdict_of(const RunResult& run) {
  const int status = run.exit_status();
  if (const std::string reason = why_not_trusted(run); !reason.empty())
    return {Standing::untrusted, status, "NOT TRUSTED", reason};
  const std::string testable =
      counted(run.scenarios.size() - size_of(run.count(Verdict::unsupported)), "scenario");
  if (const std::int64_t failed = run.count(Verdict::fail); failed > 0)
    return {Standing::bad, status, "FAIL",
            fmt::format("{} of {} failed{}", failed, testable, others_text(run, true))};
  const std::string passed = fmt::format("{} of {}", run.count(Verdict::pass), testable);
  if (run.shard && run.count(Verdict::pass) + run.count(Verdict::known) == 0)
    return {Standing::open, status, "PART",
            fmt::format("{} of {}: nothing in it can be tested here", run.shard->number,
                        run.shard->count)};
  const std::string others = others_text(run, false);
  if (run.count(Verdict::known) > 0)
    return {Standing::known, status, "NO NEW FAILURE", passed + " held" + others};
  return {Standing::good, status, "PASS", passed + others};
}

VerdictLine verdict_of(const gate::GateResult& session) {
  const int status = session.exit_status();
  if (const std::string reason = why_not_trusted(session); !reason.empty())
    return {Standing::untrusted, status, "INVALID", reason};
  if (session.answer == gate::Answer::invalid)
    return {Standing::untrusted, status, "INVALID",
            fmt::format("not all of {} can be compared", compared_text(session))};
  return {
      standing_of(session.answer), status, upper_case(to_string(session.answer)),
      fmt::format("{}{}; {}", answers_text(session), compared_text(session), power_text(session))};
}

VerdictLine verdict_of(const AuditResult& audit) {
  const int status = audit.exit_status();
  const std::string caught = audited_text(audit) + " caught";
  if (status != 0)
    return {Standing::bad, status, "INCOMPLETE",
            fmt::format("{}, {}, {}{}", counted(audit.surviving_mutants().size(), "survivor"),
                        counted(audit.unkilled_checks().size(), "unkilled check"),
                        counted(audit.false_claims().size(), "false claim"),
                        audit.true_tuner_passes() || audit.reference.scenarios.empty()
                            ? ""
                            : ", true tuner fails")};
  if (audit.shard)
    return {Standing::open, status, "PART",
            fmt::format("{} of {}: {} with planted bugs noticed what they must, the true tuner "
                        "passes {}; `tunecheck merge` says whether anything is missing",
                        audit.shard->number, audit.shard->count,
                        counted(audit.kills.size(), "scenario"),
                        counted(audit.reference.scenarios.size(), "scenario"))};
  if (audit.quick)
    return {Standing::open, status, "QUICK",
            caught +
                ", by one scenario each; this selection does not show that nothing else is "
                "missing"};
  return {Standing::good, status, "COMPLETE",
          fmt::format("{}, the true tuner passes {}", caught,
                      counted(audit.reference.scenarios.size(), "scenario"))};
}

VerdictLine verdict_of(const WatchResult& watch) {
  const int status = watch.exit_status();
  if (const std::size_t count = failing(watch); count > 0)
    return {Standing::bad, status, "FAIL",
            counted(count, "finding") +
                (watch.is_trusted() ? "" : "; there may be more: " + why_not_trusted(watch))};
  if (status != status::held)
    return {Standing::untrusted, status, watch.is_interrupted ? "INTERRUPTED" : "NOT TRUSTED",
            why_not_trusted(watch)};
  const std::string runs = counted(watch.runs.size(), "run");
  if (const std::size_t count = excused(watch); count > 0)
    return {Standing::known, status, "PASS",
            fmt::format("nothing new found in {}; {} allowed or in the baseline", runs,
                        counted(count, "finding"))};
  return {Standing::good, status, "PASS", "nothing found in " + runs};
}

VerdictLine verdict_of(const HistoryChanges& history) {
  std::vector<history::Change> changes = history.changes.found;
  std::erase_if(changes, [](const auto& change) { return is_verdict(change.benchmark); });
  const VerdictCounts verdicts = verdict_counts_of(history.series, history.contents);
  const std::string runs = counted(history.contents.runs.size(), "run");
  const auto slower =
      size_of(std::count_if(changes.begin(), changes.end(), [](const history::Change& change) {
        return change.after > change.before;
      }));
  const std::size_t faster = changes.size() - slower;
  const std::string measured = fmt::format("{} for the worse, {} for the better in {}",
                                           counted(slower, "change"), faster, runs);
  const std::string failing = failing_text(verdicts);
  if (slower > 0)
    return {Standing::open, status::held, "SLOWER",
            measured + (failing.empty() ? "" : "; " + failing)};
  const bool has_times = verdicts.scenarios < history.series.size();
  if (faster > 0 && failing.empty()) return {Standing::good, status::held, "FASTER", measured};
  if (verdicts.scenarios == 0)
    return {Standing::good, status::held, "STEADY", "no benchmark changed in " + runs};
  VerdictLine line = verdicts_line(verdicts, runs);
  if (has_times)
    line.sentence += faster > 0 ? fmt::format("; {} for the better", counted(faster, "change"))
                                : "; no benchmark changed";
  return line;
}

// A part of a run was not ended: the rest of it is in files that are not here.
std::string why_not_whole(const RunResult& result) {
  const auto elsewhere = static_cast<std::size_t>(result.scenarios_not_given);
  const std::size_t not_run = result.pending.size() - (elsewhere > 0 ? 1 : 0);
  const std::string all = counted(result.scenarios.size() + not_run + elsewhere, "scenario");
  if (elsewhere == 0) return fmt::format("the run was ended, {} of {} were not run", not_run, all);
  if (not_run == 0)
    return fmt::format("this is not the whole run, {} of {} are in parts that are not given",
                       elsewhere, all);
  return fmt::format(
      "the run was ended, {} of {} were not run, and {} are in parts that are not "
      "given",
      not_run, all, elsewhere);
}

std::string why_not_trusted(const RunResult& result) {
  const std::size_t all = result.scenarios.size();
  const std::int64_t errors = result.count(Verdict::error);
  if (!result.trouble.empty()) return "nothing could be run: " + result.trouble;
  if (!result.pending.empty()) return why_not_whole(result);
  // Of a part, the whole says that.
  if (all == 0 && !result.shard) return "nothing was run";
  if (!result.shard && result.count(Verdict::unsupported) == static_cast<std::int64_t>(all))
    return "all scenarios are unsupported";
  if (errors > 0)
    return fmt::format("{}, {} failed of {}", counted(static_cast<std::size_t>(errors), "error"),
                       result.count(Verdict::fail), all);
  return {};
}

std::string subject_of(const RunResult& result) {
  const bool says_more = !result.tuner.starts_with(result.adapter);
  return fmt::format("{} on {}", says_more ? result.adapter : result.tuner, result.backend);
}

std::string audited_text(const AuditResult& result) {
  const std::size_t adversaries = result.adversary_count();
  const std::string mutants = counted(result.mutants.size() - adversaries, "mutant") +
                              (result.is_foreign() ? " of " + result.reference.adapter : "");
  if (adversaries == 0) return mutants;
  const std::string all =
      fmt::format("{} {}", adversaries, adversaries == 1 ? "adversary" : "adversaries");
  return adversaries == result.mutants.size() ? all : mutants + " and " + all;
}

bool is_worse(const VerdictLine& a, const VerdictLine& b) {
  if (a.status != b.status) {
    const auto as_status = [](int status) { return static_cast<status::Status>(status); };
    return status::gravest({as_status(a.status), as_status(b.status)}) == a.status;
  }
  return a.standing > b.standing;
}

}  // namespace tunecheck
