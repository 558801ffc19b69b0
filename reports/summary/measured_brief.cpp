// brief_of() of brief.hpp for what was measured: sessions of the gate, and histories.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text.hpp"
#include "reports/summary/brief.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/quantity.hpp"
#include "reports/summary/repeat.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_named = 3;

std::string finding_text(const GateFinding& finding) {
  if (finding.benchmark == nullptr) return fmt::format("{}: {}", finding.name, finding.reason);
  const double change = finding.benchmark->finding.change;
  return finding.name + (std::isfinite(change) ? " " + change_text(change) : "");
}

std::vector<const GateFinding*> of_answer(const std::vector<GateFinding>& findings,
                                          gate::Answer answer) {
  std::vector<const GateFinding*> found;
  for (const GateFinding& finding : findings)
    if (finding.answer == answer) found.push_back(&finding);
  return found;
}

// "2 of 7 became slower or cost more: a +9.8 %; b: base 0, head 1 (compiles)"
std::string broke_text(const std::vector<GateFinding>& all, gate::Answer answer,
                       std::string_view what) {
  const std::vector<const GateFinding*> found = of_answer(all, answer);
  std::string text = fmt::format("{} of {} {}", found.size(), all.size(), what);
  for (std::size_t i = 0; i < std::min(found.size(), most_named); ++i)
    text += (i == 0 ? ": " : "; ") + finding_text(*found[i]);
  if (found.size() > most_named) text += fmt::format("; and {} more", found.size() - most_named);
  return text;
}

// A file that somebody changed may have none.
std::string first_reason(const std::vector<GateFinding>& all, gate::Answer answer) {
  const std::vector<const GateFinding*> found = of_answer(all, answer);
  return found.empty() ? "the file does not say" : found.front()->reason;
}

std::string command_of(const gate::GateResult& session) {
  if (session.kind != "adapter") return {};
  return fmt::format("tunecheck gate --base {} --head {} --adapter {}", session.base.given,
                     session.head.given, session.adapter);
}

std::string log_of(const std::string& base, const std::string& head) {
  return base.empty() || head.empty() ? "" : fmt::format("git log {}..{}", base, head);
}

void tell_regression(const gate::GateResult& session, const std::vector<GateFinding>& findings,
                     Brief& brief) {
  brief.broke = broke_text(findings, gate::Answer::regression, "became slower or cost more");
  brief.why = first_reason(findings, gate::Answer::regression);
  if (!session.winner_changes.empty())
    brief.why += fmt::format(
        "; the tuner now chooses {} instead of {} for {}", session.winner_changes.front().head,
        session.winner_changes.front().base, session.winner_changes.front().kernel);
  brief.next = "look at the commits between the two; then measure the suspect alone";
}

const history::StoredRun* run_of(const HistoryChanges& history, std::int64_t id) {
  for (const history::StoredRun& run : history.contents.runs)
    if (run.id == id) return &run;
  return nullptr;
}

std::string when_text(const history::StoredRun* run) {
  if (run == nullptr) return "a run that is not there";
  return fmt::format("run {} ({}{}{})", run->id, run->started.substr(0, 10),
                     run->revision.empty() ? "" : ", ", run->revision.substr(0, 10));
}

// What a reader wants to hear of first: for the worse, the latest.
std::vector<const history::Change*> by_weight(const HistoryChanges& history) {
  std::vector<const history::Change*> changes;
  for (const history::Change& change : history.changes.found)
    if (!is_verdict(change.benchmark)) changes.push_back(&change);
  std::stable_sort(changes.begin(), changes.end(), [](const auto* a, const auto* b) {
    const bool is_worse_a = a->after > a->before, is_worse_b = b->after > b->before;
    return is_worse_a != is_worse_b ? is_worse_a : a->first_after > b->first_after;
  });
  return changes;
}

std::string named(const history::Change& change) {
  const std::string_view word = change.kind == history::Kind::time
                                    ? (change.after > change.before ? "slower" : "faster")
                                    : (change.after > change.before ? "more" : "fewer");
  if (!std::isfinite(change.change())) return fmt::format("{} {}", change.benchmark, word);
  return fmt::format("{} {} ({})", change.benchmark, word, change_text(change.change()));
}

// What else is another one since then.
std::string circumstances(const history::StoredRun* before, const history::StoredRun* after) {
  if (before == nullptr || after == nullptr) return {};
  std::string text;
  if (before->tuner != after->tuner)
    text += fmt::format("; the tuner was {} before, and is {}", before->tuner, after->tuner);
  if (before->tunecheck_version != after->tunecheck_version)
    text += fmt::format("; tunecheck was {} before, and is {}", before->tunecheck_version,
                        after->tunecheck_version);
  return text;
}

void tell_change(const HistoryChanges& history, const BriefContext& context, Brief& brief) {
  const std::vector<const history::Change*> changes = by_weight(history);
  const history::Change& first = *changes.front();
  const history::StoredRun* const before = run_of(history, first.last_before);
  const history::StoredRun* const after = run_of(history, first.first_after);
  for (std::size_t i = 0; i < std::min(changes.size(), most_named); ++i)
    brief.broke += (i == 0 ? "" : ", ") + named(*changes[i]);
  if (changes.size() > most_named)
    brief.broke += fmt::format(", and {} more", changes.size() - most_named);
  brief.why =
      first.kind == history::Kind::time
          ? fmt::format("the median went from {} to {} (p = {:.2g}) under the same conditions",
                        quantity_text(first.before, first.unit),
                        quantity_text(first.after, first.unit), first.p)
          : fmt::format("it was counted: {:g} before, {:g} after ({})", first.before, first.after,
                        first.unit);
  brief.why += circumstances(before, after);
  brief.since = fmt::format("{}; the last before it is {}", when_text(after), when_text(before));
  brief.whose = "the commits between these two runs";
  brief.next = "look at these commits, and measure both: tunecheck gate --base --head";
  if (before == nullptr || after == nullptr) return;
  brief.command = log_of(before->revision, after->revision);
  brief.compare = compare_address(context.repository, before->revision, after->revision);
}

// "a fails since run 3; b ..., and 2 more"
std::string listed(const std::vector<VerdictSeries>& all, const HistoryChanges& history) {
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : "; ", all[i].name,
                        verdict_text(all[i], history.contents));
  if (all.size() > most_named) text += fmt::format("; and {} more", all.size() - most_named);
  return text;
}

// The runs on either side of a verdict's last change.
struct Sides {
  const history::StoredRun* before = nullptr;  ///< null where the first run had that verdict
  const history::StoredRun* after = nullptr;

  [[nodiscard]] bool has_two_commits() const {
    return before != nullptr && after != nullptr && !before->revision.empty() &&
           !after->revision.empty() && before->revision != after->revision;
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("the {} between {} and {}", has_two_commits() ? "commits" : "change",
                       when_text(before), when_text(after));
  }
};

Sides sides_of(const VerdictSeries& series, const HistoryChanges& history) {
  const auto place = std::find(series.runs.begin(), series.runs.end(), series.since);
  return {place == series.runs.begin() ? nullptr : run_of(history, *(place - 1)),
          run_of(history, series.since)};
}

std::string next_of(const VerdictSeries& series, const Sides& sides) {
  if (series.is_flaky())
    return "run the scenario many times, and compare the evidence of a run that failed with that "
           "of one that held";
  if (sides.before == nullptr) return "run the scenario, and look at its evidence";
  if (sides.has_two_commits()) return "run the scenario at both commits";
  return fmt::format(
      "run the scenario with what there was before run {}, and with what there is "
      "since then",
      sides.after == nullptr ? series.since : sides.after->id);
}

// What failed first of what fails steadily; where nothing does, what is flaky, then what was
// mended.
void tell_verdicts(const HistoryChanges& history, const BriefContext& context, Brief& brief) {
  const std::vector<VerdictSeries> all = verdict_series_of(history.series, history.contents);
  const auto steady = std::find_if(all.begin(), all.end(), [](const VerdictSeries& one) {
    return one.fails_now() && !one.is_flaky();
  });
  const VerdictSeries& first = steady == all.end() ? all.front() : *steady;
  const bool is_mended = !first.fails_now() && !first.is_flaky();
  const Sides sides = sides_of(first, history);
  brief.broke = (is_mended ? "nothing any more; " : "") + listed(all, history);
  brief.why = first.is_flaky()
                  ? "its verdict changes from run to run, so that no commit explains it"
                  : "its verdict has been the same in every run since then";
  brief.why += circumstances(sides.before, sides.after);
  brief.since = fmt::format("{}: {}", first.name, verdict_text(first, history.contents));
  const std::string tuner = tuner_text(first.tuner);
  if (first.is_flaky())
    brief.whose = fmt::format("the tuner's or the machine's: {}; no commit explains it", tuner);
  else if (sides.before == nullptr)
    brief.whose = fmt::format(
        "the tuner's: {}; it failed in the first run, so that no change is "
        "blamed",
        tuner);
  else
    brief.whose = fmt::format("{}: {}; {}{}", is_mended ? "nobody's any more" : "the tuner's",
                              tuner, is_mended ? "mended by " : "", sides.text());
  brief.next = is_mended ? "nothing" : next_of(first, sides);
  if (!is_mended) brief.command = scenario_command(first.scenario, first.tuner);
  if (sides.has_two_commits())
    brief.compare =
        compare_address(context.repository, sides.before->revision, sides.after->revision);
}

}  // namespace

Brief brief_of(const gate::GateResult& session, const BriefContext& context) {
  const std::vector<GateFinding> findings = findings_of(session);
  Brief brief;
  brief.kind = DocumentKind::gate;
  brief.verdict = verdict_of(session);
  brief.subject = subject_of(session);
  brief.since = fmt::format("between {} and {}", side_text(session.base), side_text(session.head));
  brief.whose = fmt::format("the change from base to head{}",
                            session.head.tuner.empty() ? "" : ", of " + session.head.tuner);
  brief.command = log_of(session.base.commit, session.head.commit);
  if (brief.command.empty()) brief.command = command_of(session);
  brief.compare = compare_address(context.repository, session.base.commit, session.head.commit);
  if (brief.verdict.standing == Standing::untrusted) {
    brief.broke = "the session itself";
    brief.why = brief.verdict.sentence;
    brief.whose = "the machine's, or that of the session's setting; no build is blamed";
    brief.next = "run the session again, on a quieter machine if canaries were wrong";
    brief.command = command_of(session);
  } else if (brief.verdict.standing == Standing::bad) {
    tell_regression(session, findings, brief);
  } else if (brief.verdict.standing == Standing::open) {
    brief.whose = "nobody's yet: the session cannot tell whether the head is slower";
    brief.broke = broke_text(findings, gate::Answer::inconclusive, "cannot be told");
    brief.why = first_reason(findings, gate::Answer::inconclusive);
    brief.next = "measure longer, or on a quieter machine";
    brief.command = command_of(session);
  } else {
    brief.broke = "nothing";
    brief.why = "no benchmark and no count is worse than the tolerance allows";
    brief.next = "nothing";
    brief.command.clear();
  }
  return brief;
}

Brief brief_of(const HistoryChanges& history, const BriefContext& context) {
  const std::vector<history::StoredRun>& runs = history.contents.runs;
  Brief brief;
  brief.kind = DocumentKind::history;
  brief.verdict = verdict_of(history);
  brief.subject = counted(runs.size(), "run");
  const std::vector<VerdictSeries> verdicts = verdict_series_of(history.series, history.contents);
  const VerdictCounts counts = verdict_counts_of(history.series, history.contents);
  const bool is_failing = counts.failing + counts.flaky > 0;
  const std::vector<const history::Change*> changes = by_weight(history);
  const bool is_slower = !changes.empty() && changes.front()->after > changes.front()->before;
  if (is_slower || (!changes.empty() && !is_failing)) {
    tell_change(history, context, brief);
    if (is_failing) brief.broke += "; " + listed(verdicts, history);
    return brief;
  }
  if (!verdicts.empty()) {
    tell_verdicts(history, context, brief);
    return brief;
  }
  brief.broke = "nothing";
  brief.why = counts.scenarios == 0 ? "no benchmark left what its runs scatter anyway"
              : counts.scenarios == history.series.size()
                  ? "every scenario held in all of its runs"
                  : "every scenario held in all of its runs, and no benchmark left what its runs "
                    "scatter anyway";
  brief.since = runs.empty() ? "there is no run"
                             : fmt::format("steady from {} to {}", when_text(&runs.front()),
                                           when_text(&runs.back()));
  brief.whose = "nobody's";
  brief.next = "nothing";
  return brief;
}

}  // namespace tunecheck
