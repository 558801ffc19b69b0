#include "reports/fields/run_fields.hpp"

namespace tunecheck {

const Words<Verdict>& words_of(Of<Verdict>) {
  static const Words<Verdict> words = [] {
    Words<Verdict> all;
    for (const Verdict verdict :
         {Verdict::pass, Verdict::fail, Verdict::unsupported, Verdict::error, Verdict::known})
      all.emplace_back(verdict, name_of(verdict));
    return all;
  }();
  return words;
}

const Fields<ConfigSummary>& fields_of(Of<ConfigSummary>) {
  using T = ConfigSummary;
  static const Fields<T> fields = {
      "TriedConfig",
      "",
      {{"config",
        &T::config,
        {.says = "\"block=64,vec=4\"; \"artifact DIGEST\" if the config is not known"}},
       {"is_winner", &T::is_winner},
       {"is_default", &T::is_default, {.says = "what the kernel file would choose"}},
       {"failure", &T::failure, {.says = "why it cannot win, as the tuner says"}},
       {"median_ns",
        &T::median_ns,
        {.says = "of a launch, as the tuner says; 0 if it does not", .least = 0, .is_rough = true}},
       {"reps", &T::reps, {.says = "likewise"}},
       {"own_median_ns",
        &T::own_median_ns,
        {.says = "as the judge measured; 0 if it did not", .least = 0, .is_rough = true}},
       {"own_failure", &T::own_failure, {.says = "why it did not run for the judge"}},
       {"launches", &T::launches, {.says = "trials that observers saw"}},
       {"samples_ns",
        &T::samples_ns,
        {.says = "how long the successful ones took, ascending; if there are more than 32, that "
                 "many quantiles, from the least to the greatest. None on a GPU, where a launch "
                 "only enqueues",
         .is_rough = true}}}};
  return fields;
}

const Fields<CallEvent>& fields_of(Of<CallEvent>) {
  using T = CallEvent;
  static const Fields<T> fields = {
      "CallEvent",
      "launches of one config in a row are one event",
      {{"kind",
        &T::kind,
        {.says = "launch: the one on the caller's arguments; captured: into a graph, not run",
         .words = {"compile", "trials", "launch", "captured", "burst", "fault", "killed"}}},
       {"at_ns", &T::at_ns, {.says = "since the call was asked", .is_rough = true}},
       {"wall_ns", &T::wall_ns, {.says = "0 if it has no length", .is_rough = true}},
       {"config", &T::config, {.says = "empty if it is not known"}},
       {"count", &T::count, {.says = "launches, else 1"}},
       {"failed", &T::failed, {.says = "of them"}},
       {"differing", &T::differing, {.says = "launches that saw arguments other than they should"}},
       {"from_store", &T::from_store, {.says = "a compile that the spy's store answered"}},
       {"text", &T::text, {.says = "of a fault: at which point of which file"}}}};
  return fields;
}

const Fields<CallSummary>& fields_of(Of<CallSummary>) {
  using T = CallSummary;
  static const Fields<T> fields = {
      "Call",
      "one tuned call: what was asked, what the tuner says, what observers saw",
      {{"number", &T::number, {.says = "in its process", .least = 1}},
       {"line", &T::line, {.says = "in the scenario's file"}},
       {"asked_ns", &T::asked_ns, {.says = "since the scenario's first call was asked"}},
       {"wall_ns",
        &T::wall_ns,
        {.says = "until the answer; for concurrent calls, until the answers of all of them"}},
       {"outcome", &T::outcome, {.words = {"done", "failed", "no answer"}}},
       {"message", &T::message, {.says = "of the tuner; cut after 400 bytes"}},
       {"cache",
        &T::cache,
        {.says = "as it says", .words = {"hit", "miss", "stale", "disabled", ""}}},
       {"missed_axes", &T::missed_axes, {.is_newer = true}},
       {"winner", &T::winner, {.says = "a config; empty if there is none"}},
       {"arch", &T::arch, {.says = "empty for the device's own"}},
       {"sizes", &T::sizes, {.may_be_negative = true}},
       {"bytes",
        &T::bytes,
        {.says = "that one launch moves; 0 if the kernel file does not say", .least = 0}},
       {"flops", &T::flops, {.says = "likewise", .least = 0}},
       {"compiles", &T::compiles, {.says = "seen by the compiler spy"}},
       {"launches", &T::launches, {.says = "seen by the probe"}},
       {"trial_launches", &T::trial_launches, {.says = "all except the caller's own"}},
       {"configs",
        &T::configs,
        {.says = "of a call that tuned, at most 256: the winner and the default, then the fastest, "
                 "those that failed last"}},
       {"configs_left_out", &T::configs_left_out},
       {"events", &T::events, {.says = "what observers saw, in the order of time; the first 100"}},
       {"events_left_out", &T::events_left_out}}};
  return fields;
}

const Fields<ProcessSummary>& fields_of(Of<ProcessSummary>) {
  using T = ProcessSummary;
  static const Fields<T> fields = {
      "Process", "",
      {{"name", &T::name},
       {"end",
        [](const T& process) { return process.end.text(); },
        {.says = "how it ended, in words"}},
       {"exit_status", [](auto& process) -> auto& {return process.end.exit_status;
}
, {
  .says = "meaningful if signal is 0", .may_be_negative = true
}
}  // namespace tunecheck
, {"signal", [](auto& process) -> auto& {return process.end.signal;
}
}
, {"timed_out", [](auto& process) -> auto& {return process.end.timed_out;
}
}
, {"wall_ns", [](auto& process) -> auto& {return process.end.wall_ns;
}
}
, {"cpu_ns", [](auto& process) -> auto& {return process.end.cpu_ns;
}
}
, {"peak_memory_kib", [](auto& process) -> auto& {return process.end.peak_memory_kib;
}
}
, {"compiles", &T::compiles}, {"compiles_from_store", &T::compiles_from_store},
    {"launches", &T::launches}, {"log", &T::log},
    {"calls", &T::calls, {.says = "the first 100", .is_newer = true}}, {
  "calls_left_out", &T::calls_left_out, {
    .is_newer = true
  }
}
}
}
;
return fields;
}

const Fields<Stages>& fields_of(Of<Stages>) {
  using T = Stages;
  static const Fields<T> fields = {"Stages",
                                   "where the time went; own_ns is the judge's own part",
                                   {{"prepare_ns", &T::prepare_ns},
                                    {"adapter_ns", &T::adapter_ns},
                                    {"reference_ns", &T::reference_ns},
                                    {"evidence_ns", &T::evidence_ns},
                                    {"check_ns", &T::check_ns},
                                    {"own_ns", &T::own_ns},
                                    {"total_ns", &T::total_ns}}};
  return fields;
}

const Fields<CheckResult>& fields_of(Of<CheckResult>) {
  using T = CheckResult;
  static const Fields<T> fields = {
      "Check",
      "the answer of a check about a call or a process",
      {{"check", &T::check},
       {"verdict", &T::verdict},
       {"process", &T::process, {.says = "its name in the scenario"}},
       {"call",
        &T::call,
        {.says = "number of the call in its process, from 1; 0 for the process itself"}},
       {"line", &T::line, {.says = "in the scenario's file"}},
       {"expected", &T::expected},
       {"observed", &T::observed},
       {"evidence", &T::evidence, {.says = "files", .is_newer = true}}}};
  return fields;
}

const Fields<KnownFailure>& fields_of(Of<KnownFailure>) {
  using T = KnownFailure;
  static const Fields<T> fields = {
      "Mark",
      "the mark that a scenario was judged by, regardless of its verdict",
      {{"checks", &T::checks, {.says = "that may fail; none: any may", .is_newer = true}},
       {"reason", &T::reason},
       {"link", &T::link},
       {"until", &T::until, {.says = "the last day on which it holds, YYYY-MM-DD"}},
       {"at_times",
        &T::at_times,
        {.says = "where the scenario passes as well: yes, or how many runs of how many were seen "
                 "to fail",
         .is_newer = true}},
       {"line", &T::line, {.least = 1}},
       {"file", &T::file}}};
  return fields;
}

const Fields<ScenarioResult>& fields_of(Of<ScenarioResult>) {
  using T = ScenarioResult;
  static const Fields<T> fields = {
      "Scenario",
      "",
      {{"name", &T::name},
       {"family", &T::family},
       {"file", &T::file},
       {"line", &T::line},
       {"because", &T::because},
       {"kernel", &T::kernel},
       {"adapter", &T::adapter},
       {"tuner", &T::tuner, {.says = "empty if it did not answer"}},
       {"device", &T::device, {.says = "likewise", .is_newer = true}},
       {"verdict", &T::verdict},
       {"message", &T::message, {.says = "if no check says why"}},
       {"lacks",
        &T::lacks,
        {.says = "what the adapter would have to have, such as \"capability threads\"",
         .is_newer = true}},
       {"checks", &T::checks},
       {"unanswered",
        &T::unanswered,
        {.says = "checks that its calls name and that could not be asked", .is_newer = true}},
       {"processes", &T::processes},
       {"stages", &T::stages},
       {"wall_ns", &T::wall_ns},
       {"workspace", &T::workspace, {.says = "empty if it was not kept"}},
       {"repro", &T::repro, {.says = "the command that repeats this scenario"}},
       {"known", &T::known}}};
  return fields;
}

const Fields<LeftOut>& fields_of(Of<LeftOut>) {
  using T = LeftOut;
  static const Fields<T> fields = {
      "LeftOut",
      "a scenario that does not run on this kind of device",
      {{"name", &T::name},
       {"reason", &T::reason},
       {"checks", &T::checks, {.says = "that its calls name", .is_newer = true}}}};
  return fields;
}

const Fields<ShardOf>& fields_of(Of<ShardOf>) {
  using T = ShardOf;
  static const Fields<T> fields = {
      "Shard",
      "what a part of a run or an audit that was divided among machines says of the whole",
      {{"number", &T::number, {.says = "from 1", .least = 1}},
       {"count", &T::count, {.says = "of parts", .least = 1}},
       {"scenarios",
        &T::scenarios,
        {.says = "of all parts; of an audit with each tuner that runs them"}},
       {"selection",
        &T::selection,
        {.says = "digest of their names: parts of one run have the same"}},
       {"tuners",
        &T::tuners,
        {.says = "of a matrix: all of them, each of which has as many parts", .is_newer = true}}}};
  return fields;
}

const Fields<RunResult>& fields_of(Of<RunResult>) {
  using T = RunResult;
  const auto counts = [](const T& run) {
    std::vector<std::pair<std::string, std::int64_t>> by_verdict;
    for (const auto& [verdict, word] : words_of(Of<Verdict>{}))
      by_verdict.emplace_back(word, run.count(verdict));
    return by_verdict;
  };
  static const Fields<T> fields = {
      "Run",
      "Times are nanoseconds, files are relative to the folder of result.json.",
      {schema_field<T>(report_schema_version),
       {"tunecheck_version", &T::tunecheck_version},
       {"started", &T::started, {.says = "UTC, ISO 8601"}},
       {"adapter", &T::adapter},
       {"adapter_file",
        &T::adapter_file,
        {.says = "its adapter.info; empty if the result is older", .is_newer = true}},
       {"tuner",
        &T::tuner,
        {.says = "name and version as the adapter says; empty if it never answered"}},
       {"backend", &T::backend},
       {"seed", &T::seed},
       {"jobs", &T::jobs, {.says = "scenarios at once", .least = 1}},
       {"environment", &T::environment, {.says = "facts about the machine"}},
       {"exit_status",
        &T::exit_status,
        {.says = "0 all held, or failed as known; 1 a check failed; 4 not to be trusted",
         .values = {0, 1, 4}}},
       {"counts",
        counts,
        {.says = "scenarios by verdict",
         .words = {"pass", "fail", "unsupported", "error", "known"}}},
       {"wall_ns", &T::wall_ns},
       {"stages", &T::stages},
       {"judge_share", &T::judge_share, {.says = "own_ns of total_ns", .least = 0, .most = 1}},
       {"trouble",
        &T::trouble,
        {.says = "why nothing could be run; empty if it could", .is_newer = true}},
       {"complete",
        [](const T& run) { return run.pending.empty(); },
        {.says = "false while it runs, and for a run that was interrupted: scenarios are pending"}},
       {"pending",
        &T::pending,
        {.says = "scenarios that were not run yet: none unless the run was interrupted",
         .is_newer = true}},
       {"shard", &T::shard, {.is_newer = true}},
       {"left_out", &T::left_out, {.is_newer = true}},
       {"scenarios", &T::scenarios}}};
  return fields;
}

const Fields<AuditResult::Mutant>& fields_of(Of<AuditResult::Mutant>) {
  using T = AuditResult::Mutant;
  static const Fields<T> fields = {
      "Mutant", "a planted bug", {{"name", &T::name}, {"summary", &T::summary}}};
  return fields;
}

const Fields<AuditResult::Kill>& fields_of(Of<AuditResult::Kill>) {
  using T = AuditResult::Kill;
  static const Fields<T> fields = {
      "Kill",
      "a planted bug in a scenario that says it catches it",
      {{"mutant", &T::mutant},
       {"scenario", &T::scenario},
       {"checks",
        &T::checks,
        {.says = "those that failed; none: the scenario did not notice", .is_newer = true}},
       {"verdict", &T::verdict},
       {"message", &T::message},
       {"expects",
        &T::expects,
        {.says =
             "of an adversary: the check that must fail, or the verdict \"pass\" or \"error\"; of "
             "another tuner's mutant: the check; otherwise empty",
         .is_newer = true}}}};
  return fields;
}

const Fields<AuditResult>& fields_of(Of<AuditResult>) {
  using T = AuditResult;
  static const Fields<T> fields = {
      "Audit",
      "",
      {schema_field<T>(report_schema_version),
       {"tunecheck_version", &T::tunecheck_version},
       {"started", &T::started, {.says = "UTC, ISO 8601"}},
       {"exit_status",
        &T::exit_status,
        {.says = "0 complete; 1 something is missing", .values = {0, 1}}},
       {"wall_ns", &T::wall_ns},
       {"surviving_mutants",
        &T::surviving_mutants,
        {.says = "planted bugs that no scenario noticed"}},
       {"unkilled_checks", &T::unkilled_checks, {.says = "checks that no planted bug makes fail"}},
       {"false_claims",
        &T::false_claims,
        {.says = "\"mutant in scenario\", if the scenario says that it catches the mutant"}},
       {"shard",
        &T::shard,
        {.says = "then the lists of what survives and is not killed are empty: others may have "
                 "caught it",
         .is_newer = true}},
       {"quick",
        &T::quick,
        {.says = "one scenario per mutant, and a selection for the true tuner", .is_newer = true}},
       {"elsewhere",
        &T::elsewhere,
        {.says = "planted bugs that only scenarios for another kind of device name",
         .is_newer = true}},
       {"mutants", &T::mutants},
       {"checks", &T::checks, {.is_newer = true}},
       {"kills", &T::kills},
       {"reference", &T::reference, {.says = "the true tuner on every scenario"}}}};
  return fields;
}

}  // namespace tunecheck
