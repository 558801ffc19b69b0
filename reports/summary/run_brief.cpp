// brief_of() of brief.hpp for a run.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "reports/summary/brief.hpp"
#include "reports/summary/causes.hpp"
#include "reports/summary/changes.hpp"
#include "reports/summary/failures.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_causes_named = 3;
constexpr std::size_t commit_digits = 10;

std::string failures_text(std::size_t count) {
  return counted(count, "failure");
}

// "inputs.pristine in 28 of 30 failures; it asks that ...; then caller.unharmed 2"
std::string broke_text(const std::vector<Cause>& causes) {
  std::size_t all = 0;
  for (const Cause& cause : causes)
    all += cause.own;
  const Cause& first = causes.front();
  std::string text = fmt::format("{} in {} of {}{}{}",
                                 first.check.empty() ? "no check, but a message" : first.check,
                                 first.scenarios.size(), failures_text(all),
                                 first.check.empty() ? ": " : "; it asks that ", first.meaning);
  for (std::size_t i = 1; i < std::min(causes.size(), most_causes_named); ++i)
    text += fmt::format("{}{} {}", i == 1 ? "; then " : ", ",
                        causes[i].check.empty() ? causes[i].meaning : causes[i].check,
                        causes[i].scenarios.size());
  if (causes.size() > most_causes_named)
    text += fmt::format(", and {}", counted(causes.size() - most_causes_named, "more cause"));
  return text;
}

std::string why_text(const Cause& cause) {
  const ScenarioResult& scenario = *cause.scenarios.front();
  const CheckResult* const check = evidence_of(cause, scenario);
  if (check == nullptr) return fmt::format("{} ({})", scenario.message, scenario.name);
  return fmt::format("{}; seen in {}", check->observed, scenario.name);
}

std::string base_text(const RunResult& base) {
  const std::string commit = commit_of(base);
  return fmt::format("the base{}, {}",
                     commit.empty() ? "" : ", commit " + commit.substr(0, commit_digits),
                     base.started.substr(0, 10));
}

// Why there is nothing to compare a run with. A base that was given and does not fit is named.
std::string no_base_text(const RunResult& run, std::span<const RunResult> given) {
  if (given.empty()) return "this report has no base, which --base RESULT gives it";
  std::set<std::string> others;
  for (const RunResult& base : given)
    others.insert(fmt::format("adapter {} on {}", base.adapter, base.backend));
  return fmt::format("the base is of {}, and this run of adapter {} on {}", fmt::join(others, ", "),
                     run.adapter, run.backend);
}

std::string since_text(const RunResult& run, const RunResult* base,
                       std::span<const RunResult> given) {
  const std::string commit = commit_of(run);
  const std::string at = commit.empty() ? "" : " at commit " + commit.substr(0, commit_digits);
  if (base == nullptr) return fmt::format("not known{}: {}", at, no_base_text(run, given));
  const Changes changes = changes_between(*base, run);
  if (changes.broken.empty() && changes.as_bad.empty() && changes.mended.empty())
    return fmt::format("nothing failed in {}, and nothing fails now{}", base_text(*base), at);
  return fmt::format("{} new{} since {}; {} failed there as well; {} fixed", changes.broken.size(),
                     at, base_text(*base), changes.as_bad.size(), changes.mended.size());
}

// What a history knows of the clearest failure; "" where it knows nothing.
std::string history_text(const Cause& cause, const BriefContext& context) {
  const std::string& name = cause.scenarios.front()->name;
  for (const ReportSource<HistoryChanges>& history : context.histories)
    for (const VerdictSeries& series : verdict_series_of(history.content.series))
      if (series.scenario == name)
        return fmt::format("; in the history, {} {}", name,
                           verdict_text(series, history.content.contents));
  return {};
}

std::string tuner_text(const RunResult& run) {
  return fmt::format("{} (adapter {}, on {})",
                     run.tuner.empty() ? "a tuner that never answered" : run.tuner, run.adapter,
                     run.backend);
}

void tell_known(const RunResult& run, bool has_base, Brief& brief) {
  const std::vector<KnownCause> causes = known_causes_of(run);
  if (causes.empty()) return;
  const KnownCause& first = causes.front();
  brief.broke =
      fmt::format("nothing new; {} of {}, {} of them because: {}",
                  counted(static_cast<std::size_t>(run.count(Verdict::known)), "known failure"),
                  counted(causes.size(), "cause"), first.scenarios.size(), first.reason);
  if (!has_base) brief.since = "nothing is new; the marks do not say since when they hold";
  brief.why = first.link.empty()
                  ? "each is marked as known, with a reason"
                  : "each is marked as known, with a reason; this one: " + first.link;
  brief.whose = fmt::format("{}: it is its makers' to mend", tuner_text(run));
  auto first_end = causes.front().scenarios.front()->known->until;
  for (const KnownCause& cause : causes)
    for (const ScenarioResult* const scenario : cause.scenarios)
      first_end = std::min(first_end, scenario->known->until);
  brief.next = fmt::format("nothing until {}, when the first mark ends", date_text(first_end));
}

void tell_distrust(const RunResult& run, const std::vector<Cause>& causes, Brief& brief) {
  if (causes.empty() || causes.front().verdict != Verdict::error) {
    brief.broke = "the run itself";
    brief.why = brief.verdict.sentence;
    brief.next = run.pending.empty()           ? "mend that, and run again"
                 : run.scenarios_not_given > 0 ? "report on all parts, or on what tunecheck merge "
                                                 "makes of them"
                                               : "run it to its end";
  }
  brief.whose = fmt::format(
      "not decided: without evidence it may be the machine, the adapter or {}", tuner_text(run));
}

}  // namespace

std::string commit_of(const RunResult& run) {
  const auto found = run.environment.find("commit");
  return found == run.environment.end() ? "" : found->second;
}

Brief brief_of(const RunResult& run, const BriefContext& context) {
  const RunResult* const base = base_of(run, context.base);
  const std::vector<Cause> causes = causes_of(run);
  Brief brief;
  brief.kind = DocumentKind::run;
  brief.verdict = verdict_of(run);
  brief.subject = subject_of(run);
  brief.since = since_text(run, base, context.base);
  brief.whose = "the tuner's: " + tuner_text(run);
  if (base != nullptr)
    brief.compare = compare_address(context.repository, commit_of(*base), commit_of(run));
  if (!causes.empty()) {
    brief.broke = broke_text(causes);
    brief.why = why_text(causes.front());
    brief.since += history_text(causes.front(), context);
    brief.next = fmt::format("repeat {}, the clearest of them, and look at its evidence",
                             causes.front().scenarios.front()->name);
    brief.command = causes.front().scenarios.front()->repro;
  } else {
    brief.broke = "nothing";
    brief.why = "what could be tested here held";
    if (base == nullptr) brief.since = "nothing failed, so there is nothing to date";
    brief.whose = "nobody's; it is " + tuner_text(run);
    brief.next = "nothing";
    tell_known(run, base != nullptr, brief);
  }
  if (brief.verdict.standing == Standing::untrusted) tell_distrust(run, causes, brief);
  return brief;
}

}  // namespace tunecheck
