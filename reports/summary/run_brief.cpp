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
#include "reports/summary/repeat.hpp"
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
  std::string text =
      fmt::format("{} in {} of {}", first.check.empty() ? "no check, but a message" : first.check,
                  first.scenarios.size(), failures_text(all));
  // A check of another version may have no meaning here.
  if (!first.meaning.empty())
    text += (first.check.empty() ? ": " : "; it asks that ") + first.meaning;
  for (std::size_t i = 1; i < std::min(causes.size(), most_causes_named); ++i)
    text += fmt::format("{}{} {}", i == 1 ? "; then " : ", ",
                        causes[i].check.empty() ? causes[i].meaning : causes[i].check,
                        causes[i].scenarios.size());
  if (causes.size() > most_causes_named)
    text += fmt::format(", and {}", counted(causes.size() - most_causes_named, "more cause"));
  return text;
}

// What somebody has to look at first.
struct Clearest {
  const Cause* cause = nullptr;
  const ScenarioResult* scenario = nullptr;
  bool is_new = false;  ///< where others are not
};

// Where the base tells new failures from old ones, the clearest of the new ones.
Clearest clearest_of(const RunResult& run, const RunResult* base,
                     const std::vector<Cause>& causes) {
  const Clearest first = {&causes.front(), causes.front().scenarios.front(), false};
  if (base == nullptr) return first;
  const Changes changes = changes_between(*base, run);
  if (changes.broken.empty() || changes.as_bad.size() + changes.unasked.size() == 0) return first;
  for (const Cause& cause : causes)
    for (const ScenarioResult* const scenario : cause.scenarios)
      if (std::find(changes.broken.begin(), changes.broken.end(), scenario) != changes.broken.end())
        return {&cause, scenario, true};
  return first;
}

std::string why_text(const Clearest& clearest) {
  const ScenarioResult& scenario = *clearest.scenario;
  const CheckResult* const check = evidence_of(*clearest.cause, scenario);
  if (check == nullptr) return fmt::format("{} ({})", scenario.message, scenario.name);
  return fmt::format("{}; seen in {}", check->observed, scenario.name);
}

// "2026-11-26T17:06:11Z" as a day, or to the minute where runs may be of one day.
std::string time_text(const std::string& started, bool to_the_minute) {
  if (!to_the_minute || started.size() < 16) return started.substr(0, 10);
  return fmt::format("{} {} UTC", started.substr(0, 10), started.substr(11, 5));
}

std::string base_text(const RunResult& base, const BriefContext& context) {
  const std::string commit = commit_of(base);
  return fmt::format("the base{}{}, {}",
                     context.base_is_run_before ? ", the run before in this folder" : "",
                     commit.empty() ? "" : ", commit " + commit.substr(0, commit_digits),
                     time_text(base.started, context.base_is_run_before));
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

std::string since_text(const RunResult& run, const RunResult* base, const BriefContext& context) {
  const std::string commit = commit_of(run);
  const std::string at = commit.empty() ? "" : " at commit " + commit.substr(0, commit_digits);
  if (base == nullptr) return fmt::format("not known{}: {}", at, no_base_text(run, context.base));
  const Changes changes = changes_between(*base, run);
  // What it did not come to may have failed there as well.
  const std::string not_all =
      base->pending.empty() && base->trouble.empty()
          ? ""
          : fmt::format("; the base is not complete: {}", why_not_trusted(*base));
  if (changes.broken.empty() && changes.as_bad.empty() && changes.mended.empty() &&
      changes.unasked.empty())
    return fmt::format("nothing failed in {}, and nothing fails now{}{}", base_text(*base, context),
                       at, not_all);
  std::string text =
      fmt::format("{} new{} since {}; {} failed there as well", changes.broken.size(), at,
                  base_text(*base, context), changes.as_bad.size());
  if (!changes.unasked.empty())
    text += fmt::format("; {} {} not asked there", changes.unasked.size(),
                        changes.unasked.size() == 1 ? "was" : "were");
  return text + fmt::format("; {} fixed", changes.mended.size()) + not_all;
}

// What histories know of a failure of this tuner; "" where there is no history.
std::string history_text(const RunResult& run, const ScenarioResult& scenario,
                         const BriefContext& context) {
  for (const ReportSource<HistoryChanges>& history : context.histories)
    if (const auto series = verdict_series_of(history.content, run, scenario.name))
      return fmt::format("; in the history, {} {}", scenario.name,
                         verdict_text(*series, history.content.contents));
  for (const ReportSource<HistoryChanges>& history : context.histories)
    if (verdict_counts_of(history.content.series, history.content.contents).scenarios > 0)
      return fmt::format("; the history has no verdict about {} of {}", scenario.name,
                         tuner_text(verdict_fingerprint_of(run)));
  return {};
}

std::string judged_text(const RunResult& run) {
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
  brief.whose = fmt::format("{}: it is its makers' to mend", judged_text(run));
  auto first_end = causes.front().scenarios.front()->known->until;
  for (const KnownCause& cause : causes)
    for (const ScenarioResult* const scenario : cause.scenarios)
      first_end = std::min(first_end, scenario->known->until);
  brief.next = fmt::format("nothing until {}, when the first mark ends", date_text(first_end));
}

// What a run found before it was ended stays found.
void tell_pending(const RunResult& run, const std::vector<Cause>& causes, Brief& brief) {
  if (causes.empty()) {
    brief.broke = "the run itself; nothing had failed until then";
    brief.why = brief.verdict.sentence;
  } else {
    brief.broke = fmt::format("the run itself; until then {}", brief.broke);
    brief.why = fmt::format("{}; what had failed: {}", brief.verdict.sentence, brief.why);
  }
  if (run.scenarios_not_given > 0) {
    brief.next = "report on all parts, or on what tunecheck merge makes of them";
    brief.command.clear();
  } else {
    brief.next = "run it to its end";
    brief.command = resume_command(run);
  }
}

void tell_distrust(const RunResult& run, const std::vector<Cause>& causes, Brief& brief) {
  if (!run.pending.empty() && run.trouble.empty()) {
    tell_pending(run, causes, brief);
  } else if (causes.empty() || causes.front().verdict != Verdict::error) {
    brief.broke = "the run itself";
    brief.why = brief.verdict.sentence;
    brief.next = "mend that, and run again";
  }
  brief.whose = fmt::format(
      "not decided: without evidence it may be the machine, the adapter or {}", judged_text(run));
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
  brief.since = since_text(run, base, context);
  brief.whose = "the tuner's: " + judged_text(run);
  if (base != nullptr)
    brief.compare = compare_address(context.repository, commit_of(*base), commit_of(run));
  if (!causes.empty()) {
    const Clearest clearest = clearest_of(run, base, causes);
    brief.broke = broke_text(causes);
    brief.why = why_text(clearest);
    brief.since += history_text(run, *clearest.scenario, context);
    brief.next = fmt::format("repeat {}, the clearest of {}, and look at its evidence",
                             clearest.scenario->name, clearest.is_new ? "the new ones" : "them");
    brief.command = clearest.scenario->repro;
  } else {
    brief.broke = "nothing";
    brief.why = "what could be tested here held";
    if (base == nullptr) brief.since = "nothing failed, so there is nothing to date";
    brief.whose = "nobody's; it is " + judged_text(run);
    brief.next = "nothing";
    tell_known(run, base != nullptr, brief);
  }
  if (brief.verdict.standing == Standing::untrusted) tell_distrust(run, causes, brief);
  return brief;
}

}  // namespace tunecheck
