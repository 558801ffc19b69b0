#include "reports/summary/brief.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/shell.hpp"
#include "core/text.hpp"
#include "reports/summary/verdict_history.hpp"
#include "reports/summary/watch_findings.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t most_findings_named = 3;

// "WRONG sgd (train.py:9); STALE ..., and 2 more"
std::string named_findings(const WatchResult& watch, bool failing) {
  std::string text;
  std::size_t count = 0;
  for (const WatchResult::Finding& finding : watch.findings) {
    if (finding.fails() != failing || ++count > most_findings_named) continue;
    const std::string subject = subject_text(finding);
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", name_of(finding.word),
                        subject.empty() ? "" : " ", subject);
  }
  if (count > most_findings_named)
    text += fmt::format(", and {} more", count - most_findings_named);
  return text;
}

const WatchResult::Finding* first_failing(const WatchResult& watch) {
  for (const WatchResult::Finding& finding : watch.findings)
    if (finding.fails()) return &finding;
  return nullptr;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

// "; it ended with exit status 5", unless it always ended with status 0.
std::string how_it_ended(const WatchResult& watch) {
  std::set<std::string> ends;
  for (const WatchResult::Run& run : watch.runs)
    if (!run.succeeded) ends.insert(run.end);
  return ends.empty() ? "" : fmt::format("; it ended with {}", fmt::join(ends, ", "));
}

std::string since_text(const WatchResult& watch) {
  const auto old = std::count_if(watch.findings.begin(), watch.findings.end(),
                                 [](const auto& finding) { return !finding.is_new; });
  if (old > 0 && first_failing(watch) == nullptr)
    return fmt::format("nothing is new since the baseline, which has {} of these",
                       counted(static_cast<std::size_t>(old), "finding"));
  if (old > 0) return fmt::format("new since the baseline, where {} more was found already", old);
  return "not known: the watch had no --baseline";
}

// The names that somebody would look for, of a few.
std::string few(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > 4) text += fmt::format(", and {} more", names.size() - 4);
  return text;
}

std::string summary_of_mutant(const AuditResult& audit, const std::string& name) {
  for (const AuditResult::Mutant& mutant : audit.mutants)
    if (mutant.name == name) return mutant.summary;
  return {};
}

// The audit of the same adapter's bugs; null if there is none.
const AuditResult* base_of(const AuditResult& audit, const BriefContext& context) {
  for (const ReportSource<AuditResult>& base : context.base_audits)
    if (base.content.is_foreign() == audit.is_foreign() &&
        base.content.reference.adapter == audit.reference.adapter)
      return &base.content;
  return nullptr;
}

// What an audit blames: planted bugs, checks and claims.
std::set<std::string> missing_in(const AuditResult& audit) {
  std::set<std::string> missing;
  for (const auto& names :
       {audit.surviving_mutants(), audit.unkilled_checks(), audit.false_claims()})
    missing.insert(names.begin(), names.end());
  return missing;
}

std::string since_text(const AuditResult& audit, const BriefContext& context) {
  const std::string here =
      fmt::format("tunecheck {}, {}", audit.tunecheck_version, audit.started.substr(0, 10));
  const AuditResult* const base = base_of(audit, context);
  if (base == nullptr)
    return fmt::format("not known: {}; this audit is of {}",
                       context.base_audits.empty()
                           ? "this report has no base, which --base AUDIT gives it"
                           : "the base is of the bugs of another adapter",
                       here);
  const std::set<std::string> now = missing_in(audit), before = missing_in(*base);
  std::vector<std::string> added;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                      std::back_inserter(added));
  const auto still = std::count_if(now.begin(), now.end(),
                                   [&](const std::string& name) { return before.contains(name); });
  return fmt::format(
      "{} new since the base, tunecheck {}, {}{}{}; {} missing there as well; {} "
      "mended",
      added.size(), base->tunecheck_version, base->started.substr(0, 10), added.empty() ? "" : ": ",
      few(added), still, before.size() - static_cast<std::size_t>(still));
}

void tell_missing(const AuditResult& audit, Brief& brief) {
  const std::vector<std::string> survivors = audit.surviving_mutants();
  const std::vector<std::string> unkilled = audit.unkilled_checks();
  const std::vector<std::string> claims = audit.false_claims();
  if (!survivors.empty()) {
    brief.broke = "planted bugs that no scenario catches: " + few(survivors);
    brief.why = fmt::format("a tuner with such a bug would pass; {}: {}", survivors.front(),
                            summary_of_mutant(audit, survivors.front()));
    brief.next = "write a scenario that catches it, and name the planted bug in its \"catches\"";
  } else if (!unkilled.empty()) {
    brief.broke = "checks that no planted bug makes fail: " + few(unkilled);
    brief.why = "nobody knows whether such a check can fail";
    brief.next = "plant a bug that the check must notice";
  } else if (!claims.empty()) {
    brief.broke = "scenarios that do not notice what they say they catch: " + few(claims);
    brief.why = "their \"catches\" is not true";
    brief.next = "run such a scenario against the planted bug, and look at what it saw";
  } else {
    brief.broke = "the true tuner, without any planted bug";
    brief.why = verdict_of(audit.reference).text();
    brief.next = "mend what fails without a planted bug first";
  }
}

}  // namespace

std::string_view name_of(DocumentKind kind) {
  constexpr std::array<std::string_view, 5> names = {"run", "gate", "watch", "audit", "history"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string repeat_command(const WatchResult& watch) {
  return fmt::format("tunecheck watch {}{}-- {}", quoted(watch.options),
                     watch.options.empty() ? "" : " ", quoted(watch.command));
}

Brief brief_of(const WatchResult& watch) {
  Brief brief;
  brief.kind = DocumentKind::watch;
  brief.verdict = verdict_of(watch);
  brief.subject = quoted(watch.command);
  brief.since = since_text(watch);
  brief.whose = "the program's: " + brief.subject;
  brief.command = repeat_command(watch);
  if (const WatchResult::Finding* const finding = first_failing(watch)) {
    brief.broke = named_findings(watch, true);
    brief.why = finding->text;
    if (!finding->details.empty()) brief.why += "; " + finding->details.back();
    if (const WatchResult::Place& cause = cause_of(*finding); !cause.file.empty())
      brief.whose = fmt::format("the program's: {}{}", place_text(cause),
                                finding->kernel.empty() ? "" : ", kernel " + finding->kernel);
    brief.next = fmt::format("look at that line; docs/watch.md says what {} means; watch it again",
                             name_of(finding->word));
  } else if (brief.verdict.standing == Standing::untrusted) {
    brief.broke = "the watch itself";
    brief.why = brief.verdict.sentence + how_it_ended(watch);
    brief.whose = "nobody's yet: the program was not seen at work";
    brief.next = "make the program run to its end under the watch";
  } else {
    const std::string excused = named_findings(watch, false);
    brief.broke = excused.empty() ? "nothing"
                                  : "nothing new; allowed, in the baseline or unclear: " + excused;
    brief.why = "all runs ended, and no rule was broken by what was seen";
    brief.next = "nothing";
    brief.command.clear();
  }
  return brief;
}

Brief brief_of(const AuditResult& audit, const BriefContext& context) {
  Brief brief;
  brief.kind = DocumentKind::audit;
  brief.verdict = verdict_of(audit);
  brief.subject = audited_text(audit);
  brief.since = since_text(audit, context);
  brief.whose = audit.is_foreign()
                    ? "the scenarios', and of the bugs that adapter " + audit.reference.adapter +
                          " plants; no tuner is judged here"
                    : "the scenarios' and checks'; no tuner is judged here";
  brief.command = "tunecheck audit";
  if (audit.is_foreign()) brief.command += " --adapter " + audit.reference.adapter;
  if (brief.verdict.standing == Standing::bad) {
    tell_missing(audit, brief);
    if (const auto survivors = audit.surviving_mutants(); !survivors.empty())
      brief.command += " --mutant " + survivors.front();
  } else if (audit.quick) {
    brief.broke = "nothing that was tried";
    brief.why = "each planted bug met one scenario; what others miss is not known";
    brief.next = "run the whole audit before you rely on it";
  } else {
    brief.broke = "nothing";
    brief.why =
        "every planted bug was caught, every check was made to fail, and the true tuner passes";
    brief.next = "nothing";
    brief.command.clear();
  }
  return brief;
}

std::vector<Brief> briefs_of(const ReportSources& sources, const BriefContext& given) {
  BriefContext context = given;
  context.histories = sources.histories;
  std::vector<Brief> briefs;
  const auto add = [&](Brief brief, std::size_t number) {
    brief.number = number;
    briefs.push_back(std::move(brief));
  };
  for (std::size_t i = 0; i < sources.runs.size(); ++i)
    add(brief_of(sources.runs[i], context), i);
  for (std::size_t i = 0; i < sources.gates.size(); ++i)
    add(brief_of(sources.gates[i].content, context), i);
  for (std::size_t i = 0; i < sources.watches.size(); ++i)
    add(brief_of(sources.watches[i].content), i);
  for (std::size_t i = 0; i < sources.audits.size(); ++i)
    add(brief_of(sources.audits[i].content, context), i);
  for (std::size_t i = 0; i < sources.histories.size(); ++i) {
    const HistoryChanges& history = sources.histories[i].content;
    Brief brief = brief_of(history, context);
    // What a tuner of another run did must not fail this one.
    brief.is_background =
        !sources.runs.empty() &&
        verdict_counts_of(history.series, history.contents).scenarios == history.series.size();
    add(std::move(brief), i);
  }
  return briefs;
}

const Brief& worst_of(std::span<const Brief> briefs) {
  return *std::min_element(briefs.begin(), briefs.end(), [](const Brief& a, const Brief& b) {
    if (a.is_background != b.is_background) return b.is_background;
    return is_worse(a.verdict, b.verdict);
  });
}

VerdictLine verdict_of(std::span<const Brief> briefs) {
  const Brief& worst = worst_of(briefs);
  VerdictLine verdict = worst.verdict;
  if (briefs.size() > 1)
    verdict.sentence =
        fmt::format("{} {}: {}", name_of(worst.kind), worst.subject, verdict.sentence);
  return verdict;
}

std::string compare_address(std::string_view repository, std::string_view base,
                            std::string_view head) {
  if (repository.empty() || base.empty() || head.empty() || base == head) return {};
  return fmt::format("{}/compare/{}...{}", repository, base, head);
}

}  // namespace tunecheck
