// brief_of() of brief.hpp for what was measured: sessions of the gate, and histories.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text.hpp"
#include "reports/summary/brief.hpp"
#include "reports/summary/gate_findings.hpp"
#include "reports/summary/quantity.hpp"
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

// What failed first of what fails steadily; where nothing does, what is flaky.
void tell_verdicts(const HistoryChanges& history, const BriefContext& context, Brief& brief) {
  const std::vector<VerdictSeries> all = verdict_series_of(history.series);
  const auto steady = std::find_if(all.begin(), all.end(), [](const VerdictSeries& one) {
    return one.fails_now() && !one.is_flaky();
  });
  const VerdictSeries& first = steady == all.end() ? all.front() : *steady;
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    brief.broke += fmt::format("{}{} {}", i == 0 ? "" : "; ", all[i].scenario,
                               verdict_text(all[i], history.contents));
  if (all.size() > most_named) brief.broke += fmt::format("; and {} more", all.size() - most_named);
  const history::StoredRun* const after = run_of(history, first.since);
  const auto place = std::find(first.runs.begin(), first.runs.end(), first.since);
  const history::StoredRun* const before =
      place == first.runs.begin() ? nullptr : run_of(history, *(place - 1));
  brief.why = first.is_flaky()
                  ? "its verdict changes from run to run, so that no commit explains it"
                  : "its verdict has been the same in every run since then";
  brief.why += circumstances(before, after);
  brief.since = fmt::format("{}: {}", first.scenario, verdict_text(first, history.contents));
  brief.whose = before == nullptr
                    ? "not told by these runs: it failed in the first one"
                    : "the commits between " + when_text(before) + " and " + when_text(after);
  brief.next = "run the scenario at both commits; of a flaky one, run it many times";
  brief.command = "tunecheck run " + first.scenario;
  if (before != nullptr)
    brief.compare = compare_address(context.repository, before->revision, after->revision);
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
  if (!by_weight(history).empty()) {
    tell_change(history, context, brief);
    return brief;
  }
  if (brief.verdict.word == "FAILING") {
    tell_verdicts(history, context, brief);
    return brief;
  }
  brief.broke = "nothing";
  brief.why = "no benchmark left what its runs scatter anyway";
  brief.since = runs.empty() ? "there is no run"
                             : fmt::format("steady from {} to {}", when_text(&runs.front()),
                                           when_text(&runs.back()));
  brief.whose = "nobody's";
  brief.next = "nothing";
  return brief;
}

}  // namespace tunecheck
